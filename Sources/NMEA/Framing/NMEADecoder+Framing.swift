extension NMEADecoder {
    /// Moves to the next `$` or `!`. Returns `false` when there is none.
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

    @inline(__always)
    func startsAIS(_ bytes: RawSpan, _ offset: Int) -> Bool {
        bytes.byte(at: offset) == UInt8(ascii: "!")
    }

    /// Reads a sentence with a right checksum. One that begins the next epoch first ends the pending one: then it is
    /// not consumed, and is to be read again.
    @inline(__always)
    mutating func take(_ sentence: Sentence, _ bytes: RawSpan) -> (event: Event?, consumed: Bool) {
        switch read(sentence, bytes) {
        case .beginsNextEpoch:
            return (endCycleAtNextTime(), false)
        case .part(let part):
            counts.sentences &+= 1
            return (endCycleIfLearned(part), true)
        case .nothing:
            counts.sentences &+= 1
        case .unknown:
            counts.sentences &+= 1
            counts.unknownKinds &+= 1
        case .heading(let heading):
            counts.sentences &+= 1
            return (.heading(heading), true)
        case .acknowledgement(let acknowledgement):
            counts.sentences &+= 1
            return (.acknowledgement(acknowledgement), true)
        }
        return (nil, true)
    }

    /// Reads the complete sentence in the line buffer.
    mutating func takeLine(_ sentence: inout Sentence) -> Event? {
        let bytes = line.bytes
        let length = line.count
        let isAIS = startsAIS(bytes.span.bytes, 0)
        switch sentence.parse(bytes.span.bytes, length: length) {
        case .intact where isAIS:
            counts.sentences &+= 1
            counts.unknownKinds &+= 1
        case .intact:
            let (event, consumed) = take(sentence, bytes.span.bytes)
            if consumed { line.clear() }
            return event
        case .broken where isAIS, .withoutChecksum where isAIS:
            counts.bytesSkipped &+= UInt64(length)
        case .broken:
            counts.checksumErrors &+= 1
        case .withoutChecksum:
            // A `$` alone is what stands before a doubled one.
            if length > 1 { counts.missingChecksums &+= 1 }
        }
        line.clear()
        return nil
    }
}
