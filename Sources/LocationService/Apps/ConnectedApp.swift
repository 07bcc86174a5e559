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

    /// Whether a receiver has to run for it.
    var wantsLocation: Bool { !sessions.isEmpty || !oneShots.isEmpty }

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

    /// Delivers a fix on every stream that it is due on, and to the calls that wait for one. Returns on how many streams.
    func deliver(_ publication: Publication, through gate: Gate) -> Int {
        var delivered = 0
        for session in sessions where session.deliver(publication, to: key, through: gate) { delivered += 1 }
        for oneShot in oneShots { oneShot.consider(publication.location, of: key, through: gate) }
        return delivered
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
