internal import Glibc
internal import Varlink

/// Output that is gathered and written in large pieces.
struct OutputBuffer {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private static let size = 1 << 16

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    mutating func append(_ text: String) {
        bytes += text.utf8
        flushIfFull()
    }

    /// Appends an object, whose fields `body` writes, and a line end.
    mutating func appendJSONLine(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        bytes += writer.bytes
        bytes.append(UInt8(ascii: "\n"))
        flushIfFull()
    }

    /// Writes what was gathered. A reader that has gone away ends the program by SIGPIPE.
    mutating func flush() {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            if count < 0, errno != EINTR { break }
            written += max(0, count)
        }
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func flushIfFull() {
        if bytes.count >= Self.size { flush() }
    }
}
