internal import LocationProtocol

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
    init(_ daemon: DaemonConnection, uid: Int?) {
        self.daemon = daemon
        parameters = MonitorPrompts.Parameters(uid: uid, languages: Languages.preferred)
    }

    /// Passes each event to `body` until the task is cancelled. Throws an error if the daemon cannot be reached at
    /// first, or refuses.
    func run(_ body: (Event) -> Void) async throws {
        var isConnected = false
        var wasConnected = false
        while true {
            do {
                var open = OpenPrompts()
                try await daemon.lists(MonitorPrompts.self, parameters) { list in
                    (isConnected, wasConnected) = (true, true)
                    open.receive(list)
                    body(.prompts(open.prompts))
                    return true
                }
            } catch let failure as Failure {
                // While the daemon starts, its socket may exist without its group yet: EACCES is `unreachable` too.
                guard failure.status == .unreachable, wasConnected else { throw failure }
            }
            if isConnected { body(.lost) }
            isConnected = false
            try await Task.sleep(for: Self.retry)
        }
    }
}
