import AuthorizationPolicy
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import TerminalScreens

/// The content of the agent's window, for different states and sizes.
@Suite struct AgentScreenTests {
    private static let now = AgentSamples.since.adding(seconds: 300)

    private func screen(_ prompts: [Prompt], columns: Int = 80, rows: Int = 24, keys: [Key] = []) -> AgentScreen {
        var state = AgentState()
        state.received(prompts, at: 0)
        for key in keys { _ = state.pressed(key, at: 10) }
        return AgentScreen(state, columns: columns, rows: rows, now: Self.now)
    }

    @Test func everythingThatTheUserNeedsToDecide() {
        let lines = screen([AgentSamples.prompt(), AgentSamples.prompt(id: 8)], keys: [.down, .down, .character("r")])
            .lines
        #expect(
            lines.map(\.text) == [
                "1 more app waits for an answer.",
                "Tracker wants to use this machine's location while the app is in use.",
                "",
                "For       In the app's own words, which nobody has checked: \"to show where you",
                "          are\"",
                "App       exe:/opt/tracker/bin/tracker",
                "Identity  Any program of this user can pretend to be it.",
                "User      alice (1000)",
                "Process   4711",
                "Asked     2026-06-01 12:00:00 UTC, 5 min ago",
                "",
                "  [d] Deny",
                "> [o] Allow once, until the app ends",
                "  [w] Allow while in use",
                "  [u] Allow until tomorrow",
                "  [a] Always allow, in background too",
                "  [n] No answer: the app may ask again",
                "  [r] Accuracy: reduced, to about 5 km",
                "",
                "Up, Down, Enter or a letter; Ctrl-C: quit",
            ])
        #expect(lines.filter { $0.pieces.first?.style == .selected }.count == 1)
        #expect(
            lines.filter { $0.pieces.first?.style == .warning }.count == 3,
            "the two lines of the reason, and the weak identity")
    }

    @Test func nothingIsSelectedAtFirst() {
        #expect(
            !screen([AgentSamples.prompt()]).lines.contains {
                $0.pieces.first?.style == .selected || $0.text.hasPrefix(">")
            })
    }

    @Test(
        arguments: [
            (PromptSubject.whenInUse, "Tracker wants to use this machine's location while the app is in use."),
            (.always, "Tracker wants to use this machine's location at any time, even in the background."),
            (
                .alwaysInsteadOfWhenInUse,
                "Tracker can use this machine's location while the app is in use. It also wants it in the background."
            ),
            (
                .keepAlways,
                "Tracker is not in use now, but would get this machine's location in the background. Allow that?"
            ),
            (
                .temporaryFullAccuracy,
                "Tracker gets this machine's location to about 5 km. It wants full accuracy for now."
            ),
        ])
    func whatIsAskedIsASentence(question: PromptSubject, sentence: String) {
        #expect(PromptText(AgentSamples.prompt(question: question)).question == sentence)
    }

    @Test func theAccuracyIsFixedInAPromptForFullAccuracy() {
        let prompt = AgentSamples.prompt(question: .temporaryFullAccuracy, answers: [.deny, .once, .dismiss])
        #expect(!screen([prompt]).lines.contains { $0.text.contains("Accuracy") })
        #expect(PromptText(prompt).accuracy(.once, chosen: .reduced) == nil)
    }

    @Test(
        arguments: [
            (AppIdentity.Strength.sandboxed, "In a sandbox: other sandboxed apps cannot pretend to be it."),
            (.service, "A system service: only root can pretend to be it."),
            (.advisory, "Any program of this user can pretend to be it."),
        ])
    func howMuchTheIdentityIsWorth(strength: AppIdentity.Strength, words: String) {
        var prompt = AgentSamples.prompt()
        prompt.strength = strength
        let detail = PromptText(prompt).details(now: Self.now).first { $0.label == "Identity" }
        #expect(detail?.value == words)
        #expect(detail?.isWarning == (strength == .advisory))
    }

    // MARK: Windows

    /// The worst texts that an app can send, in all sizes: nothing is wider than the window or below it, and no
    /// answer is accepted while the prompt or an answer is out of sight.
    @Test(arguments: [1, 39, 40, 41, 80, 200])
    func theWindowHoldsWhatItShows(columns: Int) async {
        for rows in [1, 5, 9, 16, 24, 60] {
            await Task.yield()
            for prompt in AgentSamples.hostile {
                let screen = screen([prompt], columns: columns, rows: rows)
                #expect(screen.lines.count <= rows)
                for line in screen.lines {
                    #expect(DisplayText.columns(line.text) < max(3, columns), "\(columns)x\(rows): \(line.text)")
                }
                let text = screen.lines.map(\.text)
                let shown = prompt.answers.filter { answer in text.contains { $0.contains("[\(answer.letter)] ") } }
                let why = text.contains { $0.hasPrefix("For ") }
                #expect(screen.isReadable == (shown == prompt.answers && why), "\(columns)x\(rows)")
            }
        }
    }

    @Test(arguments: [40, 80]) func aUsualWindowIsLargeEnough(columns: Int) {
        for prompt in AgentSamples.hostile { #expect(screen([prompt], columns: columns, rows: 24).isReadable) }
        #expect(!screen([AgentSamples.prompt()], columns: 40, rows: 9).isReadable)
    }

    @Test func aLongPathIsThereWholeUntilItTakesTooManyLines() {
        var prompt = AgentSamples.prompt()
        prompt.app = "exe:/" + String(repeating: "a", count: 200) + "/end"
        func identity(_ columns: Int) -> String {
            let lines = screen([prompt], columns: columns, rows: 60).lines.map(\.text)
            let first = lines.firstIndex { $0.hasPrefix("App ") }!
            let last = lines.firstIndex { $0.hasPrefix("Identity") }!
            return lines[first..<last].map { $0.dropFirst(10) }.joined()
        }
        #expect(identity(80) == prompt.app)
        #expect(identity(40).hasPrefix("exe:/aaa") && identity(40).hasSuffix("aaa/end"))
        #expect(identity(40).contains("…"))
    }

    @Test func whatIsShownWithoutAQuestion() {
        var state = AgentState()
        func text() -> String {
            AgentScreen(state, columns: 80, rows: 24, now: Self.now).lines.map(\.text).joined(separator: "\n")
        }
        #expect(text() == "locationd is not running. Waiting for it to come back.\n\nCtrl-C: quit")
        state.received([], at: 0)
        #expect(text() == "No app is waiting for an answer.\n\nCtrl-C: quit")
    }

    @Test func colourIsLeftOutWhereItIsNotWanted() {
        let line = TextRow("careful", .warning)
        #expect(line.drawn(TerminalCapabilities(hasColour: false)) == "careful")
        #expect(line.drawn(TerminalCapabilities()) == "\u{1B}[33mcareful\u{1B}[0m")
    }
}
