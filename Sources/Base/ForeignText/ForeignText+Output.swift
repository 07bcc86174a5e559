extension ForeignText {
    /// Returns `text` with its line breaks, each line without control effects.
    public static func lines(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy({ $0 == "\n" || isHarmless($0) }) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" || isHarmless($0) ? $0 : "\u{FFFD}" }))
    }

    /// Returns a JSON text with an escape, `\uXXXX`, for each scalar that is not harmless. Only strings contain such
    /// scalars, and they read back as the same strings. The text has no line breaks between its parts.
    ///
    /// Attack: JSON leaves all but 32 of the control characters unescaped. In a terminal or an editor, an app's name
    /// reorders the text around it, so that one app's line reads like another's.
    public static func escapedInJSON(_ json: String) -> String {
        guard !isPlain(json.utf8.span) else { return json }
        var escaped = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if isHarmless(scalar) { escaped.append(scalar) } else { escaped += escape(scalar).unicodeScalars }
        }
        return String(escaped)
    }

    /// Returns whether a text in UTF-8 consists of printable characters of ASCII.
    public static func isPlain(_ utf8: Span<UInt8>) -> Bool {
        // Without an early return, so that the compiler checks many bytes at once.
        var isPlain = true
        for index in utf8.indices { isPlain = (utf8[index] &- 0x20 < 0x5F) && isPlain }
        return isPlain
    }

    /// Returns the message about arguments that a parser refuses, each of its lines without control effects.
    ///
    /// Attack: a file's name has a line break, and the text after it reads like a message of the program. A parser
    /// repeats arguments in its message, where their line breaks look like its own. So the message is made from cleaned
    /// arguments.
    ///
    /// - Parameters:
    ///   - parse: Parses arguments, and throws an error about arguments that it refuses.
    ///   - message: Returns the message about an error.
    public static func refusal(
        of arguments: [String], parse: ([String]) throws -> Void, message: (any Error) -> String
    ) -> String {
        do { try parse(arguments.map(line)) } catch { return lines(message(error)) }
        return "Error: an argument has a control character, or another one that is not shown"
    }

    /// Returns the JSON escape of a scalar: RFC 8259, section 7. Beyond U+FFFF it is a surrogate pair.
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        // Four digits for each unit.
        scalar.utf16.map { "\\u\(String(0x1_0000 + Int($0), radix: 16).dropFirst())" }.joined()
    }
}
