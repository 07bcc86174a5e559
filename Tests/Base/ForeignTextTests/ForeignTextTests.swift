import ForeignText
import Testing

/// The appearance of foreign text in a log.
@Suite struct ForeignTextTests {
    @Test(arguments: [
        ("", ""), ("/dev/ttyACM0", "/dev/ttyACM0"), ("Empfänger 地図 😀", "Empfänger 地図 😀"),
        ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("\u{1B}]0;title\u{7}", "\u{FFFD}]0;title\u{FFFD}"),
        ("\u{9B}31m", "\u{FFFD}31m"),
        ("a\nb\r\tc\u{0}\u{7F}", "a\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}\u{FFFD}"),
        ("a\u{2028}b\u{2029}\u{85}", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
        ("a\u{202E}b\u{2066}\u{200B}\u{FEFF}", "a\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}"),
    ])
    func controlCharactersAreReplaced(text: String, line: String) {
        #expect(Array(ForeignText.line(text).unicodeScalars) == Array(line.unicodeScalars))
    }

    @Test(arguments: [
        ("", ""), ("a\nb\n", "a\nb\n"), ("地図\n\u{1B}[2J\r\n\u{202E}x", "地図\n\u{FFFD}[2J\u{FFFD}\n\u{FFFD}x"),
    ])
    func linesKeepTheirBreaks(text: String, lines: String) {
        #expect(Array(ForeignText.lines(text).unicodeScalars) == Array(lines.unicodeScalars))
    }

    @Test(arguments: [
        ("{\"a\":\"b\"}", "{\"a\":\"b\"}"), ("[\"é 地図 😀\"]", "[\"é 地図 😀\"]"),
        ("[\"\u{9B}\u{7F}\u{202E}\u{2066}\u{2028}\u{2029}\"]", #"["\u009b\u007f\u202e\u2066\u2028\u2029"]"#),
        // A tag character, a surrogate pair in UTF-16.
        ("[\"\u{E0041}\"]", #"["\udb40\udc41"]"#), (#"["\u001b"]"#, #"["\u001b"]"#),
    ])
    func charactersThatAreNotShownAreEscapedInJSON(json: String, escaped: String) {
        #expect(ForeignText.escapedInJSON(json) == escaped)
    }

    /// Attack: a file's name has a line break, and a line of its own in the parser's message.
    @Test func aParserRepeatsNoLineBreak() {
        struct Refused: Error { let argument: String }
        func refusal(_ argument: String, accepts: @escaping (String) -> Bool) -> String {
            ForeignText.refusal(of: [argument]) { arguments in
                for argument in arguments where !accepts(argument) { throw Refused(argument: argument) }
            } message: {
                "Error: '\(($0 as? Refused)?.argument ?? "")'\nUsage: foo"
            }
        }
        #expect(refusal("a\nb\u{1B}") { _ in false } == "Error: 'a\u{FFFD}b\u{FFFD}'\nUsage: foo")
        #expect(refusal("a") { _ in false } == "Error: 'a'\nUsage: foo")
        #expect(!refusal("a\nb") { $0 == "a\u{FFFD}b" }.contains("\n"))
    }

    /// Attack: a mark that combines with `<` makes another character of it, and yet the markup begins.
    @Test(arguments: [
        ("", ""), ("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"), ("é 地図", "é 地図"), ("a\nb", "a\nb"),
        ("<\u{301}b>\u{20DD}&\u{200D}", "&lt;\u{301}b&gt;\u{20DD}&amp;\u{200D}"),
    ])
    func markupIsEscaped(text: String, escaped: String) {
        #expect(Array(ForeignText.escapedForMarkup(text).unicodeScalars) == Array(escaped.unicodeScalars))
    }
}
