import Foundation
import Glibc

/// A Unix socket that an app might listen on.
final class Listener {
    let path: String
    private let descriptor: CInt

    /// - Parameter backlog: how many connections may wait; `nil` does not listen at all.
    init(_ path: String, type: __socket_type = SOCK_STREAM, backlog: CInt? = 16) throws {
        self.path = path
        descriptor = socket(AF_UNIX, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0, backlog.map({ listen(descriptor, $0) }) ?? 0 == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    deinit { close(descriptor) }

    /// Whether a connection waits.
    var isAskedFor: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// Accepts the connection that waits, and reads it to its end. `nil` where none waits.
    func received() throws -> String? {
        guard isAskedFor else { return nil }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return try FileHandle(fileDescriptor: connection, closeOnDealloc: true).readToEnd()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
