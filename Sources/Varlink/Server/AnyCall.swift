public import NIOCore

/// One call of some method, until it has been answered for good or its connection is gone. A ``Call`` says of which.
///
/// Confined to the event loop of its connection. A call may be answered later than its handler returns; the
/// connection's further calls wait for it. A `oneway` call takes answers like any other, and sends none.
public final class AnyCall {
    /// The connection that it came on.
    public let connection: Connection
    /// The interface's name.
    public let interface: String
    /// The method's name, without the interface.
    public let method: String
    /// A Boolean value indicating whether the caller takes more than one reply.
    public let more: Bool
    /// A Boolean value indicating whether the caller wants no reply at all.
    public let oneway: Bool
    /// An object that fits the method's definition. Empty once the first of several replies is sent, since a stream
    /// would keep it for long.
    public private(set) var parameters: JSONValue
    /// A Boolean value indicating whether no answer goes out any more: the last one has been given, or the connection
    /// is gone.
    public private(set) var isEnded = false
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

    /// The parameters as a value of `type`; throws InvalidParameter that names the one that does not fit.
    public func parameters<T: Decodable>(as type: T.Type = T.self) throws(VarlinkError) -> T {
        do {
            return try parameters.decoded(as: type)
        } catch let error as DecodingError {
            throw VarlinkError(error)
        } catch {
            throw .invalidParameter("parameters")
        }
    }

    /// Calls `body` once the call has ended: at once if it has, else from within ``reply(_:continues:)``,
    /// ``reply(frame:continues:)`` or ``fail(_:)`` when that is the last answer, otherwise from the event loop, never from
    /// within ``offer(frame:)``. To be called once for each call.
    public func whenEnded(_ body: @escaping () -> Void) {
        guard !isEnded else { return body() }
        precondition(onEnd == nil, "the end of a call is followed by one")
        onEnd = body
    }

    /// Throws ExpectedMore when the caller takes one reply only.
    public func requireMore() throws(VarlinkError) {
        guard more else { throw .expectedMore }
    }

    /// Replies with the fields of `parameters`.
    ///
    /// - Parameters:
    ///   - parameters: Encodes as an object, without fail: an `EncodingError` is a mistake in the program, and
    ///     closes the connection.
    ///   - continues: Whether more replies follow. For a caller that did not ask for `more` the call then fails
    ///     with ExpectedMore.
    public func reply(_ parameters: some Encodable, continues: Bool = false) {
        guard !isEnded else { return }
        do {
            reply(frame: try Frame.reply(parameters: parameters, continues: continues), continues: continues)
        } catch {
            assertionFailure("\(interface).\(method): \(error)")
            connection.close()
        }
    }

    /// Replies with a whole frame, NUL included, as ``Frame`` makes them.
    ///
    /// Every such reply is delivered, in order. As long as the peer does not read, replies wait, up to
    /// ``VarlinkServer/Limits/unsentBytes``; more close the connection.
    ///
    /// - Parameters:
    ///   - frame: Must itself say `continues` when more follow.
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

    /// Replies with a whole frame that makes older ones of the same call worthless, such as the newest position.
    ///
    /// Goes out at once when the connection has nothing unsent. Otherwise it is the one pending update of its
    /// connection, and takes the place of an older one that has not gone out (``Connection/replacedUpdates``). Never
    /// waits, never ends the call from within.
    public func offer(frame: ByteBuffer) {
        guard !isEnded, admitsContinuing() else { return }
        connection.send(frame, replaceable: true)
    }

    /// Replies with an error, which is the last answer. A pending update that has not gone out is dropped.
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
        connectionEnded()
        connection.callEnded()
    }

    /// The connection is gone: nothing is answered any more.
    func connectionEnded() {
        isEnded = true
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?()
    }
}
