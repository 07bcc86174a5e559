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
