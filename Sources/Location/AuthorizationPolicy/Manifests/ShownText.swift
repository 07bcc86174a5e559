internal import LocationModel

/// The rules for a text from an app that a user reads in a prompt.
///
/// Attack: a text with line breaks, escape sequences or bidirectional overrides rewrites the prompt around it. It moves
/// the app's name out of sight, swaps "deny" and "allow", or adds a line that looks like the system's own.
public enum ShownText {
    /// The maximum length of a usage description, in Unicode scalars. (A character can consist of any number of
    /// scalars.)
    public static let maximumDescriptionLength = 500
    /// The maximum length of a name, in Unicode scalars.
    public static let maximumNameLength = 100

    /// The maximum length of a name or text in a list of the management interface, in bytes of UTF-8.
    public static let maximumBytesInList = 512

    /// A reason why a text must not be shown.
    public enum Problem: Error, Sendable, Hashable {
        /// The text contains nothing to read.
        case blank
        /// The text has more Unicode scalars than `limit`.
        case tooLong(limit: Int)
        /// The text contains a control character, such as a line break, or a character that changes the direction of
        /// others.
        case forbidden(Unicode.Scalar)
    }

    /// Checks that `text` may be shown and has at most `limit` Unicode scalars. Throws the problem if it does not.
    public static func check(_ text: String, limit: Int) throws(Problem) {
        if let scalar = text.unicodeScalars.first(where: isForbidden) { throw .forbidden(scalar) }
        guard text.unicodeScalars.count <= limit else { throw .tooLong(limit: limit) }
        guard !isBlank(text) else { throw .blank }
    }

    /// Returns `text` in a form that may be shown, or `nil` if nothing to read is left. Each run of whitespace and
    /// forbidden characters becomes one space, and everything after `limit` Unicode scalars is cut off.
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

    /// Returns `text` shortened to at most `limit` bytes of UTF-8. A text that is too long gets "…" in its middle,
    /// because the beginning and the end of a path say most. Unicode scalars are never split.
    ///
    /// Attack: hundreds of programs with paths of 4,096 bytes form a list that exceeds the maximum length of a reply.
    public static func shortened(_ text: String, toBytes limit: Int = maximumBytesInList) -> String {
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

    /// Returns whether the scalar is a control character (Cc), a line or paragraph separator, or one of the
    /// bidirectional embeddings, overrides and isolates of UAX #9. The marks U+200E and U+200F are allowed: they
    /// reverse no text but themselves.
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
    /// The reason, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .blank: "the text is empty"
        case .tooLong(let limit): "the text is longer than \(limit) characters"
        case .forbidden(let scalar):
            "the text contains U+\(Int(scalar.value).padded(to: 4, radix: 16, uppercase: true)): control characters, "
                + "line breaks and bidirectional overrides are not allowed in what a user reads"
        }
    }
}
