import CBench
import Glibc

/// A connected stream socket for short blocking exchanges. The caller closes the descriptor.
struct Socket {
    let descriptor: CInt

    /// Connects to a Unix socket.
    init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        try self.init(AF_UNIX, address)
    }

    /// Connects to a TCP port on this machine.
    init(port: UInt16) throws {
        try self.init(AF_INET, Self.loopback(port))
    }

    private init<Address>(_ family: CInt, _ address: Address) throws {
        descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure("socket", errno: errno) }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard Self.with(address, { connect(descriptor, $0, $1) }) == 0 else {
            let failure = Failure("connect", errno: errno)
            close(descriptor)
            throw failure
        }
    }

    private static func with<Address, Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeBytes(of: address) {
            body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    /// Returns a TCP port of this machine that is not in use.
    static func freePort() throws -> UInt16 {
        let probe = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var bound = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &bound) { bytes in
            let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            guard with(loopback(0), { bind(probe, $0, $1) }) == 0 else { return CInt(-1) }
            return getsockname(probe, address, &length)
        }
        guard result == 0 else { throw Failure("bind", errno: errno) }
        return UInt16(bigEndian: bound.sin_port)
    }

    /// Returns a Unix socket that listens at `path`.
    static func listening(at path: String) throws -> CInt {
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        guard with(address, { bind(listener, $0, $1) }) == 0, listen(listener, 128) == 0 else {
            throw Failure("bind(\(path))", errno: errno)
        }
        return listener
    }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure("send", errno: errno)
        }
    }

    /// Reads until `text` has arrived. Returns everything received so far.
    func read(until text: String) throws -> String {
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw Failure("\(text) did not come") }
            received += chunk.prefix(count)
            // Compared as bytes: in a Swift string, "\r\n" does not contain "\n".
            if bytes_contain(received, received.count, text, text.utf8.count) != 0 {
                return String(decoding: received, as: UTF8.self)
            }
        }
    }
}
