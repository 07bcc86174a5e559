public import NIOCore

/// One call of any method, until its last answer or the end of its connection. A ``Call`` adds the type of the method.
///
/// Confined to the event loop of its connection. A call may be answered after its handler has returned; the
/// connection's further calls wait for it. A `oneway` call accepts answers like any other call, but sends none.
public final class AnyCall {
    /// The connection that received the call.
    public let connection: Connection
    /// The interface's name.
    public let interface: String
    /// The method's name, without the interface's.
    public let method: String
    /// A Boolean value indicating whether the caller accepts more than one reply.
    public let more: Bool
    /// A Boolean value indicating whether the caller expects no reply.
    public let oneway: Bool
    /// The parameters, an object that fits the method's definition. Empty once the first of several replies has been
    /// sent, because a stream would keep them for a long time.
    public private(set) var parameters: JSONValue
    /// A Boolean value indicating whether the call accepts no further answers, because the last one has been sent or
    /// the connection has closed.
    public var isEnded: Bool { _isEnded }
    private var _isEnded = false
    private var hasParameters = true
    private var onEnd: (() -> Void)?

    init(
        connection: Connection, interface: String, method: String, more: Bool, oneway: Bool, parameters: JSONValue
    ) {
        self.connection = connection
        self.interface = interface
        self.method = method
        self.more = more
        self.oneway = oneway
        self.parameters = parameters
    }

    /// Returns the parameters as a value of `type`.
    ///
    /// - Throws: InvalidParameter with the name of the parameter that does not fit.
    public func parameters<T: Decodable>(as type: T.Type = T.self) throws(VarlinkError) -> T {
        do {
            return try parameters.decoded(as: type)
        } catch let error as DecodingError {
            throw VarlinkError(error)
        } catch {
            throw .invalidParameter("parameters")
        }
    }

    /// Calls `body` once the call has ended.
    ///
    /// If the call has already ended, `body` is called at once. Otherwise it is called from within
    /// ``reply(_:continues:)``, ``reply(frame:continues:)`` or ``fail(_:)`` if that is the last answer, or else from
    /// the event loop. While the caller accepts ``more``, it is never called from within ``offer(frame:)``. This
    /// function may be called only once for each call.
    public func whenEnded(_ body: @escaping () -> Void) {
        guard !isEnded else { return body() }
        precondition(onEnd == nil, "whenEnded is called once")
        onEnd = body
    }

    /// Throws ExpectedMore if the caller accepts only one reply.
    public func requireMore() throws(VarlinkError) {
        guard more else { throw .expectedMore }
    }

    /// Sends a reply with the fields of `parameters`.
    ///
    /// - Parameters:
    ///   - parameters: A value that encodes as an object. An `EncodingError` is a programming error and closes the
    ///     connection.
    ///   - continues: `true` if more replies follow. The call then fails with ExpectedMore if the caller does not
    ///     accept ``more``.
    public func reply(_ parameters: some Encodable, continues: Bool = false) {
        guard !isEnded else { return }
        do {
            reply(frame: try Frame.reply(parameters: parameters, continues: continues), continues: continues)
        } catch {
            assertionFailure("\(interface).\(method): \(error)")
            connection.close()
        }
    }

    /// Sends a reply that is a whole frame, including its NUL, as ``Frame`` encodes it.
    ///
    /// Every such reply is delivered, in order. While the peer does not read, replies wait, up to
    /// ``VarlinkServer/Limits/unsentBytes``. Exceeding that limit closes the connection.
    ///
    /// - Parameters:
    ///   - frame: The frame, which must itself contain `continues` if more replies follow.
    ///   - continues: As in ``reply(_:continues:)``.
    public func reply(frame: ByteBuffer, continues: Bool = false) {
        guard !isEnded else { return }
        guard continues else {
            if !oneway { connection.send(frame) }
            return end()
        }
        guard admitsContinuing() else { return }
        connection.send(frame)
    }

    /// Sends a whole frame that supersedes older ones of the same call, such as the newest position.
    ///
    /// The frame is sent at once if the connection has nothing unsent. Otherwise it becomes the connection's only
    /// pending update and replaces an older one that has not been sent (``Connection/replacedUpdates``). It never
    /// waits. If the caller does not accept ``more``, the call ends with ExpectedMore.
    public func offer(frame: ByteBuffer) {
        guard !isEnded, admitsContinuing() else { return }
        connection.send(frame, replaceable: true)
    }

    /// Ends the call with an error. Drops a pending update that has not been sent.
    public func fail(_ error: VarlinkError) {
        guard !isEnded else { return }
        connection.dropPendingUpdate()
        if !oneway { connection.send(Frame.error(error)) }
        end()
    }

    private func admitsContinuing() -> Bool {
        if more {
            if hasParameters { parameters = [:] }
            hasParameters = false
        } else if !oneway {
            fail(.expectedMore)
        }
        return more
    }

    private func end() {
        markEnded()
        connection.callEnded()
    }

    /// Marks the call as ended, so that nothing more is sent.
    func markEnded() {
        _isEnded = true
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?()
    }
}
