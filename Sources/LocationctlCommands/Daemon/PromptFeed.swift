internal import LocationProtocol

/// The open questions, as an agent gets them: also after the daemon was started again.
struct PromptFeed {
    /// What the daemon tells.
    enum Event: Sendable {
        case prompts([Prompt])
        /// It has gone away; told once.
        case lost
    }

    /// Between attempts to reach a daemon that has gone away.
    private static let retry = Duration.milliseconds(500)

    private let daemon: DaemonConnection
    private let parameters: MonitorPrompts.Parameters

    /// The questions of that user in this process's languages.
    init(_ daemon: DaemonConnection, uid: Int?) {
        self.daemon = daemon
        parameters = MonitorPrompts.Parameters(uid: uid, languages: Languages.preferred)
    }

    /// Hands over what the daemon tells until the task is cancelled. Throws where it cannot be reached at first, or refuses.
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
                // While it starts, its socket may be there and not yet its group's.
                guard failure.status == .unreachable, wasConnected else { throw failure }
            }
            if isConnected { body(.lost) }
            isConnected = false
            try await Task.sleep(for: Self.retry)
        }
    }
}
