internal import ForeignText

/// Names that devices tell of themselves, made fit for a user's eyes.
enum DisplayName {
    /// The greatest number of characters of a name.
    static let limit = 40

    /// The name without what a terminal or a log would take for something else, and not longer than the limit.
    ///
    /// Attack: a device that calls itself by a line end and a line of log, or by a terminal's escape sequence.
    static func short(_ name: String) -> String {
        let printable = name.unicodeScalars.filter {
            ForeignText.isHarmless($0) && !$0.properties.isDefaultIgnorableCodePoint
        }
        var text = String(String.UnicodeScalarView(printable))
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace).prefix(limit))
    }
}
