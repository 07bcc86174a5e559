import NIOCore

/// Splits a stream of bytes into frames at each NUL. It buffers at most one frame, and holds no memory between frames.
struct FrameDecoder {
    /// The error for a frame that exceeds the limit before its NUL.
    struct FrameTooLong: Error {}

    /// The maximum length of a frame without its NUL, in bytes.
    let maximumFrameSize: Int
    /// The beginning of a frame whose end has not been received, or `nil` between frames.
    private var partial: ByteBuffer?

    init(maximumFrameSize: Int) {
        self.maximumFrameSize = maximumFrameSize
    }

    /// Consumes and returns the next frame of `input`, without its NUL. Returns `nil` once `input` is used up.
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

    /// Appends a copy of `slice`, so that the receive buffer can be reused.
    private mutating func append(_ slice: ByteBuffer) {
        if slice.readableBytes > 0 { partial.setOrWriteImmutableBuffer(ByteBuffer(copying: slice)) }
    }
}

extension ByteBuffer {
    /// Creates a buffer with its own storage, no larger than the readable bytes of `other`.
    init(copying other: ByteBuffer) {
        self = ByteBufferAllocator().buffer(capacity: other.readableBytes)
        writeImmutableBuffer(other)
    }
}
