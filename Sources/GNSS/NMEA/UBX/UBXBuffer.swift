/// A buffer for a frame that the end of the input has cut off.
///
/// The presumed start of a frame may turn out not to be one. Then the bytes after the first one are read again, with
/// the same result as if they had been read in one piece.
struct UBXBuffer {
    private static let capacity = UBXFrame.maximumPayload + UBXFrame.overhead + NMEADecoder.maximumSentenceLength

    /// The bytes of the frame so far.
    private var frame: [UInt8] = []
    /// The minimum number of bytes of the frame.
    private var needed = 0
    /// The bytes to read again, from `offset` on.
    private var again: [UInt8] = []
    private var offset = 0

    init() {
        frame.reserveCapacity(Self.capacity)
        again.reserveCapacity(Self.capacity)
    }

    /// A Boolean value indicating whether the buffer contains bytes, which precede all further input.
    private(set) var isUsed = false
    var isReadAgain: Bool { !again.isEmpty }

    /// Begins with the rest of the input, which is less than `needed` bytes.
    mutating func begin(_ bytes: RawSpan, from offset: Int, needed: Int) {
        self.needed = needed
        isUsed = true
        bytes.extracting(offset..<bytes.byteCount).withUnsafeBytes { frame.append(contentsOf: $0) }
    }

    /// Consumes input up to the needed number of bytes. Returns whether they are complete.
    mutating func fill(from bytes: RawSpan, at offset: inout Int) -> Bool {
        let end = min(bytes.byteCount, offset &+ needed &- frame.count)
        bytes.extracting(offset..<end).withUnsafeBytes { frame.append(contentsOf: $0) }
        offset = end
        return frame.count >= needed
    }

    /// Looks for the frame in the bytes so far. It is cut off if its length, now known, requires more bytes.
    mutating func scan() -> UBXFrame.Scan {
        let scan = UBXFrame.scan(frame.span.bytes, from: 0)
        if case .cutOff(let needed) = scan { self.needed = needed }
        return scan
    }

    /// Drops the first byte, and lets the others be read again.
    mutating func giveUp() {
        swap(&frame, &again)
        offset = 1
    }

    /// Removes the bytes of the frame while it is read. `finish(_:isRead:)` puts them back.
    mutating func take() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &frame)
        return bytes
    }

    /// Ends the reading of a frame. The frame stays in the buffer if it is not read yet.
    mutating func finish(_ bytes: consuming [UInt8], isRead: Bool) {
        frame = bytes
        if isRead {
            frame.removeAll(keepingCapacity: true)
            isUsed = false
        }
    }

    /// Removes the bytes to read again while they are read. `putBack(_:at:)` puts them back.
    mutating func takeAgain() -> (bytes: [UInt8], offset: Int) {
        var bytes: [UInt8] = []
        swap(&bytes, &again)
        isUsed = false
        return (bytes, offset)
    }

    /// Keeps the bytes that still have to be read again. They come after bytes that were added for rereading in the
    /// meantime, and after a frame that is complete but not read yet.
    mutating func putBack(_ bytes: consuming [UInt8], at offset: Int) {
        if !frame.isEmpty, frame.count >= needed {
            swap(&frame, &again)
            again.append(contentsOf: bytes[offset...])
            self.offset = 0
        } else if isReadAgain {
            again.append(contentsOf: bytes[offset...])
        } else {
            let isRead = offset >= bytes.count
            again = bytes
            self.offset = offset
            if isRead { again.removeAll(keepingCapacity: true) } else { isUsed = true }
        }
    }

    /// Has bytes read again as frames that had been mistaken for a sentence. No other bytes are waiting to be read
    /// again then.
    mutating func readAgain(_ bytes: RawSpan, from start: Int, to end: Int) {
        bytes.extracting(start..<end).withUnsafeBytes { again.append(contentsOf: $0) }
        offset = 0
        isUsed = true
    }
}
