internal import ArgumentParser
internal import Glibc
internal import LocationProtocol

struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Shows the questions of apps that ask for the location, and takes the answers.",
        discussion: """
            In a terminal: Up, Down and Enter, or the letter of an answer; r changes between full and reduced accuracy; \
            Esc or q gives no answer, and the app may ask again; Ctrl-C ends the agent. A key counts once the question \
            has stood for a moment. With --plain, or where standard input or output is no terminal, each question is \
            printed as lines, and a line with the number, the letter or the name of an answer, and possibly "full" or \
            "reduced" after it, is read. With --notify the questions are notifications of the desktop, and their buttons \
            the answers; closing one gives none. It goes on when locationd is started again. NO_COLOR turns the colours off.
            """)

    @Flag(help: "Lines of text, for screen readers and pipes.")
    var plain = false
    @Flag(help: "Notifications of the desktop.")
    var notify = false
    @OptionGroup var user: UserOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if plain, notify { throw ValidationError("--plain and --notify are two kinds of agent: one of them") }
    }

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        let feed = PromptFeed(daemon, uid: user.resolved)
        if notify {
            try await NotificationAgent(daemon: daemon, feed: feed).run()
        } else if plain || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 {
            try await PlainAgent(daemon: daemon, feed: feed).run()
        } else {
            try await TerminalAgent(daemon: daemon, feed: feed).run()
        }
    }
}
