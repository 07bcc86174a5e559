/// One call of `Method`, which can be answered with that method's replies and its interface's errors only.
///
/// Confined to the event loop of its connection. A call may be answered later than its handler returns; the connection's
/// further calls wait for it.
public struct Call<Method: VarlinkMethod> {
    /// The call, whatever its method.
    public let untyped: AnyCall

    /// The connection that it came on.
    public var connection: Connection { untyped.connection }
    /// A Boolean value indicating whether the caller takes more than one reply.
    public var more: Bool { untyped.more }
    /// A Boolean value indicating whether the last reply was given, or the connection is gone.
    public var isEnded: Bool { untyped.isEnded }

    init(_ untyped: AnyCall) {
        self.untyped = untyped
    }

    /// Replies for the last time.
    public func reply(_ reply: Method.Reply) { untyped.reply(reply) }

    /// Replies; more replies follow. The caller must take ``more``.
    public func send(_ reply: Method.Reply) { untyped.reply(reply, continues: true) }

    /// Replies: for the last time, unless the reply says that more follow.
    public func reply(_ reply: EncodedReply<Method>) { untyped.reply(frame: reply.frame, continues: reply.continues) }

    /// Replies with what makes older replies of the same kind worthless, such as the newest position: see
    /// ``AnyCall/offer(frame:)``. More replies follow.
    public func offer(_ reply: EncodedReply<Method>) {
        precondition(reply.continues, "a last reply is not replaced by a newer one")
        untyped.offer(frame: reply.frame)
    }

    /// Ends the call with an error of its interface.
    public func fail(_ failure: Method.Interface.Failure) { untyped.fail(VarlinkError(failure)) }

    /// Ends the call with an error: one of `org.varlink.service`, or of its interface.
    public func fail(_ error: VarlinkError) { untyped.fail(error) }

    /// Calls `body` once the call has ended: see ``AnyCall/whenEnded(_:)``.
    public func whenEnded(_ body: @escaping () -> Void) { untyped.whenEnded(body) }
}
