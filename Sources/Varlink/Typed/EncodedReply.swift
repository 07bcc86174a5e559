public import NIOCore

/// A reply of `Method` as bytes, encoded once for all calls that get the same reply.
public struct EncodedReply<Method: VarlinkMethod> {
    /// The whole frame, including its NUL.
    public let frame: ByteBuffer
    /// A Boolean value indicating whether more replies follow.
    public let continues: Bool

    /// Encodes a reply.
    ///
    /// - Throws: `EncodingError`.
    public init(_ reply: Method.Reply, continues: Bool) throws {
        frame = try Frame.reply(parameters: reply, continues: continues)
        self.continues = continues
    }

    /// Creates a reply whose fields `write` writes directly, without `Codable`. They must be those of `Method.Reply`.
    ///
    /// - Parameter capacity: The maximum number of bytes that `write` writes.
    public init(continues: Bool, capacity: Int, write: (inout JSONOutput) -> Void) {
        frame = Frame.reply(continues: continues, capacity: capacity, write)
        self.continues = continues
    }
}
