internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// An app that has connections: its streams, and its calls that wait for something.
final class ConnectedApp {
    let key: AppKey
    /// How many connections it has.
    var connections = 0
    private(set) var sessions: [Session] = []
    private(set) var oneShots: [OneShot] = []
    private var authorizationWatchers: [AuthorizationWatcher] = []
    private(set) var prompts: [PendingPrompt] = []

    init(key: AppKey) {
        self.key = key
    }

    /// How hard the receivers work for it.
    var plan: ReceiverPlan {
        var plan = oneShots.isEmpty ? ReceiverPlan.off : .continuous
        for session in sessions {
            // The hardest plan is the most frequent one: of ten thousand streams the first one decides.
            if plan == .continuous { break }
            plan = plan.merged(with: session.plan)
        }
        return plan
    }

    // MARK: What it has open

    func add(_ session: Session) { sessions.append(session) }
    func remove(_ session: Session) { sessions.removeAll { $0 === session } }
    func add(_ oneShot: OneShot) { oneShots.append(oneShot) }
    func remove(_ oneShot: OneShot) { oneShots.removeAll { $0 === oneShot } }
    func add(_ prompt: PendingPrompt) { prompts.append(prompt) }
    func remove(_ prompt: PendingPrompt) { prompts.removeAll { $0 === prompt } }
    func add(_ watcher: AuthorizationWatcher) { authorizationWatchers.append(watcher) }
    func remove(_ watcher: AuthorizationWatcher) { authorizationWatchers.removeAll { $0 === watcher } }

    // MARK: What happens to it

    /// Delivers a fix on every stream that it is due on, and to the calls that wait for one. Returns on how many streams, and
    /// whether any of them has paused or resumed.
    func deliver(_ publication: Publication, through gate: Gate) -> (delivered: Int, isPlanChanged: Bool) {
        var (delivered, isPlanChanged) = (0, false)
        for session in sessions {
            let outcome = session.deliver(publication, to: key, through: gate)
            if outcome.isDelivered { delivered += 1 }
            if outcome.isPlanChanged { isPlanChanged = true }
        }
        for oneShot in oneShots { oneShot.consider(publication.location, of: key, through: gate) }
        return (delivered, isPlanChanged)
    }

    /// Tells every stream that the receivers came or went.
    func deliver(_ event: UpdateEvent) {
        for session in sessions { session.tell(event) }
    }

    /// Ends, answers or tells whatever depends on the authorization, after it has changed.
    func authorizationChanged(to authorization: Authorization, gate: Gate) {
        do throws(VarlinkError) {
            try gate.check(key)
            for session in sessions { session.tell(authorization) }
        } catch {
            // The calls remove themselves as they end.
            for session in sessions { session.call.fail(error) }
            for oneShot in oneShots { oneShot.call.fail(error) }
        }
        for prompt in prompts where authorization.status != .notDetermined {
            prompt.call.reply(GetAuthorization.Reply(authorization: authorization))
        }
        for watcher in authorizationWatchers { watcher.tell(authorization) }
    }
}

/// A request for authorization that waits for the person.
final class PendingPrompt {
    let call: Call
    let level: RequestedLevel
    let reason: String?

    init(call: Call, level: RequestedLevel, reason: String?) {
        self.call = call
        self.level = level
        self.reason = reason
    }
}

/// A call of GetAuthorization with `more`.
final class AuthorizationWatcher {
    private let call: Call
    private var last: Authorization

    init(call: Call, authorization: Authorization) {
        self.call = call
        last = authorization
        call.reply(GetAuthorization.Reply(authorization: authorization), continues: true)
    }

    func tell(_ authorization: Authorization) {
        guard authorization != last else { return }
        last = authorization
        call.reply(GetAuthorization.Reply(authorization: authorization), continues: true)
    }
}
