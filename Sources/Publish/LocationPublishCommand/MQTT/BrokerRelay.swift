internal import Glibc

/// Passes on the bytes between libmosquitto and the broker, a few at a time. Confined to one thread.
///
/// Attack: the broker, or an attacker on the way to it, sends a packet of 268 MB. libmosquitto 2.0.11 does not limit
/// its input: it reserves the announced size, reads as long as bytes arrive, and reports nothing before the packet is
/// complete. So its own socket is replaced with one end of a socket pair, and it reads only bytes passed on here. This
/// works with TLS too: the bytes are unchanged.
final class BrokerRelay {
    /// One direction. Nothing is read before the last piece has been written.
    private struct Flow {
        let source: CInt
        let target: CInt
        private var piece = [4096 of UInt8](repeating: 0)
        private var rest = 0..<0
        private var hasEnded = false

        init(from source: CInt, to target: CInt) {
            self.source = source
            self.target = target
        }

        var events: (source: CInt, target: CInt) {
            rest.isEmpty ? (hasEnded ? 0 : POLLIN, 0) : (0, POLLOUT)
        }

        /// Passes on at most one piece, without waiting. Returns the number of bytes read, or `nil` after an error,
        /// which is in `errno`.
        mutating func advance() -> Int? {
            var received = 0
            if rest.isEmpty, !hasEnded {
                let source = source
                var span = piece.mutableSpan
                received = span.withUnsafeMutableBytes { recv(source, $0.baseAddress, $0.count, 0) }
                guard received >= 0 else { return Self.isTemporary ? 0 : nil }
                rest = 0..<received
                if received == 0 {
                    hasEnded = true
                    shutdown(target, CInt(SHUT_WR))
                }
            }
            guard !rest.isEmpty else { return received }
            let written = piece.span.withUnsafeBytes {
                send(target, $0.baseAddress! + rest.lowerBound, rest.count, CInt(MSG_NOSIGNAL))
            }
            guard written >= 0 else { return Self.isTemporary ? received : nil }
            rest = rest.lowerBound + written..<rest.upperBound
            return received
        }

        private static var isTemporary: Bool { errno == EAGAIN || errno == EINTR }
    }

    /// The socket of the connection to the broker.
    let broker: CInt
    private let end: CInt
    private var incoming: Flow
    private var outgoing: Flow

    /// Puts the relay between the broker and a connected socket: the descriptor then belongs to one end of a pair.
    /// Returns `nil` if the process has run out of descriptors.
    init?(between socket: CInt) {
        var ends: [CInt] = [-1, -1]
        // On Linux, these are SOCK_CLOEXEC and SOCK_NONBLOCK: socket(2).
        let type = CInt(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        defer { close(ends[0]) }
        broker = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        end = ends[1]
        incoming = Flow(from: broker, to: end)
        outgoing = Flow(from: end, to: broker)
        guard broker >= 0, dup2(ends[0], socket) >= 0 else { return nil }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(broker)
        close(end)
    }

    /// The descriptors to wait for.
    var polled: [pollfd] {
        let (arriving, leaving) = (incoming.events, outgoing.events)
        return [
            pollfd(fd: broker, events: Int16(arriving.source | leaving.target), revents: 0),
            pollfd(fd: end, events: Int16(leaving.source | arriving.target), revents: 0),
        ]
    }

    /// Passes on a piece of at most 4 kB in each direction. Returns the number of bytes received from the broker, or
    /// `nil` after an error, which is in `errno`.
    func advance() -> Int? {
        guard let received = incoming.advance() else { return nil }
        // A broker that has closed the connection may have stated the reason.
        guard outgoing.advance() != nil || received > 0 else { return nil }
        return received
    }

    /// Passes on libmosquitto's output, as far as the kernel accepts it.
    func flush() {
        while let passed = outgoing.advance(), passed > 0 {}
    }
}
