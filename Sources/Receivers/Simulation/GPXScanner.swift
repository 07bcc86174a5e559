/// Finds the tags and texts of an XML file in one pass, in bounded memory: as much of XML as a GPX file holds.
///
/// Comments, CDATA sections, processing instructions and the document type are skipped. A tag may be 4096 bytes long.
struct GPXScanner {
    enum Token: Equatable {
        /// What stands between `<` and `>`.
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
        /// Inside `<`...`>`, and within quotes if there is a quote.
        case tag(quote: UInt8?)
        /// Inside what ends with these bytes.
        case skipping(until: [UInt8])
    }

    /// The line that is being read, from 1.
    private(set) var line = 1
    private var state = State.text
    private var tag: [UInt8] = []
    /// The last bytes that were skipped, as many as the end has.
    private var tail: [UInt8] = []

    /// A Boolean value indicating whether the file may end here.
    var isBetweenTags: Bool { state == .text }

    /// Takes the next byte; returns what it completes.
    mutating func take(_ byte: UInt8) throws(Failure) -> Token? {
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
            skipWhatIsNoTag()
        case .skipping(let end):
            tail.append(byte)
            if tail.count > end.count { tail.removeFirst() }
            if tail == end { state = .text }
        }
        return nil
    }

    private mutating func skipWhatIsNoTag() {
        let kinds: [(beginning: String, end: String)] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!D", ">")]
        guard tag[0] == UInt8(ascii: "!") || tag[0] == UInt8(ascii: "?") else { return }
        for kind in kinds where tag.elementsEqual(kind.beginning.utf8) {
            state = .skipping(until: Array(kind.end.utf8))
            tail.removeAll()
        }
    }
}
