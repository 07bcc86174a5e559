import AuthorizationPolicy
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import TerminalScreens

/// The agent as lines of text.
@Suite struct AgentPlainTests {
    private let now = AgentSamples.since.adding(seconds: 90)
    private let first = AgentSamples.prompt(id: 1)
    private let second = AgentSamples.prompt(id: 2, accuracy: .reduced)

    @Test func aQuestionAsLines() {
        #expect(
            PlainAgentStateMachine.question(second, more: 1, now: now) == """

                1 more app waits for an answer.
                Tracker wants to use this machine's location while the app is in use.
                For: In the app's own words, which nobody has checked: "to show where you are"
                App: exe:/opt/tracker/bin/tracker
                Identity: Any program of this user can pretend to be it.
                User: alice (1000)
                Process: 4711
                Asked: 2026-06-01 12:00:00 UTC, 1 min ago
                1 or d or deny: Deny
                2 or o or once: Allow once, until the app ends
                3 or w or while-using: Allow while in use
                4 or u or until-tomorrow: Allow until tomorrow
                5 or a or always: Always allow, in background too
                6 or n or dismiss: No answer: the app may ask again
                Accuracy: reduced; add full or reduced after the answer to change it
                Answer:

                """)
    }

    @Test(
        arguments: [
            ("1", .deny, nil), ("d", .deny, nil), ("deny", .deny, nil), (" WHILE-USING  Full ", .whileUsing, .full),
            ("3", .whileUsing, .reduced), ("a full", .always, .full), ("once reduced", .once, .reduced),
            ("6", .dismiss, nil),
        ] as [(String, PromptAnswer, AccuracyAuthorization?)])
    func aLineThatIsAnAnswer(line: String, answer: PromptAnswer, accuracy: AccuracyAuthorization?) throws {
        let result = try PlainAgentStateMachine.answer(line, to: second).get()
        #expect(result.0 == answer && result.1 == accuracy)
    }

    @Test(
        arguments: [
            ("", "Answer with one of: deny, once"), ("7", "not an answer"), ("0", "not an answer"),
            ("-1", "not an answer"), ("yes", "not an answer"), ("always exact", "full or reduced"),
            ("deny full", "take an accuracy"), ("1 full", "take an accuracy"), ("a full now", "Answer with one of"),
        ])
    func aLineThatIsNotAnAnswer(line: String, refusal: String) {
        #expect(throws: PlainAgentStateMachine.Refusal.self) {
            try PlainAgentStateMachine.answer(line, to: first).get()
        }
        guard case .failure(let reason) = PlainAgentStateMachine.answer(line, to: first) else { return }
        #expect(reason.message.contains(refusal), "\(reason.message)")
    }

    @Test func oneQuestionAfterTheOther() {
        var dialogue = PlainAgentStateMachine()
        #expect(dialogue.received([], now: now) == [], "nothing is read while nothing is asked")
        #expect(
            dialogue.received([first, second], now: now)
                == [.print(PlainAgentStateMachine.question(first, more: 1, now: now)), .read])
        #expect(dialogue.line("nonsense", now: now).last == .read)
        #expect(dialogue.line("w", now: now) == [.answer(id: 1, .whileUsing, .full)])
        #expect(dialogue.received([second], now: now) == [], "not before the answer was taken")
        #expect(
            dialogue.completed(.whileUsing, .full, failure: nil, now: now) == [
                .print("Tracker: Allow while in use\n"),
                .print(PlainAgentStateMachine.question(second, more: 0, now: now)), .read,
            ])
        #expect(dialogue.line("d", now: now) == [.answer(id: 2, .deny, nil)])
        #expect(
            dialogue.completed(.deny, nil, failure: "not open", now: now) == [.print("not open\n"), .read])
    }

    /// A line that was typed for one prompt must not answer the next, which arrived in the meantime.
    @Test func aLineAnswersTheQuestionThatItWasBegunFor() {
        var dialogue = PlainAgentStateMachine()
        _ = dialogue.received([first], now: now)
        #expect(
            dialogue.received([second], now: now) == [
                .print("Tracker: answered elsewhere, or withdrawn.\n"),
                .print(PlainAgentStateMachine.question(second, more: 0, now: now)),
            ])
        let again = dialogue.line("always", now: now)
        #expect(again.first == .print("You began that line before this prompt appeared. Answer again.\n"))
        #expect(again.last == .read)
        #expect(dialogue.line("always", now: now) == [.answer(id: 2, .always, .reduced)])
    }

    @Test func theDaemonGoesAndComesBack() {
        var dialogue = PlainAgentStateMachine()
        _ = dialogue.received([first], now: now)
        #expect(dialogue.lost() == [.print("locationd is not running. Waiting for it to come back.\n")])
        #expect(dialogue.lost() == [], "once")
        #expect(dialogue.line("a", now: now) == [])
        let back = dialogue.received([first], now: now)
        #expect(back.first == .print("locationd is running again.\n") && back.last == .read)
    }
}
