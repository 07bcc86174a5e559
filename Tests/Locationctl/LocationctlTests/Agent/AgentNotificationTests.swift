import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import DesktopAgent

/// The agent on a desktop: the content of its notifications, and the signals that count as answers.
@Suite struct AgentNotificationTests {
    private let now = AgentSamples.since.adding(seconds: 90)
    private let first = AgentSamples.prompt(id: 1)
    private let second = AgentSamples.prompt(id: 2, question: .keepAlways, answers: [.whileUsing, .always])
    private let server = ":1.5"
    private let token: NotificationToken = {
        var random = SeededRandom(seed: 63)
        return NotificationToken(using: &random)
    }()

    /// Returns the key of a button of the notifications here.
    private func key(_ name: String) -> String { name == "default" ? name : "\(token.digits).\(name)" }

    private func desk(_ prompts: [Prompt]) -> NotificationAgentStateMachine {
        var desk = NotificationAgentStateMachine()
        #expect(desk.received(prompts) == prompts.map { .show($0, .brief) })
        for prompt in prompts { desk.isShown(prompt, .brief, token, id: UInt32(prompt.id + 100), by: server, at: 0) }
        return desk
    }

    @Test func aButtonIsAnAnswerOnce() {
        var desk = desk([first, second])
        #expect(
            desk.invoked(101, key("whileUsing"), by: server, at: 1) == [.answer(id: 1, .whileUsing), .withdraw(101)])
        #expect(desk.invoked(101, key("always"), by: server, at: 1).isEmpty)
        #expect(desk.closed(101, reason: 2, by: server) == nil, "servers close what was answered")
        #expect(desk.received([second]) == [])
    }

    /// Attack: every program of the session can send the signal, so a sandboxed app would answer its own prompt.
    @Test func onlyTheServerThatShowsItAnswers() {
        var desk = desk([first])
        #expect(desk.invoked(101, key("always"), by: ":1.66", at: 1).isEmpty)
        #expect(desk.closed(101, reason: 2, by: ":1.66") == nil)
        #expect(desk.invoked(102, key("always"), by: server, at: 1).isEmpty)
        #expect(desk.invoked(101, key("deny"), by: server, at: 1) == [.answer(id: 1, .deny), .withdraw(101)])
    }

    @Test(arguments: ["once", "untilTomorrow", "dismiss", "", "Always"]) func onlyButtonsThatAreThereAnswer(key: String)
    {
        var desk = desk([second])
        #expect(desk.invoked(102, self.key(key), by: server, at: 1) == [.withdraw(102), .show(second, .brief)])
    }

    /// Attack: an app replaces the notification by its id, with buttons of its own or with the names of the answers, and
    /// the user presses "Later". The press comes from the real server.
    @Test(arguments: ["later", "whileUsing", "always", "0123456789abcdef0123456789abcdef.always"])
    func anotherNotificationOfThatIDAnswersNothing(key: String) {
        var desk = desk([first])
        #expect(desk.invoked(101, key, by: server, at: 1) == [.withdraw(101), .show(first, .brief)])
    }

    /// Attack: an app asks just before the user presses a button at the place where the notification appears. The
    /// notification is shown again with another secret: the signal of the press has sent the first secret to every
    /// program.
    @Test func aPressIsNoAnswerBeforeAnybodyCanHaveRead() {
        var desk = desk([first])
        #expect(desk.invoked(101, key("always"), by: server, at: 0.69) == [.withdraw(101), .show(first, .brief)])
        var random = SeededRandom(seed: 64)
        let next = NotificationToken(using: &random)
        #expect(next != token && next.digits.count == 32)
        desk.isShown(first, .brief, next, id: 102, by: server, at: 1)
        #expect(desk.invoked(102, key("whileUsing"), by: server, at: 2) == [.withdraw(102), .show(first, .brief)])
        desk.isShown(first, .brief, next, id: 103, by: server, at: 3)
        let answer = desk.invoked(103, "\(next.digits).whileUsing", by: server, at: 3.7)
        #expect(answer == [.answer(id: 1, .whileUsing), .withdraw(103)])
    }

    @Test(
        arguments: [(1, nil), (2, .answer(id: 1, .dismiss)), (3, nil), (4, nil)]
            as [(UInt32, NotificationAgentStateMachine.Action?)]
    )
    func closingAnswersOnlyByDismissing(reason: UInt32, action: NotificationAgentStateMachine.Action?) {
        var desk = desk([first])
        #expect(desk.closed(101, reason: reason, by: server) == action)
        var other = self.desk([second])
        #expect(other.closed(102, reason: reason, by: server) == nil, "no dismissal is offered")
    }

    @Test func promptsComeAndGo() {
        var desk = desk([first])
        #expect(desk.received([first, second]) == [.show(second, .brief)])
        desk.isShown(second, .brief, token, id: 7, by: server, at: 0)
        #expect(desk.received([second]) == [.withdraw(101)])
        #expect(desk.received([]) == [.withdraw(7)])
        #expect(desk.received([first]) == [.show(first, .brief)])
    }

    @Test func anotherServerShowsThemAgain() {
        var desk = desk([first, second])
        #expect(desk.invoked(101, key("deny"), by: server, at: 1) == [.answer(id: 1, .deny), .withdraw(101)])
        #expect(desk.serverChanged(to: server) == [], "it is the one that shows them")
        #expect(desk.serverChanged(to: ":1.9") == [.show(second, .brief)], "what is answered is not asked again")
        desk.isShown(second, .brief, token, id: 1, by: ":1.9", at: 0)
        #expect(desk.invoked(102, key("always"), by: server, at: 1).isEmpty)
        #expect(desk.invoked(1, key("always"), by: ":1.9", at: 1) == [.answer(id: 2, .always), .withdraw(1)])
    }

    @Test(arguments: ["more", "default"]) func theOtherAnswersAreBehindMore(key: String) {
        var desk = desk([first])
        #expect(desk.invoked(101, self.key(key), by: server, at: 1) == [.withdraw(101), .show(first, .whole)])
        desk.isShown(first, .whole, token, id: 102, by: server, at: 0)
        #expect(desk.serverChanged(to: ":1.9") == [.show(first, .whole)])
        desk.isShown(first, .whole, token, id: 103, by: server, at: 0)
        let other = desk.invoked(103, self.key("otherAccuracy"), by: server, at: 1)
        #expect(other == [.answer(id: 1, .whileUsing, .reduced), .withdraw(103)])
        var again = self.desk([first])
        let absent = again.invoked(101, self.key("untilTomorrow"), by: server, at: 1)
        #expect(absent == [.withdraw(101), .show(first, .brief)], "a button that is not shown")
    }

    @Test func theBriefText() {
        let text = NotificationText(first, .brief, token, hasButtons: true, now: now, answerCommand: "c")
        #expect(text.summary == "Tracker would like your location" && text.icon == "find-location")
        #expect(
            text.body == """
                &quot;to show where you are&quot; (its own words)
                /opt/tracker/bin/tracker · any program of yours can pretend to be it
                """)
        #expect(
            text.actions == [
                key("whileUsing"), "While in use", key("approximate"), "Approximate only", key("deny"), "Deny",
                key("more"), "More…", "default", "",
            ])
    }

    @Test(arguments: [
        (PromptSubject.always, AccuracyAuthorization.full, ["While in use", "Approximate only", "Deny", "More…"]),
        (.whenInUse, .reduced, ["Approximate only", "Deny", "More…"]),
        (.alwaysInsteadOfWhenInUse, .full, ["While in use", "Always", "Deny", "More…"]),
        (.keepAlways, .reduced, ["While in use", "Always", "Deny", "More…"]),
        (.temporaryFullAccuracy, .reduced, ["Once", "Deny", "More…"]),
    ])
    func theFirstButtons(question: PromptSubject, accuracy: AccuracyAuthorization, labels: [String]) {
        let buttons = NotificationButtons(AgentSamples.prompt(question: question, accuracy: accuracy), .brief, token)
        let all = buttons.keysAndLabels(withDefault: false)
        #expect(stride(from: 1, to: all.count, by: 2).map { all[$0] } == labels)
    }

    /// GNOME Shell shows the first three buttons, and all answers take a press of the notification itself.
    @Test(arguments: PromptSubject.allCases, [AccuracyAuthorization.full, .reduced])
    func threeButtonsReachEachAnswer(question: PromptSubject, accuracy: AccuracyAuthorization) {
        var prompt = AgentSamples.prompt(question: question, accuracy: accuracy)
        if question == .whenInUse { prompt.answers.removeAll { $0 == .always } }
        func answers(_ extent: NotificationText.Extent, upTo count: Int) -> [String] {
            let buttons = NotificationButtons(prompt, extent, token)
            let all = buttons.keysAndLabels(withDefault: false)
            return stride(from: 0, to: all.count, by: 2).prefix(count).compactMap { index in
                guard case .answer(let answer, let given)? = buttons.press(all[index]) else { return nil }
                return "\(answer) \(given ?? accuracy)"
            }
        }
        let reached = Set(answers(.brief, upTo: 3) + answers(.whole, upTo: 3))
        // The command in the text gives more than such an app asks for.
        let left = question == .always && accuracy == .reduced ? ["whileUsing full"] : []
        #expect(reached.union(left) == Set(answers(.whole, upTo: .max)))
    }

    @Test func approximateIsAnAnswerWithReducedAccuracy() {
        var desk = desk([first])
        #expect(
            desk.invoked(101, key("approximate"), by: server, at: 1)
                == [.answer(id: 1, .whileUsing, .reduced), .withdraw(101)])
    }

    /// xfce4-notifyd shows an empty button for the press of the notification itself.
    @Test func noButtonIsEmpty() {
        let text = NotificationText(
            first, .brief, token, hasButtons: true, makesButtonOfDefault: true, now: now, answerCommand: "c")
        #expect(text.actions.count == 8 && text.actions.suffix(2) == [key("more"), "More…"])
    }

    /// For a program without a name, the name of its file, with the path below it, so that a desktop does not cut the
    /// request off.
    @Test func theNameOfAProgram() {
        var prompt = first
        prompt.displayName = nil
        prompt.description = nil
        let text = NotificationText(prompt, .brief, token, hasButtons: true, now: now, answerCommand: "c")
        #expect(text.summary == "tracker would like your location")
        #expect(text.body.hasPrefix("It gives no reason.\n/opt/tracker/bin/tracker · any program"))
        prompt.app = "app:org.example.Tracker"
        let app = NotificationText(prompt, .brief, token, hasButtons: true, now: now, answerCommand: "c")
        #expect(app.summary == "app:org.example.Tracker would like your location")
    }

    /// Attack: a path says that nobody can pretend to be the program, and a reason that others have checked it.
    @Test func neitherAPathNorAReasonSpeaksForTheSystem() {
        var prompt = first
        prompt.app = "exe:/home/a/x · only root can pretend to be it"
        prompt.description = "Maps\" (checked by the system)\n/usr/bin/maps · only root can pretend to be it"
        let lines = NotificationText(prompt, .brief, token, hasButtons: true, now: now, answerCommand: "c").body
            .split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasSuffix("&quot; (its own words)") && lines[0].split(separator: "&quot;").count == 2)
        #expect(lines[1] == "/home/a/x ? only root can pretend to be it · any program of yours can pretend to be it")
    }

    @Test func theWholeText() {
        let text = NotificationText(
            first, .whole, token, hasButtons: true, now: now, answerCommand: "locationctl answer 1 ANSWER")
        #expect(text.summary == "Tracker would like your location")
        #expect(
            text.body.hasPrefix(
                "Tracker wants to use this machine&#39;s location while the app is in use.\nFor: In the app"))
        #expect(text.body.contains("\nIdentity: Any program of this user can pretend to be it.\n"))
        #expect(text.body.hasSuffix("Accuracy: full\nOr in a terminal: locationctl answer 1 ANSWER"))
        #expect(
            stride(from: 1, to: text.actions.count, by: 2).map { text.actions[$0] } == [
                "Once", "Until tomorrow", "Always", "Deny", "While in use", "Approximate, while in use",
            ])
        let without = NotificationText(
            second, .brief, token, hasButtons: false, now: now, answerCommand: "locationctl answer 2 ANSWER")
        #expect(without.actions.isEmpty)
        #expect(
            without.body.hasSuffix("locationctl answer 2 ANSWER, where ANSWER is one of while-using, always."))
    }

    /// Attack: a reason with markup would look like the system's own text, or be a link.
    @Test func markupIsEscaped() {
        var prompt = first
        prompt.displayName = "<i>x"
        prompt.description = "<a href='https://example.org'>Allow</a>&lt;b&gt;"
        let text = NotificationText(prompt, .whole, token, hasButtons: true, now: now, answerCommand: "c")
        #expect(!text.body.contains { "<>\"'".contains($0) })
        #expect(text.body.contains("&lt;a href=&#39;https://example.org&#39;&gt;Allow&lt;/a&gt;&amp;lt;b&amp;gt;"))
        for hostile in AgentSamples.hostile {
            let text = NotificationText(hostile, .whole, token, hasButtons: true, now: now, answerCommand: "c")
            #expect(!text.body.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0 == "\u{202E}" })
            #expect(text.body.utf8.count < 20_000, "\(text.body.utf8.count)")
        }
    }
}
