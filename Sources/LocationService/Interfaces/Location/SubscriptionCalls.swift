internal import AuthorizationPolicy
internal import EventLoopSupport
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Receivers
internal import Varlink

/// Locations: a stream of them, or one.
struct SubscriptionCalls {
    let broker: AuthorizationBroker
    let gate: Gate
    let entitlements: EntitlementTracker
    let streams: OpenStreams
    let peers: Peers
    let receivers: ReceiverControl
    let reduction: Reduction
    let record: Record
    let loop: any EventLoop
    let clock: () -> Timestamp

    func subscribe(_ call: Call<Subscribe>, _ request: Subscribe.Parameters, _ app: ConnectedApp) throws(VarlinkError) {
        let options = try inRange(request.options ?? Options())
        let session = Session(
            call: call, options: options, authorization: app.entitlement(through: gate).authorization,
            presence: entitlements.presence(of: app, call.connection),
            manifest: broker.machine.manifests[app.key.app], since: clock())
        let end = options.duration.map { seconds in
            let timer = LoopTimer(on: loop)
            timer.set(in: .clamping(seconds: seconds)) { session.end() }
            return timer
        }
        // Attack: a stream that is suspended from the first would have a quarter of an hour settled for others, or used
        // up, at the moment that it chooses.
        _ = session.followPresence(of: app.key, through: gate)
        streams.open(session, of: app)
        call.whenEnded { [streams] in
            end?.cancel()
            streams.close(session, of: app)
        }
        if receivers.isUnavailable { session.tell(.receiverLost) }
        deliverLast(on: session, of: app)
    }

    /// A fix that is not older than the interval at which the session wants them is the one that it would have got; so is
    /// the reduced location that was settled last.
    private func deliverLast(on session: Session, of app: ConnectedApp) {
        if session.isReduced, let last = reduction.lastKnown {
            deliver(Publication(last, accuracy: .reduced), on: session, of: app)
        }
        guard case .every(let seconds, _) = session.plan, let age = receivers.ageOfLastFix, age <= seconds,
            let last = receivers.lastFix
        else { return }
        deliver(Publication(last.fix.location), on: session, of: app)
    }

    private func deliver(_ publication: Publication, on session: Session, of app: ConnectedApp) {
        record.deliveries(to: app.key) { deliveries in
            _ = session.deliver(
                publication, under: app.entitlement(through: gate), through: gate, counting: &deliveries)
        }
    }

    func getLocation(
        _ call: Call<GetLocation>, _ request: GetLocation.Parameters, _ app: ConnectedApp
    ) throws(VarlinkError) {
        let timeout = try seconds(request.timeout, "timeout") ?? 10
        let maximumAge = try seconds(request.maximumAge, "maximumAge") ?? 5
        let presence = entitlements.presence(of: app, call.connection)
        guard !gate.isSuspended(app.key, presence: presence, terms: .single) else {
            throw .location(.notAuthorized(status: app.entitlement(through: gate).authorization.status))
        }
        let oneShot = OneShot(call: call, desiredAccuracy: request.desiredAccuracy ?? .best, presence: presence)
        if let known = lastKnown(for: oneShot, of: app, maximumAge) {
            peers.closeConnectionsOfEndedProcesses()
            record.deliveries(to: app.key) { deliveries in
                oneShot.answer(with: known, of: app.key, through: gate, counting: &deliveries)
            }
            return
        }
        let end = LoopTimer(on: loop)
        end.set(in: .clamping(seconds: timeout)) { [record, gate] in
            record.deliveries(to: app.key) { deliveries in
                oneShot.timeOut(of: app.key, through: gate, counting: &deliveries)
            }
        }
        streams.open(oneShot, of: app)
        call.whenEnded { [streams] in
            end.cancel()
            streams.close(oneShot, of: app)
        }
    }

    /// What is known and recent enough. A reduced location is as recent as one can be once its quarter is settled.
    private func lastKnown(for oneShot: OneShot, of app: ConnectedApp, _ maximumAge: Double) -> Publication? {
        if gate.accuracy(of: app.key, wanted: oneShot.wanted) == .reduced {
            return reduction.lastKnown(maximumAge: maximumAge).map { Publication($0, accuracy: .reduced) }
        }
        guard let last = receivers.lastFix, last.age(at: loop.now) <= .clamping(seconds: maximumAge)
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
