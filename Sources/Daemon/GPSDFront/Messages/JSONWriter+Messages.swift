internal import JSON
internal import LocationModel
internal import NIOCore

/// Writing of the parts that gpsd's messages have in common: compact, in the order and with the decimals of gpsd 3.22.
///
/// libgps 3.22 does not recognize a message with blanks, and hcxdumptool and airodump-ng search for texts in it.
extension JSONWriter {
    /// Writes a message: one object, with its class first.
    mutating func message(_ name: String, _ body: (inout JSONWriter) -> Void) {
        beginObject()
        field("class", name)
        body(&self)
        endObject()
    }

    /// Writes a time: `2026-11-21T12:03:10.000Z`.
    mutating func time(_ key: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        self.key(key)
        value(plain: time.rfc3339.span)
    }

    /// Writes a field with an integer, unless it is `nil`.
    mutating func integer(_ key: StaticString, _ value: Int?) {
        field(key, value.map { Int64($0) })
    }
}

extension ByteBuffer {
    /// Creates a buffer with the output of `body`, for sending.
    ///
    /// - Parameter capacity: The expected number of bytes.
    init(capacity: Int, _ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(capacity: capacity)
        body(&writer)
        self.init(bytes: writer.bytes)
    }

    /// Creates the line of one message.
    init(line body: (inout JSONWriter) -> Void) {
        self.init(capacity: 512) { writer in
            body(&writer)
            writer.endLine()
        }
    }
}
