internal import Authorization
internal import EventLoopSupport
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
            RequestTemporaryFullAccuracy.name: { (call) throws(VarlinkError) in
                try self.requestTemporaryFullAccuracy(call)
            },
            SetBackground.name: { (call) throws(VarlinkError) in try self.setBackground(call) },
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
        app.asks(call.connection.peer.pid)
        let id = engine.broker.request(request.level, reason: request.reason, by: app.key) { answer(call, $0) }
        whilePending(id, call)
    }

    private func requestTemporaryFullAccuracy(_ call: Call) throws(VarlinkError) {
        let app = call.app
        let key = try call.parameters(as: RequestTemporaryFullAccuracy.Parameters.self).purposeKey
        app.asks(call.connection.peer.pid)
        let id = engine.broker.requestTemporaryFullAccuracy(
            purposeKey: key, presence: engine.presence(of: call), by: app.key
        ) { answer(call, $0) }
        whilePending(id, call)
    }

    /// Where the person has to answer first: tells what holds before, and forgets the request when the call ends.
    private func whilePending(_ id: AuthorizationBroker.RequestID, _ call: Call) {
        guard engine.broker.isPending(id) else { return }
        let key = call.app.key
        if call.more {
            let authorization = engine.broker.table.authorization(of: key)
            call.reply(GetAuthorization.Reply(authorization: authorization), continues: true)
        }
        call.onEnd = { [engine] in engine.broker.cancel(id, by: key) }
    }

    private func setBackground(_ call: Call) throws(VarlinkError) {
        let isInBackground = try call.parameters(as: SetBackground.Parameters.self).background
        if call.app.setInBackground(isInBackground, call.connection) { engine.presenceChanged(of: call.app) }
        call.reply(Nothing())
    }

    private func subscribe(_ call: Call) throws(VarlinkError) {
        guard call.more else { throw .expectedMore }
        let app = call.app
        let options = try inRange(call.parameters(as: Subscribe.Parameters.self).options ?? Options())
        let authorization = try engine.gate.check(app.key)
        let session = Session(
            call: call, options: options, authorization: authorization, presence: engine.presence(of: call),
            manifest: engine.broker.machine.manifests[app.key.app], since: engine.clock())
        let end = options.duration.map { seconds in
            engine.loop.assumeIsolated().scheduleTask(in: .clamping(seconds: seconds)) { session.end() }
        }
        // Attack: a stream that is suspended from the first would have a quarter of an hour settled for others, or used
        // up, at the moment that it chooses.
        _ = session.followPresence(of: app.key, through: engine.gate)
        engine.open(session, of: app)
        call.onEnd = { [engine] in
            end?.cancel()
            engine.close(session, of: app)
        }
        if engine.receivers.isUnavailable { session.tell(.receiverLost) }
        deliverLast(on: session, of: app)
    }

    /// A fix that is not older than the interval at which the session wants them is the one that it would have got; so is
    /// the reduced location that was settled last.
    private func deliverLast(on session: Session, of app: ConnectedApp) {
        if session.isReduced, let last = engine.reduction.lastKnown {
            deliver(Publication(last, accuracy: .reduced), on: session, of: app)
        }
        guard case .every(let seconds, _) = session.plan, let age = engine.receivers.ageOfLastFix, age <= seconds,
            let last = engine.receivers.lastFix
        else { return }
        deliver(Publication(last.fix.location), on: session, of: app)
    }

    private func deliver(_ publication: Publication, on session: Session, of app: ConnectedApp) {
        engine.record.deliveries(to: app.key) { deliveries in
            _ = session.deliver(publication, to: app.key, through: engine.gate, counting: &deliveries)
        }
    }

    private func getLocation(_ call: Call) throws(VarlinkError) {
        let app = call.app
        let request = try call.parameters(as: GetLocation.Parameters.self)
        let timeout = try seconds(request.timeout, "timeout") ?? 10
        let maximumAge = try seconds(request.maximumAge, "maximumAge") ?? 5
        let authorization = try engine.gate.check(app.key)
        let presence = engine.presence(of: call)
        guard !engine.gate.isSuspended(app.key, presence: presence, terms: .single) else {
            throw .location(.notAuthorized(status: authorization.status))
        }
        let oneShot = OneShot(call: call, desiredAccuracy: request.desiredAccuracy ?? .best, presence: presence)
        if let known = lastKnown(for: oneShot, of: app, maximumAge) {
            engine.peers.closeConnectionsOfEndedProcesses()
            engine.record.deliveries(to: app.key) { deliveries in
                oneShot.answer(with: known, of: app.key, through: engine.gate, counting: &deliveries)
            }
            return
        }
        let end = LoopTimer(on: engine.loop)
        end.set(in: .clamping(seconds: timeout)) { [engine] in
            engine.record.deliveries(to: app.key) { deliveries in
                oneShot.timeOut(of: app.key, through: engine.gate, counting: &deliveries)
            }
        }
        app.add(oneShot)
        engine.demandChanged()
        call.onEnd = { [engine] in
            end.cancel()
            app.remove(oneShot)
            engine.demandChanged()
        }
    }

    /// What is known and recent enough. A reduced location is as recent as one can be once its quarter is settled.
    private func lastKnown(for oneShot: OneShot, of app: ConnectedApp, _ maximumAge: Double) -> Publication? {
        if engine.gate.accuracy(of: app.key, wanted: oneShot.wanted) == .reduced {
            return engine.reduction.lastKnown(maximumAge: maximumAge).map { Publication($0, accuracy: .reduced) }
        }
        guard let last = engine.receivers.lastFix, last.age(at: engine.loop.now) <= .clamping(seconds: maximumAge)
        else {
            return nil
        }
        return Publication(last.fix.location)
    }

    /// Returns options that are in range, made from those that a caller gave.
    private func inRange(_ options: Options) throws(VarlinkError) -> Options {
        var options = options
        if let distance = options.distanceFilter, !distance.isFinite {
            throw .invalidParameter("options.distanceFilter")
        }
        if let count = options.maximumUpdates, count < 1 { throw .invalidParameter("options.maximumUpdates") }
        options.minimumInterval = try seconds(options.minimumInterval, "options.minimumInterval")
        options.duration = try seconds(options.duration, "options.duration")
        return options
    }

    /// A time that a caller gave, at most a year.
    private func seconds(_ value: Double?, _ parameter: String) throws(VarlinkError) -> Double? {
        guard let value else { return nil }
        guard value >= 0, value.isFinite else { throw .invalidParameter(parameter) }
        return min(value, 365 * 86_400)
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

/// Answers a request for authorization.
private func answer(_ call: Call, _ answer: AuthorizationBroker.RequestAnswer) {
    switch answer {
    case .success(let authorization): call.reply(GetAuthorization.Reply(authorization: authorization))
    case .failure(.usageDescriptionMissing): call.fail(.location(.usageDescriptionMissing))
    case .failure(.promptDeclined): call.fail(.location(.promptDeclined))
    }
}
