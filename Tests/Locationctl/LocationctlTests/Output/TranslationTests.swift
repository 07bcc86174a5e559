import Testing

@testable import LocationctlSupport

/// The places of translated sentences, and the values in them.
@Suite struct TranslationTests {
    @Test func aTextThatIsNotTranslatedIsEnglish() {
        #expect(translated("{app}: {answer}", ["app": "Maps", "answer": "Deny"]) == "Maps: Deny")
        let apps = { translated("{count} more app", plural: "{count} more apps", count: $0) }
        #expect([0, 1, 2].map(apps) == ["0 more apps", "1 more app", "2 more apps"])
    }

    /// Attack: an app has a name with a place, or with the syntax of another formatter.
    @Test(arguments: ["{user}", "{app}", "}{", "{", "%s%n%1$@", "\\(user)", "{app", ""])
    func aValueIsNotASentence(name: String) {
        let text = Translation.fill("{app} is an app of {user}.", [("app", name), ("user", "alice")])
        #expect(text == "\(name) is an app of alice.")
    }

    /// A prompt that does not name its app must not be shown.
    @Test(arguments: ["wants the location", "{user} wants the location", "{app} wants {more}", "{app} and {app}{more}"])
    func aSentenceWithOtherPlacesIsRefused(sentence: String) {
        #expect(Translation.fill(sentence, [("app", "Maps")]) == nil)
    }

    @Test func placesInAnyOrder() {
        #expect(Translation.fill("{b} {a} {b}", [("a", "1"), ("b", "2")]) == "2 1 2")
        #expect(Translation.fill("one app of {user}", [("user", "alice"), ("count", "1")]) == "one app of alice")
        #expect(Translation.fill("a } b {", []) == "a } b {")
    }

    /// A path or a Latin name would reorder the words beside it.
    @Test func aRightToLeftSentenceIsolatesItsValues() {
        let name = DisplayText.shown("خرائط")
        #expect(Translation.fill("{app} يريد موقعك", [("app", "Maps")]) == "\u{2068}Maps\u{2069} يريد موقعك")
        #expect(Translation.fill("{app} يريد موقعك", [("app", name)]) == "\u{2068}خرائط\u{2069} يريد موقعك")
        #expect(Translation.fill("{app} möchte Ihren Standort", [("app", name)]) == "\(name) möchte Ihren Standort")
    }

    /// The lines of a window are cut and broken without leaving an isolate open.
    @Test func isolatesAreClosedOnEachLine() {
        let text = Translation.fill("{app} يريد موقعك", [("app", "exe:/opt/a/very/long/path/of/a/program")])!
        for line in DisplayText.wrapped(text, columns: 12) + [DisplayText.shortened(text, columns: 12)] {
            #expect(line.count { $0 == "\u{2068}" } == line.count { $0 == "\u{2069}" }, "\(line)")
            #expect(DisplayText.columns(line) <= 12)
        }
    }

    /// Attack: a device's name in a finding of the doctor reorders the rest of the line.
    @Test func onlyIsolatesStayInARightToLeftText() {
        let text = "\u{2068}exe\u{2069} يريد \u{202E}x\u{1B}"
        #expect(DisplayText.printable(text) == "\u{2068}exe\u{2069} يريد \u{FFFD}x\u{FFFD}")
        #expect(DisplayText.printable("\u{2069}\u{2068}خرائط") == "\u{2068}خرائط\u{2069}")
    }

    @Test func anErrorHasNoIsolates() {
        #expect(Failure(.failed, "\u{2068}Maps\u{2069} \u{202E}x").message == "Maps \u{FFFD}x")
    }
}
