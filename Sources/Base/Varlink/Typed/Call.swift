public import NIOCore

/// One call of `Method`. It can be answered only with replies of that method and errors of its interface.
///
/// Confined to the event loop of its connection. A call may be answered after its handler has returned; the
/// connection's further calls wait for it.
public struct Call<Method: VarlinkMethod> {
    /// The call without the type of its method.
    public let untyped: AnyCall

    /// The connection that received the call.
    public var connection: Connection { untyped.connection }
    /// A Boolean value indicating whether the caller accepts more than one reply.
    public var more: Bool { untyped.more }
    /// A Boolean value indicating whether the last reply has been sent, or the connection has closed.
    public var isEnded: Bool { untyped.isEnded }

    init(_ untyped: AnyCall) {
        self.untyped = untyped
    }

    /// Sends the last reply.
    public func reply(_ reply: Method.Reply) { untyped.reply(reply) }

    /// Sends a reply that is not the last. The caller must accept ``more``.
    public func send(_ reply: Method.Reply) { untyped.reply(reply, continues: true) }

    /// Sends an encoded reply, which is the last one unless it states that more replies follow.
    public func reply(_ reply: EncodedReply<Method>) { untyped.reply(frame: reply.frame, continues: reply.continues) }

    /// Sends a reply that supersedes older ones, such as the newest position. More replies follow. See
    /// ``AnyCall/offer(frame:)``.
    public func offer(_ reply: EncodedReply<Method>) {
        precondition(reply.continues, "a last reply is not replaced by a newer one")
        untyped.offer(frame: reply.frame)
    }

    /// Ends the call with an error of its interface.
    public func fail(_ failure: Method.Interface.Failure) { untyped.fail(VarlinkError(failure)) }

    /// Ends the call with an error of `org.varlink.service` or of its interface.
    public func fail(_ error: VarlinkError) { untyped.fail(error) }

    /// Calls `body` once the call has ended. See ``AnyCall/whenEnded(_:)``.
    public func whenEnded(_ body: @escaping () -> Void) { untyped.whenEnded(body) }
}

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

    /// Creates a reply from fields that `write` writes directly, without `Codable`. They must be the fields of
    /// `Method.Reply`.
    ///
    /// - Parameter capacity: The maximum number of bytes that `write` writes.
    public init(continues: Bool, capacity: Int, write: (inout JSONOutput) -> Void) {
        frame = Frame.reply(continues: continues, capacity: capacity, write)
        self.continues = continues
    }
}
