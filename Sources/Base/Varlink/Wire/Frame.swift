public import NIOCore

/// Encoding of whole frames: a JSON object and the NUL that ends it.
/// A frame for many connections is encoded once, because copies of a `ByteBuffer` share their storage.
public enum Frame {
    /// Returns a reply whose parameters are the fields of `parameters`.
    ///
    /// - Throws: `EncodingError`.
    public static func reply(parameters: some Encodable, continues: Bool = false) throws -> ByteBuffer {
        try make { writer in
            writer.key("parameters")
            try writer.value(encoding: parameters)
            if continues { writer.field("continues", true) }
        }
    }

    /// Returns a reply with the parameters that `body` writes, as fields of an object, directly into the send buffer.
    ///
    /// - Parameter capacity: The maximum number of bytes that `body` writes.
    public static func reply(
        continues: Bool = false, capacity: Int, _ body: (inout JSONOutput) -> Void
    ) -> ByteBuffer {
        let (start, end): (StaticString, StaticString) = (
            #"{"parameters":{"#, continues ? "},\"continues\":true}\0" : "}}\0"
        )
        let size = start.utf8CodeUnitCount + capacity + end.utf8CodeUnitCount
        var frame = ByteBufferAllocator().buffer(capacity: size)
        frame.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { memory in
            var output = JSONOutput(memory)
            output.verbatim(start)
            body(&output)
            output.verbatim(end)
            return output.count
        }
        return frame
    }

    /// Returns an error reply.
    public static func error(_ error: VarlinkError) -> ByteBuffer {
        make { writer in
            writer.field("error", error.name)
            writer.key("parameters")
            writer.value(error.parameters)
        }
    }

    /// Returns a call of a fully qualified method.
    ///
    /// - Throws: `EncodingError`.
    public static func call(
        _ method: String, parameters: some Encodable, more: Bool = false, oneway: Bool = false
    ) throws -> ByteBuffer {
        try make { writer in
            writer.field("method", method)
            writer.key("parameters")
            try writer.value(encoding: parameters)
            if more { writer.field("more", true) }
            if oneway { writer.field("oneway", true) }
        }
    }

    private static func make<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) -> ByteBuffer {
        var writer = JSONWriter()
        writer.beginObject()
        try body(&writer)
        writer.endObject()
        var frame = ByteBufferAllocator().buffer(capacity: writer.bytes.count + 1)
        frame.writeBytes(writer.bytes)
        frame.writeInteger(UInt8(0))
        return frame
    }
}
