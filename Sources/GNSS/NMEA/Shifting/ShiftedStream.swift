/// Moves the positions and dates in the bytes of a receiver, and leaves everything else unchanged: the lengths, the
/// order, and whether checksums are correct.
///
/// Attack: a position passes unrecognized: in a sentence of an unknown kind, in another protocol, or in a damaged
/// sentence. So a field passes only if it is known not to contain a position. In the rest, digits become 0, letters X,
/// and other bytes 0.
package struct ShiftedStream {
    /// The last bytes, from a sentence or frame that is not complete yet.
    private var pending: [UInt8] = []
    private var content: ShiftedContent

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - isAnonymous: `true` to remove everything else that reveals the place or the receiver: the angles of
    ///     satellites, the variation, the geoid separation, and words with digits in text.
    ///   - draw: Returns the shift for a recording whose first position has this latitude in degrees.
    package init(isAnonymous: Bool, draw: @escaping (Double) -> PositionShift) {
        content = ShiftedContent(isAnonymous: isAnonymous, draw: draw)
    }

    /// Returns the next bytes that `bytes` complete. In total, as many bytes are returned as were passed in.
    package mutating func move(_ bytes: [UInt8]) -> [UInt8] {
        pending += bytes
        return move(isAtEnd: false)
    }

    /// Returns the remaining bytes, at the end.
    package mutating func finish() -> [UInt8] { move(isAtEnd: true) }

    private mutating func move(isAtEnd: Bool) -> [UInt8] {
        var moved: [UInt8] = []
        var offset = 0
        while offset < pending.count {
            let end: Int?
            switch pending[offset] {
            case UInt8(ascii: "$"), UInt8(ascii: "!"): end = moveSentence(at: offset, isAtEnd, to: &moved)
            case 0xB5: end = moveFrame(at: offset, isAtEnd, to: &moved)
            default:
                moved.append(Masked.byte(pending[offset]))
                end = offset + 1
            }
            guard let end else { break }
            offset = end
        }
        pending.removeFirst(offset)
        return moved
    }

    /// Moves the sentence at `offset`. Returns its end, or `nil` if it is not complete.
    private mutating func moveSentence(at offset: Int, _ isAtEnd: Bool, to moved: inout [UInt8]) -> Int? {
        let limit = offset + NMEADecoder.maximumSentenceLength
        var end = offset + 1
        while end < min(pending.count, limit), !LineBuffer.endsSentence(pending[end]) { end += 1 }
        if end == pending.count, end < limit, !isAtEnd { return nil }
        if end == limit {
            // Too long: the following bytes do not belong to it.
            moved.append(pending[offset])
            return offset + 1
        }
        let line = Array(pending[offset..<end])
        // The end of the recording has cut off the last sentence.
        if end < pending.count || line.contains(UInt8(ascii: "*")), let sentence = content.moved(sentence: line) {
            moved += sentence
            return end
        }
        // A frame may begin in bytes that are not a sentence.
        let frame = UBXFrame.start(in: line.span.bytes, 1, line.count) ?? line.count
        moved += Masked.sentence(Array(line.prefix(frame)))
        return offset + frame
    }

    /// Moves the frame at `offset`. Returns its end, or `nil` if it is not complete.
    private mutating func moveFrame(at offset: Int, _ isAtEnd: Bool, to moved: inout [UInt8]) -> Int? {
        switch UBXFrame.scan(pending.span.bytes, from: offset) {
        case .intact(let frame):
            moved += content.moved(frame, in: Array(pending[offset..<frame.end]))
            return frame.end
        case .cutOff where !isAtEnd: return nil
        case .broken:
            // The decoder counts the frame by these bytes.
            moved += pending[offset..<(offset + 6)]
            return offset + 6
        case .absent, .cutOff, .log:
            moved.append(pending[offset])
            return offset + 1
        }
    }
}

/// Bytes without their content.
enum Masked {
    static func byte(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(ascii: "X")
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0x20...0x7E: byte
        default: 0
        }
    }

    /// Returns a damaged sentence with its digits and letters masked, and a wrong checksum if it has one.
    static func sentence(_ line: [UInt8]) -> [UInt8] {
        var masked = line.enumerated().map { $0.offset == 0 ? $0.element : byte($0.element) }
        guard let star = line.lastIndex(of: UInt8(ascii: "*")), line.count - star > 2 else { return masked }
        let sum = masked[1..<star].reduce(0, ^) ^ 1
        masked.replaceSubrange((star + 1)...(star + 2), with: sum.twoDigits.utf8)
        return masked
    }
}
