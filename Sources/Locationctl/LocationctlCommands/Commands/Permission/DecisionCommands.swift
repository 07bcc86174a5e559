internal import ArgumentParser
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

struct GrantCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Allows an app to have the location.",
        discussion: "By default the grant is --when-in-use, with full accuracy, until you change it.")

    enum Duration: String, EnumerableFlag {
        case whenInUse, always, once, untilTomorrow

        static func help(for value: Duration) -> ArgumentHelp? {
            switch value {
            case .whenInUse: "While the app is in use."
            case .always: "In the background too."
            case .once: "While in use, until its last connection has been closed for 10 s."
            case .untilTomorrow: "While in use, until local midnight."
            }
        }
    }

    @Argument(
        help: """
            As `locationctl apps` shows it: exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME or service:NAME. A link \
            stands for the program that it leads to.
            """)
    var app: String?
    @Flag(
        name: .customLong("self"),
        help: """
            Allow locationctl itself, for its commands watch, get and region. Its identity is printed first. It is \
            refused where that is shared with other programs, as in the terminal of a desktop.
            """)
    var isForItself = false
    @Flag var duration: Duration = .whenInUse
    @Flag(help: "Reduced accuracy: a cell of about 5 km, at most four times an hour.")
    var reduced = false
    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if (app == nil) != isForItself { throw ValidationError("name an app, or give --self") }
    }

    func run(with daemon: DaemonConnection) async throws {
        if isForItself { try announceItself(daemon) }
        let named = try await daemon.app(named: DaemonConnection.identity(app), of: user, for: .decision)
        let scope = AppScope(app: named.app.identity, uid: user.resolved)
        guard let granted = try await daemon.make(decision(about: scope)) else { return }
        try output.write(granted) { DecisionText.sentence(granted, typed: named.app.typed) }
        named.app.writeRemark()
        if granted.app.hasPrefix("service:"), duration != .always {
            Terminal.writeError(
                "A system service is never in use: where logind runs, it gets the location with --always only.\n")
        }
    }
}

extension GrantCommand {
    /// Returns the decision that the options express.
    func decision(about app: AppScope) -> UserDecision {
        let lifetime: GrantLifetime =
            switch duration {
            case .whenInUse, .always: .permanent
            case .once: .once
            case .untilTomorrow: .untilTomorrow
            }
        return .grant(app, duration == .always ? .always : .whenInUse, lifetime, reduced ? .reduced : .full)
    }

    /// Prints the identity that is about to be granted. Throws an error if other programs have it too.
    private func announceItself(_ daemon: DaemonConnection) throws {
        guard let own = OwnApp.current else { return }
        if own.isShared { throw Failure(.failed, own.refusal(daemon.command)) }
        Terminal.writeError("locationctl: granting \(Terminal.printable(own.identity)), which is this locationctl\n")
    }
}

struct DenyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Denies an app the location, whether or not it has requested it.")

    @OptionGroup var decision: DecisionArguments
    @ParentCommand var parent: Locationctl

    func run() async throws { try await decision.run(UserDecision.deny, for: .decision, parent.target) }
}

struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a grant: the app is denied the location from now on.",
        discussion: """
            The app's streams end before the next fix. What it has registered and what is kept for it is deleted: \
            regions, events, the sockets that start it.
            """)

    @OptionGroup var decision: DecisionArguments
    @ParentCommand var parent: Locationctl

    func run() async throws { try await decision.run(UserDecision.revoke, for: .kept, parent.target) }
}

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Forgets the decision about an app: its next request prompts again.",
        discussion: "What the app has registered and what is kept for it is deleted, as by revoke.")

    @OptionGroup var decision: DecisionArguments
    @ParentCommand var parent: Locationctl

    func run() async throws { try await decision.run(UserDecision.reset, for: .kept, parent.target) }
}

/// The arguments of deny, revoke and reset.
struct DecisionArguments: ParsableArguments {
    @Argument(help: "As `locationctl apps` shows it.")
    var app: String?
    @Flag(name: .customLong("self"), help: "The decision about locationctl itself.")
    var isForItself = false
    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target

    func validate() throws {
        if (app == nil) != isForItself { throw ValidationError("name an app, or give --self") }
    }

    func run(
        _ decision: (AppScope) -> UserDecision, for purpose: NamedApp.Purpose, _ parent: Target
    ) async throws {
        let daemon = DaemonConnection(target, parent)
        let named = try await daemon.app(named: DaemonConnection.identity(app), of: user, for: purpose)
        let scope = AppScope(app: named.app.identity, uid: user.resolved)
        guard let decided = try await daemon.make(decision(scope)) else { return }
        try output.write(decided) {
            DecisionText.sentence(decided, typed: named.app.typed, wasKnown: named.isKnown)
        }
        named.app.writeRemark()
    }
}
