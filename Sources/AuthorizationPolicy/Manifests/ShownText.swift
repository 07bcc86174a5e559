/// What a text must be like that an app brings along and that a user reads in a prompt.
///
/// Attack: a text with line breaks, escape sequences or bidirectional overrides rewrites the prompt around it: it moves
/// the app's name out of sight, turns "deny" and "allow" round, or adds a line that looks like the system's own.
public enum ShownText {
    /// The longest usage description, in Unicode scalars. (A character may be made of any number of these.)
    public static let longestDescription = 500
    /// The longest name, in Unicode scalars.
    public static let longestName = 100

    /// The longest name or text in a view, in bytes of UTF-8.
    public static let longestInView = 512

    /// Why a text is not shown to anybody.
    public enum Problem: Error, Sendable, Hashable {
        /// It has nothing to read in it.
        case blank
        /// It has more Unicode scalars than so many.
        case tooLong(limit: Int)
        /// It has a control character, a line break among them, or one that changes the direction of what follows.
        case forbidden(Unicode.Scalar)
    }

    /// Throws what is wrong with `text`, which may have `limit` Unicode scalars.
    public static func check(_ text: String, limit: Int) throws(Problem) {
        if let scalar = text.unicodeScalars.first(where: isForbidden) { throw .forbidden(scalar) }
        guard text.unicodeScalars.count <= limit else { throw .tooLong(limit: limit) }
        guard !isBlank(text) else { throw .blank }
    }

    /// `text` as it may be shown: what is forbidden becomes a space, and the end is cut off after `limit` Unicode
    /// scalars. `nil` when nothing is left to read.
    public static func cleaned(_ text: String, limit: Int) -> String? {
        var shown = String.UnicodeScalarView()
        var isAfterSpace = true
        var count = 0
        for scalar in text.unicodeScalars where count < limit {
            let isSpace = isForbidden(scalar) || scalar.properties.isWhitespace
            if !(isSpace && isAfterSpace) {
                shown.append(isSpace ? " " : scalar)
                count += 1
            }
            isAfterSpace = isSpace
        }
        if shown.last == " " { shown.removeLast() }
        let result = String(shown)
        return isBlank(result) ? nil : result
    }

    /// Returns `text` with at most `limit` bytes of UTF-8: what is too long has "…" in its middle, since the beginning and
    /// the end of a path say most. No Unicode scalar is cut apart.
    ///
    /// Attack: hundreds of programs with paths of 4,096 bytes make a list longer than a reply may be.
    public static func shortened(_ text: String, toBytes limit: Int = longestInView) -> String {
        guard text.utf8.count > limit else { return text }
        let mark = "…"
        let rest = max(limit - mark.utf8.count, 0)
        let scalars = text.unicodeScalars
        let bytes = text.utf8
        var head = bytes.index(bytes.startIndex, offsetBy: rest - rest / 2)
        while head.samePosition(in: scalars) == nil { bytes.formIndex(before: &head) }
        var tail = bytes.index(bytes.endIndex, offsetBy: -(rest / 2))
        while tail.samePosition(in: scalars) == nil { bytes.formIndex(after: &tail) }
        return String(text[..<head]) + mark + String(text[tail...])
    }

    /// Control characters (Cc), line and paragraph separators, and the bidirectional embeddings, overrides and isolates
    /// of UAX #9. The marks U+200E and U+200F are allowed: they turn nothing but themselves round.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: scalar.properties.generalCategory == .control
        }
    }

    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.generalCategory == .format }
    }
}

extension ShownText.Problem: CustomStringConvertible {
    /// The reason, as a sentence without its full stop.
    public var description: String {
        switch self {
        case .blank: "the text is empty"
        case .tooLong(let limit): "the text is longer than \(limit) characters"
        case .forbidden(let scalar):
            "the text contains U+\(Self.hexadecimal(scalar.value)): control characters, line breaks and bidirectional "
                + "overrides are not allowed in what a user reads"
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
