internal import ForeignText
package import Varlink

/// Standard output, collected and written in large chunks.
package struct OutputBuffer {
    private var bytes: [UInt8] = []
    /// The reason why output was lost. It is reported by the next ``flush()``.
    package private(set) var failure: Failure?

    package init() {}
    private static let size = 1 << 16

    package mutating func append(_ text: String) {
        bytes += text.utf8
        flushIfFull()
    }

    /// Appends a line with one JSON object, whose fields `body` writes.
    package mutating func appendJSONLine(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        if ForeignText.isPlain(writer.bytes.span) {
            bytes += writer.bytes
        } else {
            bytes += ForeignText.escapedInJSON(writer.text).utf8
        }
        bytes.append(UInt8(ascii: "\n"))
        flushIfFull()
    }

    /// Writes the collected output. Fails if this or an earlier part could not be written.
    package mutating func flush() throws(Failure) {
        if let failure { throw failure }
        defer { bytes.removeAll(keepingCapacity: true) }
        try Terminal.writeOutput(bytes)
    }

    private mutating func flushIfFull() {
        guard bytes.count >= Self.size else { return }
        do throws(Failure) { try flush() } catch { failure = error }
        if failure != nil { bytes.removeAll() }
    }
}
