public import NIOCore

/// A reply of `Method` as bytes: made once for all the calls that get the same.
public struct EncodedReply<Method: VarlinkMethod> {
    /// The whole frame, NUL included.
    public let frame: ByteBuffer
    /// A Boolean value indicating whether more replies follow.
    public let continues: Bool

    /// Encodes a reply. Throws `EncodingError`.
    public init(_ reply: Method.Reply, continues: Bool) throws {
        frame = try Frame.reply(parameters: reply, continues: continues)
        self.continues = continues
    }

    /// Encodes a reply whose fields `write` writes, without the detour of `Codable`. They must be those of `Method.Reply`.
    ///
    /// - Parameter capacity: The most that `write` writes, in bytes.
    public init(continues: Bool, capacity: Int, write: (inout JSONOutput) -> Void) {
        frame = Frame.reply(continues: continues, capacity: capacity, write)
        self.continues = continues
    }
}
