import Foundation

/// A client's connection that can send arbitrary bytes.
package final class RawSocket {
    package let descriptor: CInt
    private var received: [UInt8] = []

    package init(owning descriptor: CInt) {
        self.descriptor = descriptor
        // A peer that never reads fails the test instead of blocking it forever.
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Connects to `path`.
    package convenience init(_ path: String) throws {
        self.init(owning: try UnixSocket.open(path, SOCK_STREAM, connect))
    }

    deinit { closeEverywhere(descriptor) }

    /// Sends all of `bytes`. Returns `false` if the peer has closed the connection.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends all of `bytes` if there is room for the first of them. Returns `false` if there is no room.
    package func sendWithoutWaiting(_ bytes: [UInt8]) -> Bool {
        let sent = max(Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT)), 0)
        return sent > 0 && send(Array(bytes[sent...]))
    }

    /// Ends the connection in both directions.
    package func shutdown() { Glibc.shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Returns the next frame without its NUL, or `nil` if the connection is closed, however that happened.
    package func receiveFrame() async throws -> [UInt8]? { try await receive(upTo: 0) }

    /// Returns the next line without its line feed, or `nil` if the connection is closed, however that happened.
    package func receiveLine() async throws -> String? {
        try await receive(upTo: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits until `count` lines have been received but not yet returned. The following calls of ``receiveLine()``
    /// then do not wait for one line each, which takes minutes on a busy machine.
    package func awaitLines(_ count: Int) async throws {
        try await eventually("\(count) lines") {
            while let bytes = read(), bytes > 0 {}
            return received.count { $0 == UInt8(ascii: "\n") } >= count
        }
    }

    /// Returns the bytes up to the next `terminator`, without it, or `nil` if the connection is closed.
    private func receive(upTo terminator: UInt8) async throws -> [UInt8]? {
        var isOpen = true
        try await eventually("a frame") {
            while isOpen, !received.contains(terminator) {
                switch read() {
                case nil: return false
                case 0: isOpen = false
                default: break
                }
            }
            return true
        }
        guard let end = received.firstIndex(of: terminator) else { return nil }
        defer { received.removeFirst(end + 1) }
        return Array(received[..<end])
    }

    /// Sends a call and returns the text of the reply, or an empty text if the connection is closed.
    package func exchange(_ call: String) async throws -> String {
        send(Array(call.utf8) + [0])
        return try await receiveText()
    }

    /// Returns the text of the next frame, or an empty text if the connection is closed.
    package func receiveText() async throws -> String {
        String(decoding: try await receiveFrame() ?? [], as: UTF8.self)
    }

    /// Waits until the peer closes the connection. Drops whatever it still sends.
    package func waitUntilClosed() async throws { while try await receiveFrame() != nil {} }

    /// Reads the available bytes. Returns their number, which is 0 at the end, or `nil` if there are none yet.
    private func read() -> Int? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        received += buffer[..<max(0, count)]
        return max(0, count)
    }
}
