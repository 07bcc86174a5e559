extension NMEADecoder {
    /// Moves to the next `$` or `!`. Returns `false` if there is none.
    @inline(__always)
    mutating func skipToSentence(_ bytes: RawSpan, _ offset: inout Int) -> Bool {
        while offset < bytes.byteCount {
            let byte = bytes.byte(at: offset)
            if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") { return true }
            if byte != UInt8(ascii: "\r"), byte != UInt8(ascii: "\n") { counts.bytesSkipped &+= 1 }
            offset &+= 1
        }
        return false
    }

    /// Reads a sentence with a correct checksum. Returns whether the sentence was consumed. A sentence that begins
    /// the next epoch first ends the pending one; it is then not consumed and must be read again.
    @inline(__always)
    mutating func take(_ sentence: Sentence, _ bytes: RawSpan) -> Bool {
        switch read(sentence, bytes) {
        case .beginsNextEpoch:
            endCycleAtNextTime()
            return false
        case .part(let part):
            endCycleIfLearned(part)
        case .nothing:
            break
        case .unknown:
            counts.unknownKinds &+= 1
        }
        counts.sentences &+= 1
        return true
    }

    /// Reads the complete sentence in the line buffer.
    mutating func consumeLine() {
        line.terminate()
        let bytes = line.bytes
        let length = line.count
        if case .intact(let sentence, let end) = Sentence.scan(bytes.span.bytes, from: 0), end == length {
            if take(sentence, bytes.span.bytes) { line.clear() }
            return
        }
        switch Sentence.parse(bytes.span.bytes, length: length) {
        case .intact(let sentence):
            guard take(sentence, bytes.span.bytes) else { return }
        case .broken:
            counts.checksumErrors &+= 1
        case .withoutChecksum where bytes[0] == UInt8(ascii: "!"):
            // An exclamation mark in other text.
            counts.bytesSkipped &+= UInt64(length)
        case .withoutChecksum:
            // A `$` on its own is followed by another one that begins the sentence.
            if length > 1 { counts.missingChecksums &+= 1 }
        }
        line.clear()
    }
}
