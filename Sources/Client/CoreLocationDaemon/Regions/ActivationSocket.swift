internal import CLinux
internal import Foundation
internal import Glibc

/// The socket of a systemd `.socket` unit, for starting this process and receiving the daemon's events.
///
/// systemd passes the socket as a file descriptor. The daemon receives its path, and writes to it when an event
/// occurs while the app has no stream. The unit must belong to the app's own user and have `Accept=no`.
struct ActivationSocket: Sendable {
    /// The first descriptor passed by systemd; see sd_listen_fds(3).
    private static let firstDescriptor: CInt = 3
    /// The maximum length of a line, in bytes. A longer one is dropped.
    private static let longestLine = 65_536
    /// The timeout for a writer to send its line, in nanoseconds.
    ///
    /// Attack: another process of the user sends a byte at a time, and no event is received until the last one.
    private static let timeoutNanoseconds: UInt64 = 2_000_000_000

    let path: String
    private let descriptor: CInt

    /// The socket passed to this process by systemd, or `nil` if there is none.
    static var ofEnvironment: ActivationSocket? {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0
        else { return nil }
        return (firstDescriptor..<firstDescriptor + count).lazy.compactMap { ActivationSocket(descriptor: $0) }.first
    }

    /// Creates a wake socket, or returns `nil` if `descriptor` is not a listening Unix socket with a path.
    init?(descriptor: CInt) {
        var listens: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0 else {
            return nil
        }
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        path = withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard path.hasPrefix("/") else { return nil }
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        // Attack: another process of the user sends a descriptor whose close blocks, which delays every event.
        _ = stream_refuse_descriptors(descriptor)
    }

    /// Calls `body` on a queue of its own with each line written to the socket, until the process ends.
    func listen(_ body: @escaping @Sendable (Data) -> Void) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "CoreLocation wake"))
        source.setEventHandler {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                defer { close(connection) }
                if let line = Self.line(from: connection) { body(line) }
            }
            // The handler keeps the source alive: a released source would end.
            withExtendedLifetime(source) {}
        }
        source.activate()
    }

    private static func line(from connection: CInt) -> Data? {
        let deadline = DispatchTime.now().uptimeNanoseconds + timeoutNanoseconds
        var line = Data()
        var bytes = [UInt8](repeating: 0, count: 4096)
        while line.count < longestLine {
            // Bytes that have arrived are read, however late this process is.
            var count = recv(connection, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN {
                let now = DispatchTime.now().uptimeNanoseconds
                guard now < deadline else { return nil }
                let microseconds = max(1, (deadline - now) / 1000)
                var timeout = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
                setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
                count = read(connection, &bytes, bytes.count)
            }
            guard count > 0 else { return nil }
            line.append(contentsOf: bytes.prefix(count))
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return line.prefix(upTo: end) }
        }
        return nil
    }
}
