/// A scanner that splits an XML file into tags and text in one pass and in bounded memory. It supports as much of
/// XML as GPX files use.
///
/// Comments, CDATA sections, processing instructions and the document type are skipped. The maximum length of
/// a tag is 4096 bytes.
struct GPXScanner {
    enum Token: Equatable {
        /// The bytes between `<` and `>`.
        case tag([UInt8])
        /// A byte between tags.
        case text(UInt8)
    }

    enum Failure: Error {
        case overlongTag
    }

    static let maximumTagLength = 4096

    private enum State: Equatable {
        case text
        /// Inside `<`...`>`, and within quotes if `quote` is set.
        case tag(quote: UInt8?)
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

    /// Consumes the next byte, and returns the token that it completes, if any.
    mutating func consume(_ byte: UInt8) throws(Failure) -> Token? {
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
            tag.append(byte)
            guard tag.count <= Self.maximumTagLength else { throw .overlongTag }
            if let quote {
                if byte == quote { state = .tag(quote: nil) }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                state = .tag(quote: byte)
            }
            skipNonTag()
        case .skipping(let end):
            tail.append(byte)
            if tail.count > end.count { tail.removeFirst() }
            if tail == end { state = .text }
        }
        return nil
    }

    private mutating func skipNonTag() {
        let kinds: [(beginning: String, end: String)] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!D", ">")]
        guard tag[0] == UInt8(ascii: "!") || tag[0] == UInt8(ascii: "?") else { return }
        for kind in kinds where tag.elementsEqual(kind.beginning.utf8) {
            state = .skipping(until: Array(kind.end.utf8))
            tail.removeAll()
        }
    }
}
