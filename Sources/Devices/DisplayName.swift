internal import ForeignText

/// Sanitizing of the names that devices report, for display to users.
enum DisplayName {
    /// The maximum length of a name, in characters.
    static let limit = 40

    /// Returns the name without anything that would control a terminal or break a log line, cut to the limit.
    ///
    /// Attack: a device reports a name with a line break and a forged log line, or with a terminal's escape sequence.
    static func short(_ name: String) -> String {
        let printable = name.unicodeScalars.filter {
            ForeignText.isHarmless($0) && !$0.properties.isDefaultIgnorableCodePoint
        }
        var text = String(String.UnicodeScalarView(printable))
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace).prefix(limit))
    }
}
