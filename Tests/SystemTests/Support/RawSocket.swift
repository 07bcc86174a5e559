import Foundation

/// A connection on which anything can be sent.
final class RawSocket {
    private let descriptor: CInt

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Sends bytes; false where the other side has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
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

    /// Sends a call and reads one answer, without its NUL; an empty text where none comes in time, or the end.
    func exchange(_ call: String, seconds: Double = 20) throws -> String {
        send(Array(call.utf8) + [0])
        return receive(seconds: seconds)
    }

    /// Reads up to the next NUL, the end, or the deadline.
    func receive(seconds: Double = 20) -> String {
        var answer: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 20) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1, byte != 0 else { break }
            answer.append(byte)
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Whether the other side closes the connection in time; what it still sends is passed over.
    func isClosed(seconds: Double = 20) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 20) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            if read(descriptor, &buffer, buffer.count) <= 0 { return true }
        }
        return false
    }
}
