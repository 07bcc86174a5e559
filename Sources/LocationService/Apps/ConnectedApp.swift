internal import AuthorizationPolicy
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// An app that has connections: its streams, and its calls that wait for something.
final class ConnectedApp {
    let key: AppKey
    /// How many connections it has.
    var connections = 0
    /// The processes that say that they are in the background, by the connection that they said it on.
    private var inBackground: [ObjectIdentifier: pid_t] = [:]
    /// The process that asked last.
    private(set) var asker: pid_t?
    private(set) var sessions: [Session] = []
    private(set) var oneShots: [OneShot] = []
    /// Its calls of the Monitor methods.
    private(set) var eventStreams: [AnyEventStream] = []
    private var authorizationWatchers: [AuthorizationWatcher] = []
    /// The entitlement that was looked up last.
    private var knownEntitlement: Entitlement?

    init(key: AppKey) {
        self.key = key
    }

    /// Returns how hard the receivers work for it. For what is reduced they work at the reducer's pace.
    func plan(through gate: Gate) -> ReceiverPlan {
        var plan = oneShots.contains { !$0.isReduced(of: key, through: gate) } ? ReceiverPlan.continuous : .off
        for session in sessions {
            // The hardest plan is the most frequent one: of ten thousand streams the first one decides.
            if plan == .continuous { break }
            plan = plan.merged(with: session.plan)
        }
        return plan
    }

    /// Whether any of its streams or calls gets what the reducer makes.
    func wantsReduced(through gate: Gate) -> Bool {
        sessions.contains { $0.isReduced && !$0.isSuspended }
            || oneShots.contains { $0.isReduced(of: key, through: gate) }
    }

    /// Returns whether a stream of it that the indicator shows goes on now with that presence.
    func isActive(as presence: Presence, through gate: Gate) -> Bool {
        sessions.contains { $0.presence == presence && $0.isIndicated }
            || eventStreams.contains { $0.presence == presence } && gate.isDelivering(to: key, presence: presence)
    }

    // MARK: What it has open

    func add(_ session: Session) { sessions.append(session) }
    func remove(_ session: Session) { sessions.removeAll { $0 === session } }
    func add(_ oneShot: OneShot) { oneShots.append(oneShot) }
    func remove(_ oneShot: OneShot) { oneShots.removeAll { $0 === oneShot } }
    func add(_ stream: AnyEventStream) { eventStreams.append(stream) }
    func remove(_ stream: AnyEventStream) { eventStreams.removeAll { $0 === stream } }
    func add(_ watcher: AuthorizationWatcher) { authorizationWatchers.append(watcher) }
    func remove(_ watcher: AuthorizationWatcher) { authorizationWatchers.removeAll { $0 === watcher } }

    // MARK: What it says

    /// A process asks for the location.
    func asks(_ process: pid_t) { asker = process }

    /// A process says on a connection whether it is in the background. Returns whether that is new.
    func setInBackground(_ isInBackground: Bool, _ connection: Connection) -> Bool {
        let id = ObjectIdentifier(connection)
        guard isInBackground != (self.inBackground[id] != nil) else { return false }
        self.inBackground[id] = isInBackground ? connection.peer.pid : nil
        return true
    }

    /// A connection is closed: what was said on it holds no more. Whether something was.
    func forget(_ connection: Connection) -> Bool {
        inBackground.removeValue(forKey: ObjectIdentifier(connection)) != nil
    }

    /// Whether a process says that it is in the background.
    func saysInBackground(_ process: pid_t) -> Bool { inBackground.values.contains(process) }

    // MARK: What happens to it

    /// What came of a publication.
    struct Outcome {
        /// On how many streams and calls it was delivered.
        var delivered = 0
        /// Whether any stream has paused or resumed.
        var isPlanChanged = false
    }

    /// Returns what it may have now.
    func entitlement(through gate: Gate) -> Entitlement {
        let entitlement = knownEntitlement.map(gate.current) ?? gate.entitlement(of: key)
        knownEntitlement = entitlement
        return entitlement
    }

    /// Delivers a location on every stream that it is due on, and to the calls that wait for one.
    func deliver(_ publication: Publication, through gate: Gate, recordedIn record: Record) -> Outcome {
        let entitlement = entitlement(through: gate)
        return record.deliveries(to: key) { deliveries in
            var outcome = Outcome()
            for session in sessions
            where session.deliver(publication, under: entitlement, through: gate, counting: &deliveries) {
                outcome.isPlanChanged = true
            }
            for oneShot in oneShots {
                oneShot.consider(publication, of: key, through: gate, counting: &deliveries)
            }
            outcome.delivered = deliveries.total
            return outcome
        }
    }

    /// Tells every stream that the receivers came or went.
    func deliver(_ event: UpdateEvent) {
        for session in sessions { session.tell(event) }
    }

    /// Ends or tells whatever depends on the authorization, after it has changed.
    func authorizationChanged(to authorization: Authorization, gate: Gate) {
        do throws(VarlinkError) {
            try gate.check(key)
            for session in sessions {
                session.tell(authorization)
                _ = session.followPresence(of: key, through: gate)
            }
        } catch {
            // The calls remove themselves as they end.
            for session in sessions { session.call.fail(error) }
            for oneShot in oneShots { oneShot.call.fail(error) }
        }
        for watcher in authorizationWatchers { watcher.tell(authorization) }
    }
}

/// A call of GetAuthorization with `more`.
final class AuthorizationWatcher {
    private let call: Call<GetAuthorization>
    private var last: Authorization

    init(call: Call<GetAuthorization>, authorization: Authorization) {
        self.call = call
        last = authorization
        call.send(GetAuthorization.Reply(authorization: authorization))
    }

    func tell(_ authorization: Authorization) {
        guard authorization != last else { return }
        last = authorization
        call.send(GetAuthorization.Reply(authorization: authorization))
    }
}
