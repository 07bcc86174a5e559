internal import Bytewise

/// The reason for refusing a text as JSON.
public enum JSONError: Error, Hashable {
    /// The text is not JSON (RFC 8259) or not UTF-8, has a number beyond a `Double`, or has an object that repeats
    /// a key.
    case malformed(offset: Int)
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
}

extension JSONValue {
    /// Parses JSON text: one value, with nothing but white space around it.
    ///
    /// - Parameters:
    ///   - text: The text, in UTF-8.
    ///   - maximumDepth: The greatest nesting depth of arrays and objects. The parser goes no deeper, so no text
    ///     can exhaust the stack.
    public init(parsing text: Span<UInt8>, maximumDepth: Int = 32) throws(JSONError) {
        var parser = JSONParser(maximumDepth: maximumDepth)
        self = try parser.document(text)
    }

    /// Parses JSON text from a string, in the same way.
    public init(parsing text: String, maximumDepth: Int = 32) throws(JSONError) {
        let bytes = Array(text.utf8)
        try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
    }
}

/// A recursive descent parser for RFC 8259.
private struct JSONParser {
    let maximumDepth: Int
    var position = 0

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    mutating func document(_ text: Span<UInt8>) throws(JSONError) -> JSONValue {
        let value = try value(text, depth: 0)
        skipWhiteSpace(text)
        guard position == text.count else { throw malformed }
        return value
    }

    private var malformed: JSONError { .malformed(offset: position) }

    private func peek(_ text: Span<UInt8>) -> UInt8? {
        position < text.count ? text[position] : nil
    }

    private mutating func skipWhiteSpace(_ text: Span<UInt8>) {
        while let byte = peek(text), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func consume(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard peek(text) == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(_ text: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        skipWhiteSpace(text)
        switch peek(text) {
        case UInt8(ascii: "{"): return try object(text, depth: depth + 1)
        case UInt8(ascii: "["): return try array(text, depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string(text))
        case UInt8(ascii: "t"): return try literal("true", .bool(true), text)
        case UInt8(ascii: "f"): return try literal("false", .bool(false), text)
        case UInt8(ascii: "n"): return try literal("null", .null, text)
        default: return try number(text)
        }
    }

    private mutating func literal(
        _ word: StaticString, _ value: JSONValue, _ text: Span<UInt8>
    ) throws(JSONError) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard consume(word.utf8Start[index], text) else { throw malformed }
        }
        return value
    }

    // MARK: Arrays and objects

    private mutating func array(_ text: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        position += 1
        skipWhiteSpace(text)
        var elements: [JSONValue] = []
        if consume(UInt8(ascii: "]"), text) { return .array(elements) }
        while true {
            elements.append(try value(text, depth: depth))
            skipWhiteSpace(text)
            if consume(UInt8(ascii: "]"), text) { return .array(elements) }
            guard consume(UInt8(ascii: ","), text) else { throw malformed }
        }
    }

    private mutating func object(_ text: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        position += 1
        skipWhiteSpace(text)
        var members: [BytewiseString: JSONValue] = [:]
        if consume(UInt8(ascii: "}"), text) { return .object(members) }
        while true {
            skipWhiteSpace(text)
            guard peek(text) == UInt8(ascii: "\"") else { throw malformed }
            let key = BytewiseString(try string(text))
            skipWhiteSpace(text)
            guard consume(UInt8(ascii: ":"), text) else { throw malformed }
            // Parsers disagree on the meaning of a repeated key, so it is rejected.
            guard members.updateValue(try value(text, depth: depth), forKey: key) == nil else { throw malformed }
            skipWhiteSpace(text)
            if consume(UInt8(ascii: "}"), text) { return .object(members) }
            guard consume(UInt8(ascii: ","), text) else { throw malformed }
        }
    }

    // MARK: Strings

    private mutating func string(_ text: Span<UInt8>) throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = peek(text) {
            switch byte {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return try plain(text.extracting(start..<position))
            case UInt8(ascii: "\\"): return try escapedString(text, from: start)
            case 0..<0x20: throw malformed
            default: position += 1
            }
        }
        throw malformed
    }

    private func plain(_ text: Span<UInt8>) throws(JSONError) -> String {
        guard let valid = try? UTF8Span(validating: text) else { throw malformed }
        return String(copying: valid)
    }

    private mutating func escapedString(_ text: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        var result: [UInt8] = []
        var runStart = start
        while let byte = peek(text) {
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                guard byte >= 0x20 else { throw malformed }
                position += 1
                continue
            }
            for index in runStart..<position { result.append(text[index]) }
            position += 1
            if byte == UInt8(ascii: "\"") { return try plain(result.span) }
            let scalar = try escape(text)
            if scalar.isASCII { result.append(UInt8(scalar.value)) } else { result += UTF8.encode(scalar)! }
            runStart = position
        }
        throw malformed
    }

    private mutating func escape(_ text: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
        guard let byte = peek(text) else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try hexadecimal(text)
            if let scalar = Unicode.Scalar(unit) { return scalar }
            // A surrogate. A high one followed by a low one forms a character; anything else is malformed.
            guard unit < 0xDC00, consume(UInt8(ascii: "\\"), text), consume(UInt8(ascii: "u"), text) else {
                throw malformed
            }
            let low = try hexadecimal(text)
            guard 0xDC00..<0xE000 ~= low else { throw malformed }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))!
        default: throw malformed
        }
    }

    private mutating func hexadecimal(_ text: Span<UInt8>) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(text), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
            else { throw malformed }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    // MARK: Numbers

    private mutating func number(_ text: Span<UInt8>) throws(JSONError) -> JSONValue {
        let start = position
        var isInteger = true
        _ = consume(UInt8(ascii: "-"), text)
        if !consume(UInt8(ascii: "0"), text) { try digits(text) }
        if consume(UInt8(ascii: "."), text) {
            isInteger = false
            try digits(text)
        }
        if consume(UInt8(ascii: "e"), text) || consume(UInt8(ascii: "E"), text) {
            isInteger = false
            if !consume(UInt8(ascii: "+"), text) { _ = consume(UInt8(ascii: "-"), text) }
            try digits(text)
        }
        let literal = try plain(text.extracting(start..<position))
        if isInteger, let value = Int64(literal) { return .int(value) }
        guard let value = Double(literal), value.isFinite else { throw malformed }
        return .double(value)
    }

    private mutating func digits(_ text: Span<UInt8>) throws(JSONError) {
        let start = position
        while let byte = peek(text), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > start else { throw malformed }
    }
}
