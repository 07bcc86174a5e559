internal import ArgumentParser
internal import DesktopAgent
internal import Glibc
internal import LocationProtocol
internal import LocationctlSupport
internal import TerminalScreens

struct AgentCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Shows prompts for apps that request the location, and sends your answers.",
        discussion: """
            In a terminal, answer with Up, Down and Enter, or with the letter of an answer. Press r to switch between \
            full and reduced accuracy, n for no answer (the app may ask again), and q to quit. Keys count \
            only after the prompt has been shown for a moment. With --plain, or if standard input or output is not a \
            terminal, each prompt is printed as lines of text; type the number, letter or name of an answer, \
            optionally followed by "full" or "reduced". With --notify, prompts are desktop notifications with a button \
            for each usual answer, and one for the others; closing a notification gives no answer. One agent of a \
            desktop session shows notifications. In the desktop's tray, if it has one, an item shows the apps that use \
            the location, and its menu revokes and reduces; --no-tray leaves it out. The agent keeps running when \
            locationd restarts. NO_COLOR turns colours off.
            """)

    @Flag(help: "Use plain lines of text, for screen readers and pipes.")
    var plain = false
    @Flag(help: "Use desktop notifications.")
    var notify = false
    @Flag(help: "Wait for a notification server, and end silently where there is nothing to do: for a session.")
    var autostart = false
    @Flag(help: "Do not show an item in the desktop's tray.")
    var noTray = false
    @OptionGroup var user: UserOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if plain, notify { throw ValidationError("--plain and --notify cannot be combined; use one of them") }
        if autostart, !notify { throw ValidationError("--autostart requires --notify") }
        if noTray, !notify { throw ValidationError("--no-tray requires --notify") }
    }

    func run(with daemon: DaemonConnection) async throws {
        // No user requested an agent that the session starts, so it asks for no password.
        let feed = daemon.promptFeed(of: user.resolved, mayAskUser: !autostart)
        if notify {
            Translation.begin(on: nil)
            let agent = NotificationAgent(daemon: daemon, feed: feed, isAutostarted: autostart)
            let services = DesktopServices(daemon, uid: user.resolved, hasTray: !noTray)
            try await agent.run { services.start() }
            await services.stop()
        } else if plain || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 {
            // Another program reads the lines from a pipe.
            if Terminal.isOutputTerminal { Translation.begin(on: .current) }
            try await PlainAgent(daemon: daemon, feed: feed).run()
        } else {
            Translation.begin(on: .current)
            await daemon.authenticateForScreen()
            try await TerminalAgent(daemon: daemon, feed: feed).run()
        }
    }
}
