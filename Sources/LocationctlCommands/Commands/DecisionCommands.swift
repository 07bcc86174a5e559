internal import ArgumentParser
internal import Glibc
internal import LocationModel
internal import LocationProtocol

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
    @Flag(name: .customLong("self"), help: "Allow locationctl itself, for its commands watch, get and region.")
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
        let lifetime: GrantLifetime =
            switch duration {
            case .whenInUse, .always: .permanent
            case .once: .once
            case .untilTomorrow: .untilTomorrow
            }
        let named = try await daemon.app(named: DaemonConnection.identity(app), of: user, for: .decision)
        let parameters = Grant.Parameters(
            app: named.app.identity, uid: user.resolved, level: duration == .always ? .always : .whenInUse,
            lifetime: lifetime, accuracy: reduced ? .reduced : .full)
        let reply = try await daemon.call(Grant.self, parameters)
        try output.write(reply.app) { DecisionText.sentence(reply.app, typed: named.app.typed) }
        named.app.writeRemark()
        if reply.app.app.hasPrefix("service:"), duration != .always {
            Terminal.writeError(
                "A system service is never in use: where logind runs, it gets the location with --always only.\n")
        }
    }
}

struct DenyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Denies an app the location, whether or not it has requested it.")

    @OptionGroup var decision: DecisionArguments
    @ParentCommand var parent: Locationctl

    func run() async throws { try await decision.run(Deny.self, for: .decision, parent.target) }
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

    func run() async throws { try await decision.run(Revoke.self, for: .kept, parent.target) }
}

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Forgets the decision about an app: its next request prompts again.",
        discussion: "What the app has registered and what is kept for it is deleted, as by revoke.")

    @OptionGroup var decision: DecisionArguments
    @ParentCommand var parent: Locationctl

    func run() async throws { try await decision.run(Reset.self, for: .kept, parent.target) }
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

    func run<M: DaemonMethod>(_ method: M.Type, for purpose: NamedApp.Purpose, _ parent: Target) async throws
    where M.Parameters == AppScope, M.Reply == Grant.Reply {
        let daemon = DaemonConnection(target, parent)
        let named = try await daemon.app(named: DaemonConnection.identity(app), of: user, for: purpose)
        let scope = AppScope(app: named.app.identity, uid: user.resolved)
        let reply = try await daemon.call(method, scope)
        try output.write(reply.app) {
            DecisionText.sentence(reply.app, typed: named.app.typed, wasKnown: named.isKnown)
        }
        named.app.writeRemark()
    }
}

/// A decision in words.
enum DecisionText {
    /// - Parameters:
    ///   - typed: The name that the user has typed, if it is another one for the same program.
    ///   - wasKnown: `false` if there was no decision about the app, and it was not connected.
    static func sentence(_ app: AppSummary, typed: String? = nil, wasKnown: Bool = true) -> String {
        let name = Terminal.printable(app.app + user(app) + (typed.map { ", which \($0) is," } ?? ""))
        let isOff = app.decision != nil
        return switch app.decided {
        case .notDetermined where !wasKnown: "Nothing was decided about \(name): its next request prompts.\n"
        case .notDetermined: "The decision about \(name) was forgotten: its next request prompts again.\n"
        case .restricted: "\(name) is restricted: the administrator's configuration forbids it the location.\n"
        case .denied: "\(name) is denied the location.\n"
        case .authorizedWhenInUse, .authorizedAlways:
            "\(name) may have the location: \(access(app))\(isOff ? ", once location services are on" : "").\n"
        }
    }

    /// Returns the user whom a decision is about, unless that is plainly the caller.
    private static func user(_ app: AppSummary) -> String {
        let uid = UInt32(clamping: app.uid)
        return uid == getuid() && uid != 0 ? "" : " (user \(UserFacts.name(ofUser: uid)))"
    }

    /// Returns a decision as users call it.
    static func words(_ status: AuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "not decided"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorizedWhenInUse: "when in use"
        case .authorizedAlways: "always"
        }
    }

    /// Returns what was decided, and whether it has no effect at present.
    static func level(_ app: AppSummary) -> String { access(app) + (app.decision == nil ? "" : " (services off)") }

    /// Returns the same in few words: `in use, full`, or `in use, full (off)` while it has no effect.
    static func brief(_ app: AppSummary) -> String {
        if app.requested != nil, app.decided == .notDetermined { return "asks you" }
        guard app.decided.isAuthorized else { return access(app) }
        let level =
            switch app.lifetime {
            case .once: "once"
            case .untilTomorrow: "today"
            case .permanent, nil: app.decided == .authorizedAlways ? "always" : "in use"
            }
        return level + (app.accuracy == .reduced && !app.temporarilyFull ? ", 5 km" : ", full")
            + (app.decision == nil ? "" : " (off)")
    }

    /// Returns the emphasis of a decision: what has no effect is dimmed.
    static func style(_ app: AppSummary) -> TextRow.Style {
        if app.requested != nil, app.decided == .notDetermined { return .warning }
        return app.decided.isAuthorized && app.decision == nil ? .plain : .hint
    }

    private static func access(_ app: AppSummary) -> String {
        let isFullForNow = app.temporarilyFull ? ", full accuracy for now" : ""
        let isReduced = app.accuracy == .reduced && app.decided.isAuthorized
        return words(app.decided) + (app.lifetime == .once ? ", once" : "")
            + (isFullForNow.isEmpty && isReduced ? ", reduced accuracy" : isFullForNow)
    }
}
