/// The text of the sentences that a decoder has accepted, for callers that need the sentences themselves.
///
/// When the text reaches ``maximumLength``, further sentences are dropped. Sentences that are not kept cost nothing.
struct AcceptedSentences {
    /// The maximum length of the text, in bytes: more than two seconds at the highest baud rate of NMEA-HS.
    static let maximumLength = 16_384

    var isKept = false
    private var text: [UInt8] = []

    /// Adds the sentence in `bytes` from `start` to its last checksum digit, and a line end.
    mutating func add(_ bytes: RawSpan, from start: Int, to end: Int) {
        guard text.count + end - start + 2 <= Self.maximumLength else { return }
        bytes.extracting(start..<end).withUnsafeBytes { text.append(contentsOf: $0) }
        text.append(UInt8(ascii: "\r"))
        text.append(UInt8(ascii: "\n"))
    }

    /// Returns the text, and begins an empty one with the same capacity.
    mutating func remove() -> [UInt8] {
        let removed = text
        text = []
        if isKept { text.reserveCapacity(removed.count) }
        return removed
    }
}

extension NMEADecoder {
    /// A Boolean value indicating whether accepted sentences are kept for ``removeSentences()``. Default: `false`.
    public var keepsSentences: Bool {
        get { accepted.isKept }
        set {
            accepted.isKept = newValue
            if !newValue { _ = accepted.remove() }
        }
    }

    /// Returns the sentences that were accepted since the last call, each with CR LF. Accepted sentences have a valid
    /// checksum. At most 16 KiB are kept.
    public mutating func removeSentences() -> [UInt8] { accepted.remove() }
}
