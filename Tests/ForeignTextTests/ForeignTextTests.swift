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

    /// Attack: a mark that combines with `<` makes another character of it, and yet the markup begins.
    @Test(arguments: [
        ("", ""), ("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"), ("é 地図", "é 地図"), ("a\nb", "a\nb"),
        ("<\u{301}b>\u{20DD}&\u{200D}", "&lt;\u{301}b&gt;\u{20DD}&amp;\u{200D}"),
    ])
    func markupIsEscaped(text: String, escaped: String) {
        #expect(Array(ForeignText.escapedForMarkup(text).unicodeScalars) == Array(escaped.unicodeScalars))
    }
}
