/// A line of the agent's window.
struct ScreenLine: Equatable {
    /// The emphasis of the line, if there is colour; the text says the same without it.
    enum Style: Equatable {
        case plain, title, warning, selected, hint
    }

    var text: String
    var style = Style.plain

    /// Returns the line with its emphasis, or only the text without colour.
    func drawn(inColour: Bool) -> String {
        guard inColour, !text.isEmpty else { return text }
        let rendition =
            switch style {
            case .plain: ""
            case .title: "1"
            case .warning: "33"
            case .selected: "7"
            case .hint: "2"
            }
        return rendition.isEmpty ? text : "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
    }
}

/// Text for terminals that show nothing but ASCII.
enum ASCIIText {
    private static let replacements: [Unicode.Scalar: String] = [
        "…": "*", "°": " ", "±": "~", "–": "-", "—": "-", "─": "-", "·": ".", "→": ">", "’": "'",
    ]

    /// Returns `text` in ASCII and as wide as before. A question mark stands for each column of a character that has
    /// no replacement; characters without a width of their own are left out.
    static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else {
                result +=
                    replacements[scalar] ?? String(repeating: "?", count: DisplayText.columns(String(scalar)))
            }
        }
    }
}
