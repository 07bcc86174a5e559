internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Receivers
internal import Varlink

/// Significant changes, regions, visits, headings.
extension LocationInterfaceHandler {
    func monitorSignificantChanges(_ call: Call) throws(VarlinkError) {
        try call.requireMore()
        let app = call.app.key
        try engine.gate.check(app, for: .always)
        let wake = try call.parameters(as: WakeParameters.self).wake
        open(call, wake: wake) { [engine] (stream) throws(VarlinkError) in
            let exact = engine.receivers.lastFix.map { Publication($0.fix.location) }
            let reduced = engine.reduction.lastKnown.map { Publication($0, accuracy: .reduced) }
            return try engine.monitoring.openSignificantChanges(
                stream, of: app, wake: wake, lastKnown: [exact, reduced].compactMap(\.self))
        }
    }

    func monitorVisits(_ call: Call) throws(VarlinkError) {
        try call.requireMore()
        let app = call.app.key
        try engine.gate.check(app, for: .visits)
        let wake = try call.parameters(as: WakeParameters.self).wake
        open(call, wake: wake) { [engine] (stream) throws(VarlinkError) in
            try engine.monitoring.openVisits(stream, of: app, wake: wake)
        }
    }

    func monitorRegions(_ call: Call) throws(VarlinkError) {
        try call.requireMore()
        let app = call.app.key
        open(call, wake: nil) { [engine] (stream) throws(VarlinkError) in
            try engine.monitoring.openRegions(stream, of: app)
        }
    }

    func monitorHeading(_ call: Call) throws(VarlinkError) {
        try call.requireMore()
        let app = call.app.key
        let degrees = try call.parameters(as: MonitorHeading.Parameters.self).filter
        if let degrees, !degrees.isFinite { throw .invalidParameter("filter") }
        open(call, wake: nil) { [engine] (stream) throws(VarlinkError) in
            try engine.headings.open(stream, of: app, degrees: degrees)
        }
    }

    func startMonitoringRegion(_ call: Call) throws(VarlinkError) {
        let app = call.app.key
        let request = try call.parameters(as: StartMonitoringRegion.Parameters.self)
        try check(request.region)
        try engine.gate.check(app, for: .regions)
        afterCheck(of: request.wake, call) { [engine] in
            do throws(VarlinkError) {
                let written = try engine.monitoring.start(request.region, of: app, wake: request.wake)
                engine.sessionsChanged()
                answer(call, when: written)
            } catch {
                call.fail(error)
            }
        }
    }

    func stopMonitoringRegion(_ call: Call) throws(VarlinkError) {
        let identifier = try call.parameters(as: RegionScope.self).identifier
        let written = try engine.monitoring.stopRegion(identifier, of: call.app.key)
        engine.sessionsChanged()
        answer(call, when: written)
    }

    func listRegions(_ call: Call) throws(VarlinkError) {
        call.reply(ListRegions.Reply(regions: engine.monitoring.regions(of: call.app.key)))
    }

    func getRegionState(_ call: Call) throws(VarlinkError) {
        let identifier = try call.parameters(as: RegionScope.self).identifier
        let presence = engine.presence(of: call)
        guard let state = try engine.monitoring.state(ofRegion: identifier, of: call.app.key, presence: presence)
        else { throw .invalidParameter("identifier") }
        call.reply(GetRegionState.Reply(state: state))
    }

    /// Opens a stream once the path of its wake socket has been looked at.
    private func open(
        _ call: Call, wake: String?, _ start: @escaping (EventStream) throws(VarlinkError) -> () -> Void
    ) {
        afterCheck(of: wake, call) { [engine] in
            engine.peers.closeConnectionsOfEndedProcesses()
            guard !call.isEnded else { return }
            let app = call.app
            let stream = EventStream(call, since: engine.clock(), presence: engine.presence(of: call))
            do throws(VarlinkError) {
                let end = try start(stream)
                // It may have ended as it began: the peer does not read.
                if call.isEnded {
                    end()
                    return engine.sessionsChanged()
                }
                call.onEnd = { [engine] in
                    end()
                    engine.close(stream, of: app)
                }
                engine.open(stream, of: app)
            } catch {
                call.fail(error)
            }
        }
    }

    /// Goes on when the app may be started through `wake`; fails the call where it may not.
    private func afterCheck(of wake: String?, _ call: Call, _ next: @escaping () -> Void) {
        guard let wake else { return next() }
        waker.check(wake, of: call.connection.peer.uid).assumeIsolated().whenComplete { result in
            switch result {
            case .success: next()
            case .failure(let error): call.fail(.location(.wakeRefused(reason: "\(error)")))
            }
        }
    }

    private func check(_ region: CircularRegion) throws(VarlinkError) {
        guard (1...CircularRegion.maximumIdentifierLength).contains(region.identifier.utf8.count),
            !region.identifier.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalidParameter("region.identifier") }
        guard (-90...90).contains(region.latitude) else { throw .invalidParameter("region.latitude") }
        guard (-180...180).contains(region.longitude) else { throw .invalidParameter("region.longitude") }
        guard CircularRegion.radii.contains(region.radius) else { throw .invalidParameter("region.radius") }
    }
}

/// Answers a call whose change is on its way to the disk.
private func answer(_ call: Call, when written: EventLoopFuture<Void>) {
    written.assumeIsolated().whenComplete { result in
        switch result {
        case .success: call.reply(Nothing())
        case .failure(let error): call.fail(.location(.storeFailed(reason: "\(error)")))
        }
    }
}
