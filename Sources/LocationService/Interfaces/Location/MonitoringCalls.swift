internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Receivers
internal import Varlink

/// Significant changes, regions, visits, headings.
struct MonitoringCalls {
    let monitoring: Monitoring
    let headings: HeadingMonitoring
    let waker: Waker
    let entitlements: EntitlementTracker
    let streams: OpenStreams
    let peers: Peers
    let receivers: ReceiverControl
    let reduction: Reduction
    let clock: () -> Timestamp

    func monitorSignificantChanges(
        _ call: Call<MonitorSignificantChanges>, _ request: WakeParameters, _ app: ConnectedApp
    ) {
        open(call, of: app, wake: request.wake) { [monitoring, receivers, reduction] (stream) throws(VarlinkError) in
            let exact = receivers.lastFix.map { Publication($0.fix.location) }
            let reduced = reduction.lastKnown.map { Publication($0, accuracy: .reduced) }
            return try monitoring.openSignificantChanges(
                stream, of: app.key, wake: request.wake, lastKnown: [exact, reduced].compactMap(\.self))
        }
    }

    func monitorVisits(_ call: Call<MonitorVisits>, _ request: WakeParameters, _ app: ConnectedApp) {
        open(call, of: app, wake: request.wake) { [monitoring] (stream) throws(VarlinkError) in
            try monitoring.openVisits(stream, of: app.key, wake: request.wake)
        }
    }

    func monitorRegions(_ call: Call<MonitorRegions>, _: Nothing, _ app: ConnectedApp) {
        open(call, of: app, wake: nil) { [monitoring] (stream) throws(VarlinkError) in
            try monitoring.openRegions(stream, of: app.key)
        }
    }

    func monitorHeading(
        _ call: Call<MonitorHeading>, _ request: MonitorHeading.Parameters, _ app: ConnectedApp
    ) throws(VarlinkError) {
        if let degrees = request.filter, !degrees.isFinite { throw .invalidParameter("filter") }
        open(call, of: app, wake: nil) { [headings] (stream) throws(VarlinkError) in
            try headings.open(stream, of: app.key, degrees: request.filter)
        }
    }

    func startMonitoringRegion(
        _ call: Call<StartMonitoringRegion>, _ request: StartMonitoringRegion.Parameters, _ app: ConnectedApp
    ) throws(VarlinkError) {
        try check(request.region)
        afterCheck(of: request.wake, call) { [monitoring, streams] in
            do throws(VarlinkError) {
                let written = try monitoring.start(request.region, of: app.key, wake: request.wake)
                streams.changed()
                answer(call, when: written)
            } catch {
                call.fail(error)
            }
        }
    }

    func stopMonitoringRegion(
        _ call: Call<StopMonitoringRegion>, _ request: RegionScope, _ app: ConnectedApp
    ) throws(VarlinkError) {
        let written = try monitoring.stopRegion(request.identifier, of: app.key)
        streams.changed()
        answer(call, when: written)
    }

    func listRegions(_ call: Call<ListRegions>, _: Nothing, _ app: ConnectedApp) {
        call.reply(ListRegions.Reply(regions: monitoring.regions(of: app.key)))
    }

    func getRegionState(_ call: Call<GetRegionState>, _ request: RegionScope, _ app: ConnectedApp) throws(VarlinkError)
    {
        let presence = entitlements.presence(of: app, call.connection)
        guard let state = try monitoring.state(ofRegion: request.identifier, of: app.key, presence: presence)
        else { throw .invalidParameter("identifier") }
        call.reply(GetRegionState.Reply(state: state))
    }

    /// Opens a stream once the path of its wake socket has been looked at. `start` returns what ends it.
    private func open<Method: LocationMethod>(
        _ call: Call<Method>, of app: ConnectedApp, wake: String?,
        _ start: @escaping (EventStream<Method>) throws(VarlinkError) -> () -> Void
    ) {
        afterCheck(of: wake, call) { [peers, clock, entitlements, streams] in
            peers.closeConnectionsOfEndedProcesses()
            guard !call.isEnded else { return }
            let stream = EventStream(
                call, since: clock(), presence: entitlements.presence(of: app, call.connection))
            do throws(VarlinkError) {
                let end = try start(stream)
                streams.open(stream, of: app)
                call.whenEnded { [streams] in
                    end()
                    streams.close(stream, of: app)
                }
            } catch {
                call.fail(error)
            }
        }
    }

    /// Goes on when the app may be started through `wake`; fails the call where it may not.
    private func afterCheck(of wake: String?, _ call: Call<some LocationMethod>, _ next: @escaping () -> Void) {
        guard let wake else { return next() }
        waker.check(wake, of: call.connection.peer.uid).assumeIsolated().whenComplete { result in
            switch result {
            case .success: next()
            case .failure(let error): call.fail(.wakeRefused(reason: "\(error)"))
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

    /// Answers a call whose change is on its way to the disk.
    private func answer<Method: LocationMethod>(
        _ call: Call<Method>, when written: EventLoopFuture<Void>
    ) where Method.Reply == Nothing {
        written.assumeIsolated().whenComplete { result in
            switch result {
            case .success: call.reply(Nothing())
            case .failure(let error): call.fail(.storeFailed(reason: "\(error)"))
            }
        }
    }
}
