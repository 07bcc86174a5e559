/// Sanitizes text from outside: from a gpsd, a device, an app or a file. Such text is sanitized before it becomes part
/// of a message, a log line or terminal output.
///
/// Attack: a gpsd on another machine puts escape sequences, a bell and a line break into the name of its device. When
/// the log is read in a terminal, the text rewrites the screen, changes the window's title to a command, or forges a
/// line that the daemon never wrote.
public enum ForeignText {
    /// Returns `text` as a single line without control effects: U+FFFD replaces each scalar that is not
    /// ``isHarmless(_:)``.
    public static func line(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isHarmless) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : "\u{FFFD}" }))
    }

    /// Returns whether a scalar leaves the terminal and the surrounding text alone. Control characters (ESC, BEL, C1
    /// controls), line and paragraph separators, and format characters such as bidirectional overrides do not.
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

extension ForeignText {
    /// Returns `text` escaped for programs that interpret markup: browsers, Pango, and servers of desktop
    /// notifications.
    ///
    /// Scalars are escaped, not characters. Attack: an app's name has a mark that combines with `<`. Together they form
    /// another character, and yet the markup begins.
    public static func escapedForMarkup(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;".unicodeScalars
            case "<": escaped += "&lt;".unicodeScalars
            case ">": escaped += "&gt;".unicodeScalars
            case "\"": escaped += "&quot;".unicodeScalars
            case "'": escaped += "&#39;".unicodeScalars
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
