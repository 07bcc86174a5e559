internal import Foundation
internal import Glibc

/// The socket of a systemd `.socket` unit through which this process is started, and told what it was started for.
///
/// systemd passes it as a file descriptor; its path is what the daemon is given, to be written to when something happens while
/// the app has no stream. The unit must be of the app's own user, with `Accept=no`.
struct WakeSocket: Sendable {
    /// The first descriptor that systemd passes; see sd_listen_fds(3).
    private static let firstDescriptor: CInt = 3
    /// The longest line that is taken, in bytes.
    private static let longestLine = 65_536
    /// Seconds for a writer to write its line.
    private static let timeoutSeconds = 2

    let path: String
    private let descriptor: CInt

    /// The one that systemd passed to this process; `nil` where there is none.
    static var ofEnvironment: WakeSocket? {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0
        else { return nil }
        return (firstDescriptor..<firstDescriptor + count).lazy.compactMap { WakeSocket(descriptor: $0) }.first
    }

    /// `nil` where `descriptor` is not a listening Unix socket with a path.
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
    }

    /// Calls `body` on a thread of its own with each line that is written to it, until the process ends.
    func listen(_ body: @escaping @Sendable (Data) -> Void) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "CoreLocation wake"))
        source.setEventHandler {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                defer { close(connection) }
                if let line = Self.line(from: connection) { body(line) }
            }
            // A source that nobody keeps would end.
            withExtendedLifetime(source) {}
        }
        source.activate()
    }

    private static func line(from connection: CInt) -> Data? {
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var line = Data()
        var bytes = [UInt8](repeating: 0, count: 4096)
        while line.count < longestLine {
            let count = read(connection, &bytes, bytes.count)
            guard count > 0 else { return nil }
            line.append(contentsOf: bytes.prefix(count))
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return line.prefix(upTo: end) }
        }
        return nil
    }
}
