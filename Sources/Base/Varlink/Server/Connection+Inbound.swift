import NIOCore

extension Connection {
    /// The inbound half of a connection: what was read, and what is handled next.
    ///
    /// It has no I/O: it is notified of events, and ``next(repliesAreSent:)`` returns what to do. Calls
    /// are handled one after the other, and nothing more is read while one of them is.
    struct Inbound {
        /// An action of the connection.
        enum Action {
            /// Receive once from the socket.
            case read
            /// Have a whole frame handled when it is the user's turn: ``beginTurn()``.
            case handle
            /// Answer with an error, and close.
            case fail(VarlinkError)
            /// Close once the replies are sent: the peer makes no more calls, and all of them are answered.
            case finish
        }

        /// The way a frame is handled.
        enum Turn {
            /// A call: ``didEndCall()`` follows once it is answered.
            case call(ByteBuffer)
            /// The call of a refused peer: it is answered with the error, and the connection closed.
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
            /// A whole frame waits for the user's turn.
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
        /// Bytes that were read and not yet cut into frames.
        private var input: ByteBuffer?
        private var decoder: FrameDecoder

        init(maximumFrameSize: Int) {
            decoder = FrameDecoder(maximumFrameSize: maximumFrameSize)
        }

        /// Has the peer's calls handled. Returns `false` if the peer was admitted or refused before.
        mutating func admit() -> Bool { decide(.admitted) }

        /// Has the peer's first call answered with `error`. Returns `false` if the peer was admitted or refused before.
        mutating func refuse(_ error: VarlinkError) -> Bool { decide(.refused(error)) }

        private mutating func decide(_ decision: Admission) -> Bool {
            guard case .pending = admission else { return false }
            admission = decision
            return true
        }

        /// Keeps what was read. Returns `false` if that is more than a frame may have.
        mutating func receive(_ bytes: ByteBuffer) -> Bool {
            isReading = false
            if case .closed = state { return true }
            var bytes = bytes
            guard (input?.readableBytes ?? 0) + bytes.readableBytes <= decoder.maximumFrameSize else { return false }
            input.setOrWriteBuffer(&bytes)
            return true
        }

        /// The peer has closed its side for writing.
        mutating func didReachEnd() {
            isAtEnd = true
        }

        /// Returns what to do next, or `nil` while there is something to wait for.
        ///
        /// Attack: a peer makes calls and does not read the replies, which then pile up. So no call is handled, and
        /// nothing read, unless all replies are sent.
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

        /// Returns how the frame that waits is to be handled, or `nil` if the connection was closed in the meantime.
        mutating func beginTurn() -> Turn? {
            guard case .waiting(let frame) = state else { return nil }
            if case .refused(let error) = admission {
                close()
                return .refuse(error)
            }
            state = .calling
            return .call(frame)
        }

        /// The call has had its last answer.
        mutating func didEndCall() {
            if case .calling = state { state = .idle }
        }

        /// Handles nothing any more, and drops what was read.
        mutating func close() {
            state = .closed
            input = nil
        }

        /// The next whole frame in `input`, copied, so that the buffer that was read into can be used again.
        private mutating func nextFrame() throws(FrameDecoder.FrameTooLong) -> ByteBuffer? {
            guard var rest = input else { return nil }
            input = nil
            let frame = try decoder.next(&rest)
            if rest.readableBytes > 0 { input = rest }
            return frame.map { ByteBuffer(copying: $0) }
        }
    }
}
