internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The open prompts for an agent, across restarts of the daemon.
struct PromptFeed {
    /// An event of the feed.
    enum Event: Sendable {
        /// All prompts that are open now.
        case prompts([Prompt])
        /// The daemon has gone away; sent once.
        case lost
    }

    /// The delay between attempts to reach a daemon that has gone away.
    private static let retry = Duration.milliseconds(500)

    private let daemon: DaemonConnection
    private let parameters: MonitorPrompts.Parameters

    /// Creates a feed of a user's prompts, in this process's languages.
    ///
    /// - Parameter mayAskUser: `true` if polkit may ask the user for a password.
    init(_ daemon: DaemonConnection, uid: Int?, mayAskUser: Bool = true) {
        self.daemon = daemon
        parameters = MonitorPrompts.Parameters(
            uid: uid, languages: Languages.preferred, allowInteractiveAuthentication: mayAskUser ? nil : false)
    }

    /// Passes each event to `body` until the task is cancelled. Throws an error if the daemon cannot be reached at
    /// first, or refuses.
    func run(_ body: (Event) -> Void) async throws {
        // While the daemon starts, its socket may exist without its group yet: EACCES is `unreachable` too.
        try await Reconnection(delay: Self.retry, isTemporary: { ($0 as? Failure)?.status == .unreachable }).run {
            onReply in
            var open = OpenPrompts()
            try await daemon.lists(MonitorPrompts.self, parameters) { list in
                _ = onReply()
                open.receive(list)
                body(.prompts(open.prompts))
                return true
            }
        } onLost: {
            body(.lost)
        }
    }
}

/// The open prompts, from the daemon's replies: the first one lists all prompts, each further one what has changed.
struct OpenPrompts {
    /// The prompts, the oldest first.
    private(set) var prompts: [Prompt] = []

    /// Applies the next reply of MonitorPrompts.
    mutating func receive(_ list: MonitorPrompts.Reply) {
        if let closed = list.closed {
            prompts.removeAll { closed.contains($0.id) }
        } else {
            prompts = []
        }
        prompts += list.prompts
    }
}

extension DaemonConnection {
    /// Answers a prompt. Returns the reason if the daemon did not accept the answer, and otherwise `nil`.
    func answer(_ id: Int, _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?) async -> String? {
        if case .failure(let failure) = await attempt(.answer(id: id, answer, accuracy)) {
            failure.message
        } else {
            nil
        }
    }
}
