internal import Glibc
internal import Varlink

/// Output that is collected and written in large chunks.
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

    /// Appends a line with one JSON object, whose fields `body` writes.
    mutating func appendJSONLine(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        bytes += writer.bytes
        bytes.append(UInt8(ascii: "\n"))
        flushIfFull()
    }

    /// Writes the collected output. If the reader has gone away, SIGPIPE ends the program.
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
