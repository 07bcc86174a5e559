/// Finds the frames of RTCM 3 in a stream of bytes, and skips everything else.
///
/// It holds at most two frames' length of bytes, and allocates no memory for a frame.
package struct RTCMDelimiter: Sendable {
    private static let capacity = 2 * RTCMFrame.maximumLength

    /// The bytes that may belong to a frame that is not complete.
    private var buffer: [UInt8] = []
    /// The number of bytes so far that belong to no intact frame.
    package private(set) var skipped = 0

    package init() { buffer.reserveCapacity(Self.capacity) }

    /// Consumes bytes, and calls `onFrame` with each intact frame, its bytes from the preamble to the CRC.
    package mutating func receive(_ bytes: RawSpan, onFrame: (RTCMFrame, Span<UInt8>) -> Void) {
        var offset = 0
        while offset < bytes.byteCount {
            let count = min(bytes.byteCount - offset, Self.capacity - buffer.count)
            bytes.extracting(offset..<offset + count).withUnsafeBytes { buffer.append(contentsOf: $0) }
            offset += count
            scan(onFrame)
        }
    }

    private mutating func scan(_ onFrame: (RTCMFrame, Span<UInt8>) -> Void) {
        var start = 0
        scanning: while start < buffer.count {
            switch Self.scan(buffer.span, from: start) {
            case .intact(let length):
                let bytes = buffer.span.extracting(start..<start + length)
                let payload = length - RTCMFrame.headerLength - RTCMFrame.checksumLength
                if payload > 0 { onFrame(RTCMFrame(bytes, payloadLength: payload), bytes) }
                start += length
            case .absent:
                start += 1
                skipped += 1
            case .cutOff: break scanning
            }
        }
        buffer.removeSubrange(..<start)
    }

    private enum Scan {
        /// A frame of this length, in bytes.
        case intact(Int)
        case absent, cutOff
    }

    /// Looks for a frame at an offset.
    ///
    /// After a wrong CRC, the next byte may begin a frame. Attack: a false length hides the intact frames after it.
    private static func scan(_ bytes: Span<UInt8>, from start: Int) -> Scan {
        guard bytes[start] == RTCMFrame.preamble else { return .absent }
        let available = bytes.count - start
        guard available > 1 else { return .cutOff }
        guard bytes[start + 1] & 0xFC == 0 else { return .absent }
        guard available >= RTCMFrame.headerLength else { return .cutOff }
        let payload = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        let length = RTCMFrame.headerLength + payload + RTCMFrame.checksumLength
        guard available >= length else { return .cutOff }
        return CRC24Q.remainder(of: bytes, from: start, to: start + length) == 0 ? .intact(length) : .absent
    }
}
