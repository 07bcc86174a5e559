internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Receivers
internal import Varlink

/// Answers the methods of `io.locationd.Location`.
final class LocationInterfaceHandler {
    let engine: Engine
    let waker: Waker

    init(engine: Engine, waker: Waker) {
        self.engine = engine
        self.waker = waker
    }

    /// The handlers by the method's name.
    var handlers: [String: VarlinkService.Handler] {
        [
            GetAuthorization.name: { (call) throws(VarlinkError) in self.getAuthorization(call) },
            RequestAuthorization.name: { (call) throws(VarlinkError) in try self.requestAuthorization(call) },
            Subscribe.name: { (call) throws(VarlinkError) in try self.subscribe(call) },
            GetLocation.name: { (call) throws(VarlinkError) in try self.getLocation(call) },
            MonitorSignificantChanges.name: { (call) throws(VarlinkError) in try self.monitorSignificantChanges(call) },
            StartMonitoringRegion.name: { (call) throws(VarlinkError) in try self.startMonitoringRegion(call) },
            StopMonitoringRegion.name: { (call) throws(VarlinkError) in try self.stopMonitoringRegion(call) },
            ListRegions.name: { (call) throws(VarlinkError) in try self.listRegions(call) },
            MonitorRegions.name: { (call) throws(VarlinkError) in try self.monitorRegions(call) },
            GetRegionState.name: { (call) throws(VarlinkError) in try self.getRegionState(call) },
            MonitorVisits.name: { (call) throws(VarlinkError) in try self.monitorVisits(call) },
            MonitorHeading.name: { (call) throws(VarlinkError) in try self.monitorHeading(call) },
        ]
    }

    private func getAuthorization(_ call: Call) {
        let app = call.app
        let authorization = engine.broker.table.authorization(of: app.key)
        guard call.more else { return call.reply(GetAuthorization.Reply(authorization: authorization)) }
        let watcher = AuthorizationWatcher(call: call, authorization: authorization)
        app.add(watcher)
        call.onEnd = { app.remove(watcher) }
    }

    private func requestAuthorization(_ call: Call) throws(VarlinkError) {
        let app = call.app
        let request = try call.parameters(as: RequestAuthorization.Parameters.self)
        let table = engine.broker.table
        let now = GetAuthorization.Reply(authorization: table.authorization(of: app.key))
        switch table.outcome(ofRequestFor: request.level, usageDescription: request.reason, by: app.key) {
        case .usageDescriptionMissing: throw .usageDescriptionMissing
        case .answered: call.reply(now)
        case .prompt:
            if call.more { call.reply(now, continues: true) }
            let prompt = PendingPrompt(call: call, level: request.level, reason: request.reason)
            app.add(prompt)
            call.onEnd = { app.remove(prompt) }
        }
    }

    private func subscribe(_ call: Call) throws(VarlinkError) {
        guard call.more else { throw .expectedMore }
        let app = call.app
        let options = try call.parameters(as: Subscribe.Parameters.self).options ?? Options()
        try check(options)
        let authorization = try engine.gate.check(app.key)
        let session = Session(call: call, options: options, authorization: authorization, since: engine.clock())
        let end = options.duration.map { seconds in
            engine.loop.assumeIsolated().scheduleTask(in: .seconds(seconds)) { session.end() }
        }
        engine.open(session, of: app)
        call.onEnd = { [engine] in
            end?.cancel()
            engine.close(session, of: app)
        }
        if engine.receivers.isUnavailable { session.tell(.receiverLost) }
        deliverLastFix(on: session, of: app)
    }

    /// A fix that is not older than the interval at which the session wants them is the one that it would have got.
    private func deliverLastFix(on session: Session, of app: ConnectedApp) {
        guard case .every(let seconds, _) = session.plan, let age = engine.receivers.ageOfLastFix, age <= seconds,
            let last = engine.receivers.lastFix
        else { return }
        _ = session.deliver(Publication(last.fix.location), to: app.key, through: engine.gate)
    }

    private func getLocation(_ call: Call) throws(VarlinkError) {
        let app = call.app
        let request = try call.parameters(as: GetLocation.Parameters.self)
        let timeout = try seconds(request.timeout, "timeout") ?? 10
        let maximumAge = try seconds(request.maximumAge, "maximumAge") ?? 5
        try engine.gate.check(app.key)
        let oneShot = OneShot(call: call, desiredAccuracy: request.desiredAccuracy ?? .best)
        if let last = engine.receivers.lastFix, engine.loop.now - last.receivedAt <= .seconds(maximumAge) {
            engine.peers.closeConnectionsOfEndedProcesses()
            return oneShot.answer(with: last.fix.location, of: app.key, through: engine.gate)
        }
        let gate = engine.gate
        let end = engine.loop.assumeIsolated().scheduleTask(in: .seconds(timeout)) {
            oneShot.timeOut(of: app.key, through: gate)
        }
        app.add(oneShot)
        engine.demandChanged()
        call.onEnd = { [engine] in
            end.cancel()
            app.remove(oneShot)
            engine.demandChanged()
        }
    }

    private func check(_ options: Options) throws(VarlinkError) {
        if let distance = options.distanceFilter, !distance.isFinite {
            throw .invalidParameter("options.distanceFilter")
        }
        if let count = options.maximumUpdates, count < 1 { throw .invalidParameter("options.maximumUpdates") }
        _ = try seconds(options.minimumInterval, "options.minimumInterval")
        _ = try seconds(options.duration, "options.duration")
    }

    /// A time that a caller gave, at most a year.
    private func seconds(_ value: Double?, _ parameter: String) throws(VarlinkError) -> Double? {
        guard let value else { return nil }
        guard value >= 0, value.isFinite else { throw .invalidParameter(parameter) }
        return min(value, 365 * 86_400)
    }
}

extension TimeAmount {
    /// A time in seconds, with fractions; at most some years.
    fileprivate static func seconds(_ seconds: Double) -> TimeAmount {
        .nanoseconds(Int64(seconds * 1e9))
    }
}

extension Call {
    /// The app on whose connection the call came.
    var app: ConnectedApp {
        guard let app = connection.userData as? ConnectedApp else {
            preconditionFailure("a call on a connection that was not admitted")
        }
        return app
    }
}
