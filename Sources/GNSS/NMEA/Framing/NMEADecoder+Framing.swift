extension NMEADecoder {
    /// Advances to the next `$` or `!`, or to the first byte of a frame or log. Returns `false` if there is none.
    @inline(__always)
    mutating func skipToMessage(_ bytes: RawSpan, _ offset: inout Int) -> Bool {
        while offset < bytes.byteCount {
            let byte = bytes.byte(at: offset)
            if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") { return true }
            if byte != UInt8(ascii: "\r"), byte != UInt8(ascii: "\n") {
                if byte == 0xB5 || byte == UInt8(ascii: "#") { return true }
                counts.bytesSkipped &+= 1
                nextMark = 0
            }
            offset &+= 1
        }
        return false
    }

    /// Applies the result of reading a sentence. Returns the event that it completes, or `nil`.
    @inline(__always)
    mutating func apply(_ reading: Reading) -> Event? {
        switch reading {
        case .beginsNextEpoch: return endCycleAtNextTime().map { .epoch($0) }
        case .part(let part):
            counts.sentences &+= 1
            return endCycleIfLearned(part).map { .epoch($0) }
        case .nothing: counts.sentences &+= 1
        case .heading:
            counts.sentences &+= 1
            return .heading(compass.heading)
        case .unknown:
            counts.sentences &+= 1
            counts.unknownKinds &+= 1
        case .noise: counts.checksumErrors &+= 1
        }
        return nil
    }

    /// Reads the complete sentence in the line buffer, and clears the buffer unless the sentence begins the next epoch.
    /// Returns the event that the sentence completes, or `nil`.
    mutating func consumeLine() -> Event? {
        line.terminate()
        var bytes = line.bytes
        let length = line.count
        if case .intact(let sentence, let end) = Sentence.scan(bytes.span.bytes, from: 0, to: length + 1), end == length
        {
            return consumeLine(sentence, bytes.span.bytes)
        }
        switch Sentence.parse(bytes.span.bytes, length: length) {
        case .intact(_, let star):
            let sentence = Sentence.withoutBlanks(&bytes, to: star)
            return consumeLine(sentence, bytes.span.bytes)
        case .broken:
            counts.checksumErrors &+= 1
        case .withoutChecksum where bytes[0] == UInt8(ascii: "!"):
            // An exclamation mark in other text.
            counts.bytesSkipped &+= UInt64(line.frameStart ?? length)
        case .withoutChecksum:
            // A `$` on its own is followed by another one that begins the sentence.
            if let reading = readUnchecked(&bytes, length: length) { return apply(consumed: reading) }
            if length > 1 { counts.missingChecksums &+= 1 }
        }
        dropLine()
        return nil
    }

    /// Drops the line, which is not a sentence. A frame that begins in it is read: the line may be the end of a message
    /// in another binary protocol that contains a `$`.
    @inline(never)
    mutating func dropLine() {
        if let start = line.frameStart {
            let bytes = line.bytes
            frames.readAgain(bytes.span.bytes, from: start, to: line.count)
        }
        nextMark = 0
        line.clear()
    }

    private mutating func consumeLine(_ sentence: Sentence, _ bytes: RawSpan) -> Event? {
        apply(consumed: read(sentence, bytes))
    }

    /// Applies the result of reading the line, and clears it unless it belongs to the next epoch.
    private mutating func apply(consumed reading: Reading) -> Event? {
        if !reading.beginsNextEpoch {
            if accepted.isKept {
                let sent = line.bytes
                accepted.add(sent.span.bytes, from: 0, to: line.count)
            }
            nextMark = 0
            line.clear()
        }
        return apply(reading)
    }
}
