import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport

/// Names and reasons that apps supply, and what these must not do to a terminal or a sentence.
@Suite struct AgentTextTests {
    @Test(
        arguments: [
            ("plain", "plain"), ("a\u{1B}[31mb", "a\u{FFFD}[31mb"), ("a\nb\tc", "a b c"),
            ("a\u{202E}b", "a\u{FFFD}b"), ("a\u{2066}b\u{2069}", "a\u{FFFD}b\u{FFFD}"), ("a\u{200B}b", "a\u{FFFD}b"),
            ("\u{9B}2J", "\u{FFFD}2J"), ("מפות", "\u{2068}מפות\u{2069}"), ("a خريطة", "\u{2068}a خريطة\u{2069}"),
            ("\u{2069}מפות", "\u{2068}\u{FFFD}מפות\u{2069}"), ("地図", "地図"),
            ("e" + String(repeating: "\u{301}", count: 50), "e\u{301}\u{301}\u{301}\u{301}"),
        ])
    func whatIsShown(text: String, shown: String) {
        #expect(Array(DisplayText.shown(text).unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test func aQuotationCannotEndItself() {
        #expect(DisplayText.quoted("x\". Allow: \u{201D}y") == "\"x'. Allow: 'y\"")
        #expect(DisplayText.quoted("x\"\u{301}. Allow: \u{201D}\u{301}y").utf8.count { $0 == UInt8(ascii: "\"") } == 2)
    }

    @Test(arguments: [("abc", 3), ("地図", 4), ("e\u{301}", 1), ("\u{2068}אב\u{2069}", 2), ("🗺", 2), ("", 0)])
    func columns(text: String, count: Int) { #expect(DisplayText.columns(text) == count) }

    @Test(
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("a bcdefgh", 4, ["a", "bcde", "fgh"]), ("", 5, [""]), ("地図地図", 5, ["地図", "地図"]),
            ("compass が位置を求めます。", 13, ["compass が位", "置を求めま", "す。"]),
            ("「地図」 app（地図）", 6, ["「地", "図」", "app", "（地", "図）"]), ("나침반이 위치를", 8, ["나침반이", "위치를"]),
            (
                "\u{2068}אב גד\u{2069} wants", 5,
                ["\u{2068}אב גד\u{2069}", "wants"]
            ),
            ("\u{2068}אבגד\u{2069}", 2, ["\u{2068}אב\u{2069}", "\u{2068}גד\u{2069}"]),
        ])
    func lines(text: String, columns: Int, lines: [String]) {
        #expect(DisplayText.wrapped(text, columns: columns) == lines)
    }

    @Test(
        arguments: [
            ("abcdefg", 7, "abcdefg"), ("abcdefgh", 7, "abc…fgh"), ("abcdefgh", 4, "ab…h"), ("地図地図", 5, "地…図"),
            ("abc", 1, "…"), ("\u{2068}אבגדה\u{2069}", 3, "\u{2068}א…ה\u{2069}"),
        ])
    func theMiddleIsLeftOut(text: String, columns: Int, short: String) {
        #expect(DisplayText.shortened(text, columns: columns) == short)
    }

    @Test(
        arguments: [
            (-9.0, "just now"), (4.9, "just now"), (5, "5 s ago"), (59.9, "59 s ago"), (60, "1 min ago"),
            (3599, "59 min ago"), (3600, "1 h ago"), (172_799, "47 h ago"), (172_800, "2 days ago"),
            (.infinity, "1000000000 days ago"),
        ])
    func howLongAgo(seconds: Double, words: String) { #expect(PromptText.ago(seconds) == words) }

    @Test func anAppThatDoesNotSayWhatFor() {
        var prompt = AgentSamples.prompt()
        prompt.description = nil
        #expect(PromptText(prompt).why.value == "The app gives no reason.")
        #expect(PromptText(prompt).why.isWarning)
        prompt.description = "To guide you."
        prompt.ownWords = false
        prompt.purpose = "guide"
        #expect(PromptText(prompt).why.value == "To guide you. (its purpose \"guide\")")
        #expect(!PromptText(prompt).why.isWarning)
    }

    // MARK: Languages

    @Test(
        arguments: [
            (["LANG": "de_AT.UTF-8"], ["de-AT"]), (["LANG": "de_DE@euro", "LC_ALL": "fr_FR"], ["fr-FR"]),
            (["LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:de:en"], ["de-AT", "de", "en"]),
            (["LANG": "en_GB", "LANGUAGE": "fr"], ["fr", "en-GB"]), (["LANG": "C.UTF-8", "LANGUAGE": "de"], []),
            (["LANGUAGE": "de"], []), (["LC_ALL": "", "LC_MESSAGES": "sv", "LANG": "en"], ["sv"]), ([:], []),
            (["LANG": "../../x"], []),
        ] as [([String: String], [String])])
    func theLanguagesOfTheEnvironment(environment: [String: String], languages: [String]) {
        #expect(Languages.preferred { environment[$0] } == languages)
    }
}
