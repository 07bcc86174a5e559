import NIOCore

/// Cuts a stream of bytes into frames at each NUL, and holds no more than one frame's worth of them.
///
/// Between frames it owns no memory.
struct FrameDecoder {
    /// A frame reached the limit before its NUL came.
    struct FrameTooLong: Error {}

    /// The greatest length of a frame, the NUL not counted, in bytes.
    let maximumFrameSize: Int
    /// The beginning of a frame whose end has not come yet.
    private var partial: ByteBuffer?

    init(maximumFrameSize: Int) {
        self.maximumFrameSize = maximumFrameSize
    }

    /// Takes the next frame, without its NUL, from the front of `input`; `nil` when all of `input` is used up.
    mutating func next(_ input: inout ByteBuffer) throws(FrameTooLong) -> ByteBuffer? {
        let available = input.readableBytesView
        let end = available.firstIndex(of: 0)
        let length = end.map { $0 - available.startIndex } ?? available.count
        guard (partial?.readableBytes ?? 0) + length <= maximumFrameSize else { throw FrameTooLong() }
        guard let slice = input.readSlice(length: length) else { return nil }
        if end == nil {
            append(slice)
            return nil
        }
        input.moveReaderIndex(forwardBy: 1)
        guard partial != nil else { return slice }
        append(slice)
        defer { partial = nil }
        return partial
    }

    /// Copies, so that the buffer that was read into can be used again.
    private mutating func append(_ slice: ByteBuffer) {
        if slice.readableBytes > 0 { partial.setOrWriteImmutableBuffer(ByteBuffer(copying: slice)) }
    }
}

extension ByteBuffer {
    /// A buffer of its own that is no larger than the readable bytes of `other`.
    init(copying other: ByteBuffer) {
        self = ByteBufferAllocator().buffer(capacity: other.readableBytes)
        writeImmutableBuffer(other)
    }
}
