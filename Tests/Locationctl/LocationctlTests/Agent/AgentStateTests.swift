import AuthorizationPolicy
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import TerminalScreens

/// The effect of keys on the agent in the terminal.
@Suite struct AgentStateTests {
    private let first = AgentSamples.prompt(id: 1)
    private let second = AgentSamples.prompt(id: 2, accuracy: .reduced)

    /// Returns a state that has shown these prompts for a long time.
    private func state(_ prompts: [Prompt]) -> AgentState {
        var state = AgentState()
        state.received(prompts, at: 0)
        return state
    }

    @Test func enterAloneGrantsNothing() {
        var state = state([first])
        #expect(state.pressed(.enter, at: 10) == nil)
        #expect(state.notice == "Choose an answer first, with Up, Down or its letter.")
        #expect(state.sending == nil)
    }

    @Test(
        arguments: [
            ([.down, .enter], .deny), ([.down, .down, .enter], .once), ([.up, .enter], .dismiss),
            ([.up, .down, .enter], .deny), ([.character("w")], .whileUsing), ([.character("u")], .untilTomorrow),
            ([.character("a")], .always), ([.character("d")], .deny), ([.character("o")], .once),
            ([.character("n")], .dismiss), ([.down, .character("n")], .dismiss),
            ([.escape, .character("n")], .dismiss),
            ([.character("A")], nil), ([.character("x")], nil), ([.escape], nil),
        ] as [([Key], PromptAnswer?)])
    func theAnswerOfKeys(keys: [Key], answer: PromptAnswer?) {
        var state = state([first])
        let actions = keys.compactMap { state.pressed($0, at: 10) }
        #expect(actions == answer.map { [.answer(id: 1, $0, $0.grants ? .full : nil)] } ?? [])
    }

    @Test func theLettersAreDifferent() {
        let letters = PromptAnswer.allCases.map(\.letter)
        #expect(Set(letters).count == letters.count && !letters.contains("r"))
    }

    @Test func onlyAnswersThatAreOfferedAreGiven() {
        var state = state([AgentSamples.prompt(question: .keepAlways, answers: [.whileUsing, .always])])
        for key in [Key.character("n"), .character("d"), .character("o")] {
            #expect(state.pressed(key, at: 10) == nil)
            #expect(state.notice == "That is not an answer to this prompt.")
        }
        #expect(state.pressed(.character("a"), at: 10) == .answer(id: 7, .always, .full))
    }

    @Test func theAccuracyBeginsAsTheQuestionSaysAndIsChanged() {
        var state = state([second])
        #expect(state.accuracy == .reduced)
        _ = state.pressed(.character("r"), at: 10)
        #expect(state.accuracy == .full)
        _ = state.pressed(.character("r"), at: 10)
        #expect(state.pressed(.character("w"), at: 10) == .answer(id: 2, .whileUsing, .reduced))
        var temporary = self.state([
            AgentSamples.prompt(question: .temporaryFullAccuracy, answers: [.deny, .once, .dismiss])
        ])
        _ = temporary.pressed(.character("r"), at: 10)
        #expect(temporary.pressed(.character("o"), at: 10) == .answer(id: 7, .once, nil))
    }

    // MARK: Prompts that come and go

    /// The user may have been about to press the key for another prompt, or for none.
    @Test func aNewPromptIgnoresKeys() {
        var state = AgentState()
        state.received([first], at: 5)
        #expect(state.pressed(.character("a"), at: 5.6) == nil)
        #expect(state.pressed(.interrupt, at: 5.1) == .end)
        #expect(state.pressed(.suspend, at: 5.1) == .suspend)
        #expect(state.pressed(.character("a"), at: 5.8) == .answer(id: 1, .always, .full))
        state.completed(.always, .full, failure: nil, at: 6)
        state.received([first, second], at: 6)
        #expect(state.current == second, "what was answered is not asked again")
        #expect(state.pressed(.character("a"), at: 6.5) == nil)
    }

    @Test func whatWasChosenForOneQuestionIsNotForTheNext() {
        var state = state([first, second])
        _ = state.pressed(.down, at: 10)
        _ = state.pressed(.down, at: 10)
        state.received([second], at: 10)
        #expect(state.current == second && state.selection == nil && state.accuracy == .reduced)
        #expect(state.notice == "Tracker: answered elsewhere, or withdrawn.")
        #expect(state.pressed(.enter, at: 20) == nil)
    }

    @Test func aQuestionThatTurnsIntoAnotherOneIsAnotherOne() {
        var state = state([first])
        _ = state.pressed(.up, at: 10)
        var wider = first
        wider.question = .always
        state.received([wider], at: 10)
        #expect(state.selection == nil)
        #expect(state.pressed(.character("w"), at: 10.2) == nil)
    }

    @Test func theOneThatIsReadStays() {
        var state = state([second])
        _ = state.pressed(.down, at: 10)
        state.received([first, second], at: 11)
        #expect(state.prompts == [second, first] && state.selection == 0 && state.notice == nil)
    }

    @Test(arguments: [true, false]) func anAnswerThatWasTaken(listComesFirst: Bool) {
        var state = state([first, second])
        #expect(state.pressed(.character("o"), at: 10) == .answer(id: 1, .once, .full))
        #expect(state.pressed(.character("a"), at: 11) == nil, "one answer at a time")
        if listComesFirst { state.received([second], at: 12) }
        state.completed(.once, .full, failure: nil, at: 12)
        if !listComesFirst { state.received([second], at: 12) }
        #expect(state.current == second && state.sending == nil)
        #expect(state.notice == "Tracker: Allow once, until the app ends")
    }

    @Test func anAnswerThatWasNotTaken() {
        var state = state([first])
        _ = state.pressed(.character("w"), at: 10)
        state.completed(.whileUsing, .full, failure: "it is not open", at: 11)
        #expect(state.current == first && state.sending == nil && state.notice == "it is not open")
    }

    @Test func whatCannotBeReadIsNotAnswered() {
        var state = state([first])
        state.isReadable = false
        #expect(state.pressed(.character("a"), at: 10) == nil)
        #expect(state.pressed(.down, at: 10) == nil && state.selection == nil)
        #expect(state.pressed(.character("n"), at: 10) == .answer(id: 1, .dismiss, nil))
    }

    @Test func theDaemonGoesAndComesBack() {
        var state = state([first])
        _ = state.pressed(.down, at: 10)
        state.lost()
        #expect(state.current == nil && !state.isConnected)
        #expect(state.pressed(.enter, at: 11) == nil)
        state.received([first], at: 12)
        #expect(state.isConnected && state.selection == nil)
        #expect(state.pressed(.character("w"), at: 12.1) == nil)
    }

    // MARK: Keys

    @Test(
        arguments: [
            ("a", [.character("a")]), ("\r", [.enter]), ("\n", [.enter]), ("\u{3}", [.interrupt]),
            ("\u{1A}", [.suspend]), ("\u{1B}", [.escape]), ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]),
            ("\u{1B}OA", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[C", []), ("\u{1B}[1;5A", []), ("\u{1B}[3~", []),
            ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.home, .end, .home, .end]),
            ("\u{7F}\u{8}", [.backspace, .backspace]),
            ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
            ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
            ("\u{1B}[<64;10;200M\u{1B}[<65;10;20M", [.wheelUp, .wheelDown]),
            // A click, its end, a wheel with a key, and a report in the first encoding, whose bytes look like letters.
            ("\u{1B}[<0;10;20M\u{1B}[<0;10;20m\u{1B}[<68;1;1M\u{1B}[Mya!w", [.character("w")]),
            ("\u{1B}a", []), ("\u{1B}[A\u{1B}[B\r", [.up, .down, .enter]), ("\u{1B}\u{1B}[A", [.up]),
            ("\u{1B}[200~always a\r\u{3}\u{1B}[201~w", [.interrupt, .character("w")]), ("ä", []),
            ("\u{1B}[" + String(repeating: "1", count: 5000) + "~d", [.character("d")]),
        ] as [(String, [Key])])
    func keysOfInput(input: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(input.utf8) == keys)
    }

    /// Over a slow connection, a sequence may arrive in parts. A lone ESC is the key itself, so its reader waits for
    /// more.
    @Test func aSequenceInParts() {
        var decoder = KeyDecoder()
        #expect(decoder.decode("\u{1B}[".utf8) == [])
        #expect(decoder.decode("A".utf8) == [.up])
        #expect(decoder.decode("\u{1B}O".utf8) == [])
        #expect(decoder.decode("B".utf8) == [.down])
        #expect(decoder.decode("\u{1B}[200~a".utf8) == [])
        #expect(decoder.decode("a".utf8) == [])
        #expect(decoder.decode("\u{1B}[201~a".utf8) == [.character("a")])
    }
}
