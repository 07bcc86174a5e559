/// Splits an XML file into tags and text, in one pass and in bounded memory. It supports the parts of XML that GPX
/// files use.
///
/// Comments, processing instructions and the document type are skipped. CDATA sections are text, without their `]`. A
/// tag is cut off after 4096 bytes.
struct GPXScanner {
    enum Token: Equatable {
        /// The bytes between `<` and `>`.
        case tag([UInt8])
        /// A byte between tags.
        case text(UInt8)
    }

    static let maximumTagLength = 4096

    private enum State: Equatable {
        case text
        /// Inside `<`...`>`, and within quotes if `quote` is set.
        case tag(quote: UInt8?)
        /// Inside a CDATA section, after this number of `]`.
        case characterData(brackets: Int)
        /// Inside a section that ends with these bytes.
        case skipping(until: [UInt8])
    }

    /// The number of the current line, from 1.
    private(set) var line = 1
    private var state = State.text
    private var tag: [UInt8] = []
    /// The last skipped bytes, as many as the end marker has.
    private var tail: [UInt8] = []

    /// A Boolean value indicating whether the file may end here.
    var isBetweenTags: Bool { state == .text }

    /// Consumes the next byte. Returns the token that it completes, if any.
    mutating func consume(_ byte: UInt8) -> Token? {
        if byte == UInt8(ascii: "\n") { line += 1 }
        switch state {
        case .text:
            guard byte == UInt8(ascii: "<") else { return .text(byte) }
            tag.removeAll(keepingCapacity: true)
            state = .tag(quote: nil)
        case .tag(let quote):
            if quote == nil, byte == UInt8(ascii: ">") {
                state = .text
                return .tag(tag)
            }
            if tag.count < Self.maximumTagLength {
                tag.append(byte)
            } else {
                // The last byte shows whether the tag has content.
                tag[Self.maximumTagLength - 1] = byte
            }
            if let quote {
                if byte == quote { state = .tag(quote: nil) }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                state = .tag(quote: byte)
            }
            skipNonTag()
        case .characterData(let brackets):
            if byte == UInt8(ascii: "]") {
                state = .characterData(brackets: brackets + 1)
            } else if byte == UInt8(ascii: ">"), brackets > 1 {
                state = .text
            } else {
                state = .characterData(brackets: 0)
                return .text(byte)
            }
        case .skipping(let end):
            tail.append(byte)
            if tail.count > end.count { tail.removeFirst() }
            if tail == end { state = .text }
        }
        return nil
    }

    private mutating func skipNonTag() {
        let kinds: [(beginning: String, end: String)] = [("!--", "-->"), ("?", "?>"), ("!D", ">")]
        guard tag[0] == UInt8(ascii: "!") || tag[0] == UInt8(ascii: "?") else { return }
        if tag.elementsEqual("![CDATA[".utf8) { state = .characterData(brackets: 0) }
        for kind in kinds where tag.elementsEqual(kind.beginning.utf8) {
            state = .skipping(until: Array(kind.end.utf8))
            tail.removeAll()
        }
    }
}
