/// Text from outside: from a gpsd, a device, an app, a file. It is cleaned before it becomes part of a message, a line of
/// the log or a line of a terminal.
///
/// Attack: a gpsd of another machine names its device with escape sequences, a bell and a line break. Whoever reads the log
/// in a terminal has the screen rewritten, a command put into the title, or reads a line that the daemon never wrote.
public enum ForeignText {
    /// Returns `text` as one line that steers nothing: U+FFFD stands for each scalar that is not ``isHarmless(_:)``.
    public static func line(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isHarmless) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : "\u{FFFD}" }))
    }

    /// Returns whether a scalar leaves the terminal and the text around it alone: not a control character (ESC, BEL, C1
    /// controls), a line or paragraph separator, or a format character such as a bidirectional override.
    public static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: true
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
    }
}
