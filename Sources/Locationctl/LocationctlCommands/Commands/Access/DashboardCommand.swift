internal import ArgumentParser
internal import Glibc
internal import LocationctlSupport
internal import TerminalScreens

struct DashboardCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Shows position, satellites, receivers, and who is looking, on one live screen.",
        discussion: """
            Up and Down choose an app, Enter shows its streams and what it got. x revokes its grant, r reduces its \
            accuracy, a allows it; each asks back first. p answers the prompt of an app that waits. / shows only apps \
            with a text in their name. ? lists all keys, q quits. The \
            position is the one that locationctl itself may have, which is an app like any other: while it is shown, \
            the receivers run. Without access to the management socket, the apps and receivers are left out. Ages and \
            the lists that the daemon does not report by itself are brought up to date once a minute, and after each \
            change that it reports. With --once, or if the terminal cannot move its cursor, the screen is printed \
            once as plain text. NO_COLOR turns colours off; without a UTF-8 locale the screen is ASCII.
            """)

    @Flag(help: "Do not ask for the position: no receiver is started.")
    var noPosition = false
    @Flag(help: "Print the screen once, as plain text without the position.")
    var once = false
    @Flag(help: "Show times in UTC instead of this machine's time zone.")
    var utc = false
    @OptionGroup var user: UserOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        let isLive =
            !once && isatty(STDIN_FILENO) == 1 && Terminal.isOutputTerminal && TerminalCapabilities.current.hasCursor
        // A script reads the screen from a pipe.
        if Terminal.isOutputTerminal { Translation.begin(on: .current) }
        // The position is delivered to this program, and this program is not an app of another user.
        let isForOther = user.uid.map { $0 != Int(getuid()) } ?? false
        let display: DashboardState.PositionDisplay =
            noPosition ? .declined : isForOther ? .ofOtherUser : isLive ? .shown : .printed
        let dashboard = TerminalDashboard(daemon, user, display, zone: utc ? .utc : .machine)
        if isLive { await daemon.authenticateForScreen() }
        if isLive { try await dashboard.run() } else { try await dashboard.printOnce(columns: 80) }
    }
}
