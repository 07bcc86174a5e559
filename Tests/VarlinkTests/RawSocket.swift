import Glibc
import NIOCore
import Testing
import Varlink

/// A client socket that sends whatever bytes a test likes; no wait is longer than ten seconds.
final class RawSocket {
    let descriptor: CInt
    private var received: [UInt8] = []

    init(owning descriptor: CInt) {
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Connects to `path`.
    convenience init(_ path: String) throws {
        self.init(owning: socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0))
        let descriptor = descriptor
        let address = try SocketAddress(unixDomainSocketPath: path)
        let status = address.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        try #require(status == 0)
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of `bytes`; `false` when the peer has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends all of `bytes` if there is room for them; `false` when there is none at all.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Bool {
        let sent = max(Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT)), 0)
        return sent > 0 && send(Array(bytes[sent...]))
    }

    func shutdown() {
        Glibc.shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// The next frame; `nil` when the connection is closed, by whatever means.
    func receive() async throws -> JSONValue? {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            if let end = received.firstIndex(of: 0) {
                defer { received.removeFirst(end + 1) }
                let frame = Array(received[..<end])
                return try JSONValue(parsing: frame.span)
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0 {
                received += buffer[..<count]
            } else if count < 0, errno == EAGAIN {
                try #require(ContinuousClock.now < deadline, "nothing came within ten seconds")
                try await Task.sleep(for: .milliseconds(1))
            } else {
                return nil
            }
        }
    }

    /// Sends `text` as a frame and waits for the reply.
    func call(_ text: String) async throws -> JSONValue? {
        send(frame(text))
        return try await receive()
    }

    /// Whether a call is still answered.
    func isAlive() async throws -> Bool {
        let reply = try await call(#"{"method":"org.example.test.Echo","parameters":{"text":"?"}}"#)
        return reply == ["parameters": ["text": "?"]]
    }
}
