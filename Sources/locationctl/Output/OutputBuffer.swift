internal import Glibc
internal import NIOCore
internal import Varlink

/// Output that is gathered and written in large pieces.
struct OutputBuffer {
    private let descriptor: Int32
    private var buffer = ByteBuffer()
    private static let size = 1 << 16

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    mutating func append(_ text: String) {
        buffer.writeString(text)
        if buffer.readableBytes >= Self.size { flush() }
    }

    /// Appends an object, whose fields `body` writes, and a line end.
    mutating func appendJSONLine(_ body: (inout JSONWriter) -> Void) {
        var taken = ByteBuffer()
        swap(&taken, &buffer)
        var writer = JSONWriter(appendingTo: taken)
        taken = ByteBuffer()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        buffer = writer.buffer
        buffer.writeInteger(UInt8(ascii: "\n"))
        if buffer.readableBytes >= Self.size { flush() }
    }

    /// Writes what was gathered. A reader that has gone away ends the program by SIGPIPE.
    mutating func flush() {
        while buffer.readableBytes > 0 {
            let written = buffer.withUnsafeReadableBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno != EINTR { break }
            buffer.moveReaderIndex(forwardBy: max(0, written))
        }
        buffer.clear()
    }
}
