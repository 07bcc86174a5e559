import Glibc
import NIOCore

/// The TCP port of a gpsd. Looking up its name and connecting may take as long as the network takes.
struct GPSDSocket {
    let host: String
    let port: Int

    private var address: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// The name of the server in messages.
    var server: String { "gpsd at \(address)" }

    /// Connects to the first of the host's addresses where something answers. Returns a descriptor that does not block.
    func connect(within limit: TimeAmount) -> Result<CInt, ReceiverFailure> {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else {
            return .failure(ReceiverFailure(.unreachable, "cannot reach \(server): the name \(host) is not known"))
        }
        defer { freeaddrinfo(found) }
        let end = NIODeadline.now() + limit
        var first: CInt?
        for place in sequence(first: found, next: { $0?.pointee.ai_next }).compactMap({ $0?.pointee }) {
            let descriptor = socket(
                place.ai_family, place.ai_socktype | CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            let error = descriptor < 0 ? errno : Self.connect(descriptor, to: place, until: end)
            if error == 0 { return .success(descriptor) }
            if descriptor >= 0 { close(descriptor) }
            first = first ?? error
        }
        let reason = first ?? EHOSTUNREACH
        return .failure(
            ReceiverFailure(
                .unreachable,
                reason == ECONNREFUSED
                    ? "nothing listens at \(address) (connection refused)"
                    : "cannot reach \(server): \(String(cString: strerror(reason)))"))
    }

    /// Returns the error number, 0 after success.
    private static func connect(_ descriptor: CInt, to place: addrinfo, until end: NIODeadline) -> CInt {
        if Glibc.connect(descriptor, place.ai_addr, place.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let rest = (end - .now()).nanoseconds / 1_000_000
        guard poll(&wait, 1, CInt(clamping: max(0, rest))) > 0 else { return ETIMEDOUT }
        var (error, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else { return errno }
        return error
    }
}
