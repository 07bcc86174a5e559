/// Converts the bytes of a log to UTF-8 without a byte order mark. UTF-16, which PowerShell writes with `>`, is
/// decoded. For a recording of `locationctl record`, the result is the receiver's bytes. A file of another format is
/// refused.
///
/// The decoder keeps as much of the beginning as it needs to recognize the format. The first two bytes suffice for a
/// log of NMEA 0183.
package struct TextDecoder: Sendable {
    /// The number of bytes at the beginning of an XML file that are searched for its root element.
    static let maximumBeginning = 4096

    private enum Encoding: Equatable {
        case undecided, utf8, utf16(isBigEndian: Bool)
        /// A file for ``RecordingFile``.
        case recording
    }

    private var encoding = Encoding.undecided
    private var beginning: [UInt8] = []
    /// A byte of UTF-16 that waits for its other half, and half of a surrogate pair.
    private var half: UInt8?
    private var surrogate: UInt16?
    private var recording = RecordingFile()
    private let acceptsGPX: Bool

    /// - Parameter acceptsGPX: `false` to refuse GPX like other formats.
    package init(acceptsGPX: Bool) { self.acceptsGPX = acceptsGPX }

    /// A Boolean value indicating whether the rest of the file is plain text, which need not be decoded.
    package var isVerbatim: Bool { encoding == .utf8 }

    /// Returns the text from the kept bytes and the next bytes of the file.
    package mutating func decode(_ bytes: Span<UInt8>) throws(ForeignFormat) -> [UInt8] {
        guard encoding == .undecided else { return text(bytes) }
        for index in bytes.indices { beginning.append(bytes[index]) }
        return try decide(isWhole: false)
    }

    /// Returns the text from the kept bytes, at the end of the file.
    package mutating func finish() throws(ForeignFormat) -> [UInt8] {
        encoding == .undecided ? try decide(isWhole: true) : []
    }

    /// Determines the format if there is enough of the file, and returns the text so far.
    private mutating func decide(isWhole: Bool) throws(ForeignFormat) -> [UInt8] {
        let firstLine = Array(RecordingFile.firstLine.utf8)
        if !isWhole, beginning.count > 1, beginning.count < firstLine.count, firstLine.starts(with: beginning) {
            return []
        }
        guard !beginning.starts(with: firstLine) else {
            encoding = .recording
            let rest = beginning.dropFirst(firstLine.count)
            beginning = []
            return text(Array(rest).span)
        }
        guard let encoding = try Self.encoding(beginning, isWhole: isWhole) else { return [] }
        var decoder = self
        decoder.encoding = encoding
        let mark = encoding == .utf8 ? [0xEF, 0xBB, 0xBF] : [UInt8]()
        let text = decoder.text(beginning.span.extracting(droppingFirst: beginning.starts(with: mark) ? mark.count : 0))
        // The result must not depend on how the file is divided into reads.
        let isDecisive = isWhole || text.count >= Self.maximumBeginning
        let start = text.prefix(Self.maximumBeginning).drop { $0 <= 0x20 }
        if start.isEmpty, !isDecisive { return [] }
        if start.first == UInt8(ascii: "<") {
            guard let root = XMLRoot.name(start, isWhole: isDecisive) else { return [] }
            if let foreign = ForeignFormat.xml(root: root) { throw foreign }
            if root == "gpx", !acceptsGPX { throw .gpx }
        }
        self = decoder
        beginning = []
        return text
    }

    /// Returns the encoding of a file, or `nil` if more of it is needed.
    private static func encoding(_ bytes: [UInt8], isWhole: Bool) throws(ForeignFormat) -> Encoding? {
        if let foreign = ForeignFormat.binary(bytes[...]) { throw foreign }
        guard bytes.count > 1 || isWhole else { return nil }
        let pair = (bytes.first ?? 0, bytes.dropFirst().first ?? 0x20)
        switch pair {
        case (0x21...0x7E, 0x20...0x7E), (0x21...0x7E, 0x0A), (0x21...0x7E, 0x0D):
            if !isWhole, bytes.count < ForeignFormat.decisiveLength, mayBeBinary(bytes) { return nil }
            return .utf8
        case (0xFF, 0xFE):
            // UTF-32 continues with two zeros.
            if bytes.count < 4, !isWhole { return nil }
            return .utf16(isBigEndian: false)
        case (0xFE, 0xFF): return .utf16(isBigEndian: true)
        default:
            guard bytes.count >= ForeignFormat.decisiveLength || isWhole else { return nil }
            // Without a mark, each of the first characters contains a zero.
            let characters = bytes.prefix(ForeignFormat.decisiveLength)
            for zeros in 0...1
            where characters.count > 1
                && characters.indices.allSatisfy({ $0 % 2 == zeros ? characters[$0] == 0 : isASCII(characters[$0]) })
            {
                return .utf16(isBigEndian: zeros == 0)
            }
            return .utf8
        }
    }

    /// Returns whether the byte is a character that logs contain, and not zero.
    private static func isASCII(_ byte: UInt8) -> Bool { (0x09...0x7E).contains(byte) }

    /// Returns whether the first letters may belong to a binary format.
    private static func mayBeBinary(_ bytes: [UInt8]) -> Bool {
        [UInt8(ascii: "P"), UInt8(ascii: "B"), UInt8(ascii: "S"), UInt8(ascii: "%"), 0x28, 0x37].contains(bytes[0])
    }

    private mutating func text(_ bytes: Span<UInt8>) -> [UInt8] {
        if encoding == .recording { return recording.receiversBytes(in: bytes) }
        var text: [UInt8] = []
        guard case .utf16(let isBigEndian) = encoding else {
            text.reserveCapacity(bytes.count)
            for index in bytes.indices { text.append(bytes[index]) }
            return text
        }
        for index in bytes.indices {
            guard let first = half else {
                half = bytes[index]
                continue
            }
            half = nil
            let (high, low) = isBigEndian ? (first, bytes[index]) : (bytes[index], first)
            append(UInt16(high) << 8 | UInt16(low), to: &text)
        }
        return text
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let first = surrogate {
            surrogate = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = 0x1_0000 + (UInt32(first & 0x3FF) << 10 | UInt32(unit & 0x3FF))
                return append(Unicode.Scalar(value), to: &text)
            }
            append(nil, to: &text)
        }
        if UTF16.isLeadSurrogate(unit) {
            surrogate = unit
        } else if unit != 0xFEFF {
            append(Unicode.Scalar(unit), to: &text)
        }
    }

    /// Appends a character, or the replacement character for half of one.
    private func append(_ scalar: Unicode.Scalar?, to text: inout [UInt8]) {
        text.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}")!)
    }
}

/// The root element of an XML file.
private enum XMLRoot {
    /// Returns the name without its prefix. The name is empty if a whole beginning contains no root element, and `nil`
    /// if more of the file is needed.
    static func name(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> String? {
        var rest = beginning
        let other: String? = isWhole ? "" : nil
        while true {
            rest = rest.drop { $0 <= 0x20 }
            guard rest.first == UInt8(ascii: "<") else { return rest.isEmpty ? other : "" }
            if rest.starts(with: "<!--".utf8) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return other }
                rest = rest[end.upperBound...]
            } else if rest.starts(with: "<?".utf8) || rest.starts(with: "<!".utf8) {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return other }
                rest = rest[(end + 1)...]
            } else {
                let name = rest.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
                guard name.endIndex < rest.endIndex || isWhole else { return nil }
                return String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? name, as: UTF8.self)
            }
        }
    }
}
