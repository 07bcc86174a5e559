/// A token of an interface definition: a word or a punctuation mark.
struct InterfaceToken {
    /// The characters of the token. Empty at the end of the text.
    var text: String
    /// The line of the token, counted from 1.
    var line: Int
    /// The comment lines directly above, if the token is the first of its line. Otherwise empty.
    var documentation: String

    var isEnd: Bool { text.isEmpty }

    func error(_ message: String) -> InterfaceSyntaxError {
        InterfaceSyntaxError(line: line, message: isEnd ? "\(message), not the end" : "\(message), not '\(text)'")
    }
}

/// Splits an interface definition into tokens.
///
/// Every program parses its definitions when it starts, so this compares bytes for speed. Characters outside ASCII
/// occur only in comments and as white space.
struct InterfaceLexer {
    private let bytes: [UInt8]
    private let keepsComments: Bool
    private var index = 0
    private var line = 1

    init(_ text: String, keepsComments: Bool) {
        bytes = Array(text.utf8)
        self.keepsComments = keepsComments
    }

    /// Returns the tokens. The last one marks the end of the text.
    mutating func tokens() throws(InterfaceSyntaxError) -> [InterfaceToken] {
        var tokens: [InterfaceToken] = []
        /// The comment lines directly above.
        var documentation: [String] = []
        var isAtStartOfLine = true
        var isCommentLine = false
        while index < bytes.count {
            let scalar = scalar
            if Self.isLineEnd(scalar) {
                consumeLineEnd(scalar)
                if !isCommentLine { documentation = [] }
                (isAtStartOfLine, isCommentLine) = (true, false)
            } else if scalar == " " || scalar.properties.isWhitespace {
                index += UTF8.width(scalar)
            } else if scalar == "#" {
                let comment = consumeComment()
                if isAtStartOfLine, keepsComments {
                    documentation.append(String(decoding: bytes[comment], as: UTF8.self))
                }
                isCommentLine = isAtStartOfLine
            } else {
                let text = documentation.isEmpty ? "" : documentation.joined(separator: "\n")
                tokens.append(InterfaceToken(text: try consumeToken(), line: line, documentation: text))
                documentation = []
                isAtStartOfLine = false
            }
        }
        tokens.append(InterfaceToken(text: "", line: line, documentation: ""))
        return tokens
    }

    /// The scalar at the index.
    private var scalar: Unicode.Scalar {
        guard bytes[index] >= 0x80 else { return Unicode.Scalar(bytes[index]) }
        return String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self).unicodeScalars.first ?? " "
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private mutating func consumeLineEnd(_ scalar: Unicode.Scalar) {
        index += UTF8.width(scalar)
        if scalar == "\r", index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
        line += 1
    }

    /// Consumes a comment up to the end of its line. Returns the place of its text.
    private mutating func consumeComment() -> Range<Int> {
        index += 1
        if index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
        let start = index
        while index < bytes.count {
            // Most of a definition consists of these bytes.
            if bytes[index] >= 0x20, bytes[index] < 0x80 {
                index += 1
                continue
            }
            let scalar = scalar
            if Self.isLineEnd(scalar) { break }
            index += UTF8.width(scalar)
        }
        return start..<index
    }

    private mutating func consumeToken() throws(InterfaceSyntaxError) -> String {
        if let punctuation = Self.punctuation(bytes[index]), consume(punctuation) { return punctuation.description }
        if consume("[string]") { return "[string]" }
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        guard index > start else { throw InterfaceSyntaxError(line: line, message: "unexpected '\(scalar)'") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Returns the punctuation mark that begins with a byte.
    private static func punctuation(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "("): "("
        case UInt8(ascii: ")"): ")"
        case UInt8(ascii: ","): ","
        case UInt8(ascii: ":"): ":"
        case UInt8(ascii: "?"): "?"
        case UInt8(ascii: "-"): "->"
        case UInt8(ascii: "["): "[]"
        default: nil
        }
    }

    /// Consumes `text` if it is next. Returns whether it was.
    private mutating func consume(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
