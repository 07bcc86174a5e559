import ArgumentParser
import AuthorizationPolicy
import LocationModel
import LocationProtocol
import TestSupport

@testable import DesktopAgent
@testable import LocationctlCommands
@testable import LocationctlSupport
@testable import TerminalScreens

/// A control of a surface: a key, a click, an option or an answer.
struct Control: Sendable {
    /// The surface, as docs/decisions.md names it.
    let surface: String
    /// The words on it.
    let words: String
    let promise: Promise
    /// Returns the call that the surface makes, or `nil` if it lacks the control: a notification has no room for each
    /// answer with each accuracy, and a prompt for full accuracy offers no choice of accuracy.
    let press: @Sendable (Look) throws -> UserDecision?

    /// Returns whether a surface shows the control to the user of an app in that state.
    func isOffered(in state: StartingState) -> Bool {
        switch promise {
        case .answers(let answer, let accuracy):
            // A prompt for full accuracy offers no choice of accuracy.
            if accuracy == .reduced, state.prompt == .temporaryFullAccuracy { return false }
            return state.prompt.map { PromptAnswer.answers(to: $0).contains(answer) } ?? false
        case .takesAway: return state.decided.grants || surface == Surface.commands
        case .denies: return state.decided.decision == nil
        case .reduces:
            return state.decided.grants
                && (state.decided.decision?.accuracy == .full || state.decided.isTemporarilyFull)
        case .switchesAccuracy: return state.decided.grants
        case .keepsWhileInUse: return state.decided.grants && state.decided.decision?.level != .whenInUse
        case .allows, .grants, .forbids, .forgets: return true
        }
    }

    /// A Boolean value indicating whether the control is an accuracy beside an answer, which not every prompt has.
    var mayBeMissing: Bool { if case .answers(_, .reduced) = promise { true } else { false } }

    static let all: [Control] =
        Surface.dashboardControls + Surface.trayControls + Surface.commandControls + Surface.promptControls
}

extension PromptAnswer {
    /// The answers that a prompt offers.
    static func answers(to question: PromptSubject) -> [PromptAnswer] {
        switch question {
        case .whenInUse: [.deny, .once, .whileUsing, .untilTomorrow, .dismiss]
        case .always: [.deny, .once, .whileUsing, .untilTomorrow, .always, .dismiss]
        case .alwaysInsteadOfWhenInUse, .keepAlways: [.whileUsing, .always, .dismiss]
        case .temporaryFullAccuracy: [.deny, .once, .dismiss]
        }
    }
}

/// The screen or command line that the user looks at.
struct Look: Sendable {
    let summary: AppSummary?
    let prompt: Prompt?
    let key: AppKey
}

/// The surfaces, each driven as its user drives it.
enum Surface {
    static let dashboard = "dashboard"
    static let tray = "tray"
    static let commands = "command line"

    // MARK: Dashboard

    private static func dashboard(_ look: Look, _ keys: String) -> [DashboardRequest] {
        var state = DashboardState(positionDisplay: .declined)
        for event in [
            .connected, .apps([look.summary].compactMap(\.self)), .sessions([]), .log([]),
            .uses([
                IndicatorEntry(
                    key: look.key, active: true, background: false, accuracy: .full,
                    lastUse: Timestamp(millisecondsSince1970: 0))
            ]),
            .prompts([look.prompt].compactMap(\.self)),
        ] as [DashboardEvent] {
            _ = state.received(event, at: 0)
        }
        state.selection = look.key
        return keys.enumerated().flatMap { state.pressed(.character($1), at: Double($0 + 1)) }
    }

    private static func inDashboard(_ keys: String, _ words: String, _ promise: Promise) -> Control {
        Control(surface: dashboard, words: words, promise: promise) { look in
            guard case .decide(let decision, _)? = dashboard(look, keys).last else { return nil }
            return decision
        }
    }

    static let dashboardControls = [
        inDashboard("xy", "x, Yes, take it away", .takesAway), inDashboard("xy", "x, Yes, take it away", .denies),
        inDashboard("ry", "r, Yes, to a cell of about 5 km", .reduces),
        inDashboard("aw", "a, Allow while in use", .allows(.whenInUse, .permanent, isOther: false)),
        inDashboard("aru", "a, Allow while in use, until tomorrow", .allows(.whenInUse, .untilTomorrow, isOther: true)),
        inDashboard("aa", "a, Always allow, in background too", .allows(.always, .permanent, isOther: false)),
    ]

    // MARK: Tray

    private static func inTray(
        _ words: String, _ promise: Promise, _ key: @escaping @Sendable (AppKey) -> TrayMenu.Key
    ) -> Control {
        Control(surface: tray, words: words, promise: promise) { look in
            var machine = TrayStateMachine(isAdministrator: true)
            _ = machine.watcherChanged(to: ":1.1")
            let use = IndicatorEntry(
                key: look.key, active: true, background: false, accuracy: .full,
                lastUse: Timestamp(millisecondsSince1970: 0))
            _ = machine.received([use], at: 0)
            let summaries = [look.summary].compactMap(\.self)
            _ = machine.read(summaries, GetServices.Reply(machine: true, user: true), at: 0)
            guard let number = (0...100).first(where: { machine.menu.item($0)?.key == key(look.key) }),
                case .decide(let decision)? = machine.event(number, "clicked", at: 1)?.first
            else { return nil }
            return decision
        }
    }

    static let trayControls = [
        inTray("Approximate only", .switchesAccuracy) { .approximate($0) },
        inTray("Only while in use", .keepsWhileInUse) { .whileInUse($0) },
        inTray("Revoke", .takesAway) { .revoke($0) },
    ]

    // MARK: Command line

    private static func scope(_ look: Look) -> AppScope {
        AppScope(app: look.key.app.description, uid: Int(look.key.uid))
    }

    private static func grant(_ options: String...) -> @Sendable (Look) throws -> UserDecision? {
        { look in
            let command = try Locationctl.parseAsRoot(["grant", look.key.app.description] + options)
            return (command as? GrantCommand)?.decision(about: scope(look))
        }
    }

    static let commandControls = [
        Control(
            surface: commands, words: "grant", promise: .grants(.whenInUse, .permanent, .full), press: grant()),
        Control(
            surface: commands, words: "grant --always --reduced", promise: .grants(.always, .permanent, .reduced),
            press: grant("--always", "--reduced")),
        Control(
            surface: commands, words: "grant --once", promise: .grants(.whenInUse, .once, .full),
            press: grant("--once")),
        Control(
            surface: commands, words: "grant --until-tomorrow", promise: .grants(.whenInUse, .untilTomorrow, .full),
            press: grant("--until-tomorrow")),
        Control(surface: commands, words: "deny", promise: .forbids) { .deny(scope($0)) },
        Control(surface: commands, words: "revoke", promise: .takesAway) { .revoke(scope($0)) },
        Control(surface: commands, words: "reset", promise: .forgets) { .reset(scope($0)) },
    ]

    // MARK: Prompts

    private static func answers(
        _ surface: String,
        _ press: @escaping @Sendable (Prompt, PromptAnswer, AccuracyAuthorization?) throws -> UserDecision?
    ) -> [Control] {
        PromptAnswer.allCases.flatMap { answer in
            (answer.grants ? [nil, .reduced] : [nil] as [AccuracyAuthorization?]).map { accuracy in
                Control(
                    surface: surface, words: answer.spelling + (accuracy == .reduced ? ", reduced" : ""),
                    promise: .answers(answer, accuracy)
                ) { look in
                    try look.prompt.flatMap { try press($0, answer, accuracy) }
                }
            }
        }
    }

    static let promptControls =
        answers("prompt in the dashboard") { prompt, answer, accuracy in
            let look = Look(summary: nil, prompt: prompt, key: AppKey(uid: 0, app: Cell.app))
            var keys = "p"
            if accuracy == .reduced, prompt.accuracy == .full { keys += "r" }
            guard case .answer(let id, let answer, let accuracy)? = dashboard(look, keys + [answer.letter]).last else {
                return nil
            }
            return .answer(id: id, answer, accuracy)
        }
        + answers("prompt in a terminal") { prompt, answer, accuracy in
            var state = AgentState()
            state.received([prompt], at: 0)
            if accuracy == .reduced, prompt.accuracy == .full { _ = state.pressed(.character("r"), at: 1) }
            guard case .answer(let id, let answer, let accuracy)? = state.pressed(.character(answer.letter), at: 2)
            else { return nil }
            return .answer(id: id, answer, accuracy)
        }
        + answers("prompt in lines") { prompt, answer, accuracy in
            let now = Timestamp(millisecondsSince1970: 0)
            var dialogue = PlainAgentStateMachine()
            _ = dialogue.received([prompt], now: now)
            let line = answer.spelling + (accuracy.map { " \($0.rawValue)" } ?? "")
            for case .answer(let id, let answer, let accuracy) in dialogue.line(line, now: now) {
                return .answer(id: id, answer, accuracy)
            }
            return nil
        }
        + answers("notification") { prompt, answer, accuracy in
            var desk = NotificationAgentStateMachine()
            _ = desk.received([prompt])
            var random = SeededRandom(seed: 1)
            let token = NotificationToken(using: &random)
            desk.isShown(prompt, .whole, token, id: 7, by: ":1.2", at: 0)
            if answer == .dismiss {
                guard case .answer(let id, let answer, let accuracy)? = desk.closed(7, reason: 2, by: ":1.2") else {
                    return nil
                }
                return .answer(id: id, answer, accuracy)
            }
            let buttons = NotificationButtons(prompt, .whole, token)
            let isOther = accuracy == .reduced && prompt.accuracy == .full
            let wanted = accuracy == .reduced ? AccuracyAuthorization.reduced : nil
            guard
                let key = buttons.keysAndLabels(withDefault: true).first(where: { key in
                    guard case .answer(answer, let accuracy)? = buttons.press(key) else { return false }
                    return isOther ? accuracy == wanted : accuracy == nil
                })
            else { return nil }
            for case .answer(let id, let answer, let accuracy) in desk.invoked(7, key, by: ":1.2", at: 1) {
                return .answer(id: id, answer, accuracy)
            }
            return nil
        }
        + answers("answer") { prompt, answer, accuracy in
            let options = accuracy.map { ["--\($0.rawValue)"] } ?? []
            let command = try Locationctl.parseAsRoot(["answer", "\(prompt.id)", answer.spelling] + options)
            return (command as? AnswerCommand)?.decision
        }
}
