import NIOCore

extension Connection {
    /// The inbound half of a connection. It decides when something is read, and which frame is handled next.
    ///
    /// It does no I/O: it is notified of events, and ``next(repliesAreSent:)`` returns the next action. Calls are
    /// handled one after another, and nothing is read while a call is being handled.
    struct Inbound {
        /// An action of the connection.
        enum Action {
            /// Receive once from the socket.
            case read
            /// Handle a whole frame with ``beginTurn()`` when it is the user's turn.
            case handle
            /// Answer with an error, then close.
            case fail(VarlinkError)
            /// Close once the replies are sent: the peer makes no more calls, and all of its calls are answered.
            case finish
        }

        /// The way to handle a frame.
        enum Turn {
            /// A call. ``didEndCall()`` follows once it is answered.
            case call(ByteBuffer)
            /// The call of a refused peer. It is answered with the error, and the connection is closed.
            case refuse(VarlinkError)
        }

        private enum Admission {
            case pending
            case admitted
            case refused(VarlinkError)
        }

        private enum State {
            /// No frame is being handled.
            case idle
            /// A whole frame waits for its user's turn.
            case waiting(ByteBuffer)
            /// A call is being handled.
            case calling
            /// Nothing is handled any more.
            case closed
        }

        private var admission = Admission.pending
        private var state = State.idle
        private var isReading = false
        /// A Boolean value indicating whether the peer has closed its side for writing.
        private var isAtEnd = false
        /// The bytes that were read but not yet split into frames.
        private var input: ByteBuffer?
        private var decoder: FrameDecoder

        init(maximumFrameSize: Int) {
            decoder = FrameDecoder(maximumFrameSize: maximumFrameSize)
        }

        /// Lets the peer's calls be handled. Returns `false` if the peer was admitted or refused before.
        mutating func admit() -> Bool { decide(.admitted) }

        /// Lets the peer's first call be answered with `error`. Returns `false` if the peer was admitted or refused
        /// before.
        mutating func refuse(_ error: VarlinkError) -> Bool { decide(.refused(error)) }

        private mutating func decide(_ decision: Admission) -> Bool {
            guard case .pending = admission else { return false }
            admission = decision
            return true
        }

        /// Keeps received bytes. Returns `false` if they exceed the size of a frame.
        mutating func receive(_ bytes: ByteBuffer) -> Bool {
            isReading = false
            if case .closed = state { return true }
            var bytes = bytes
            guard (input?.readableBytes ?? 0) + bytes.readableBytes <= decoder.maximumFrameSize else { return false }
            input.setOrWriteBuffer(&bytes)
            return true
        }

        /// Handles that the peer has closed its side for writing.
        mutating func didReachEnd() {
            isAtEnd = true
        }

        /// Returns the next action, or `nil` if the connection has to wait.
        ///
        /// Attack: a peer makes calls and does not read the replies, which then pile up. So no call is handled, and
        /// nothing is read, until all replies are sent.
        mutating func next(repliesAreSent: Bool) -> Action? {
            guard case .idle = state else { return nil }
            if case .pending = admission { return nil }
            if repliesAreSent, input != nil {
                do {
                    if let frame = try nextFrame() {
                        state = .waiting(frame)
                        return .handle
                    }
                } catch {
                    close()
                    return .fail(.invalidParameter("message"))
                }
            }
            if isAtEnd {
                guard input == nil else { return nil }
                close()
                return .finish
            }
            guard repliesAreSent, !isReading else { return nil }
            isReading = true
            return .read
        }

        /// Returns the way to handle the waiting frame, or `nil` if the connection was closed in the meantime.
        mutating func beginTurn() -> Turn? {
            guard case .waiting(let frame) = state else { return nil }
            if case .refused(let error) = admission {
                close()
                return .refuse(error)
            }
            state = .calling
            return .call(frame)
        }

        /// Handles the last answer to the current call.
        mutating func didEndCall() {
            if case .calling = state { state = .idle }
        }

        /// Stops handling frames, and drops the received bytes.
        mutating func close() {
            state = .closed
            input = nil
        }

        /// Returns the next whole frame of `input`, copied so that the receive buffer can be reused.
        private mutating func nextFrame() throws(FrameDecoder.FrameTooLong) -> ByteBuffer? {
            guard var rest = input else { return nil }
            input = nil
            let frame = try decoder.next(&rest)
            if rest.readableBytes > 0 { input = rest }
            return frame.map { ByteBuffer(copying: $0) }
        }
    }
}
