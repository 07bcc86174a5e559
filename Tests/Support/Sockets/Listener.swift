package import Foundation

/// A Unix socket that an app might listen on.
package final class Listener {
    package let path: String
    package let descriptor: CInt

    /// - Parameter backlog: The number of connections that may wait, or `nil` to not listen at all.
    package init(_ path: String, type: __socket_type = SOCK_STREAM, backlog: CInt? = 16) throws {
        self.path = path
        descriptor = try UnixSocket.open(path, type, bind)
        if let backlog, listen(descriptor, backlog) != 0 { throw POSIXError.last }
    }

    deinit { closeEverywhere(descriptor) }

    /// A Boolean value indicating whether a connection is waiting.
    package var hasPendingConnection: Bool { UnixSocket.isReadable(descriptor) }

    /// Accepts the waiting connection and reads it to its end. Returns `nil` if none is waiting.
    package func received() throws -> String? {
        guard hasPendingConnection else { return nil }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw POSIXError.last }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return try FileHandle(fileDescriptor: connection, closeOnDealloc: true).readToEnd()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
