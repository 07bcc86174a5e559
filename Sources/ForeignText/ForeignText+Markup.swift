extension ForeignText {
    /// Returns `text` for programs that interpret markup: browsers, Pango, and servers of desktop notifications.
    ///
    /// Scalars are escaped, not characters. Attack: an app's name has a mark that combines with `<`. Together they are
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
