import CLinux
import Foundation
import Glibc
import NIOCore
import Testing

/// The far end of a serial line: a pseudo-terminal's master. Unplugged when it goes out of being.
final class Wire {
    struct Failure: Error {
        var errno: CInt
    }

    /// What was awaited did not come in time.
    struct Silence: Error {
        var received: [UInt8]
    }

    /// The serial port.
    let path: String
    private let descriptor: CInt

    init() throws {
        var name = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        descriptor = pty_open(&name)
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard descriptor >= 0 else { throw Failure(errno: -descriptor) }
    }

    deinit { close(descriptor) }

    /// Sends all bytes; waits while the reader is behind.
    func send(_ bytes: some Collection<UInt8>) async throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, min(1024, $0.count)) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try await Task.sleep(for: .milliseconds(1))
            } else {
                throw Failure(errno: errno)
            }
        }
    }

    /// Sends a log as a receiver does, sentence by sentence: gpsd reports once for what comes at once.
    func play(_ log: some Collection<UInt8>) async throws {
        for line in log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            try await send(line + [UInt8(ascii: "\n")])
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Expects the next bytes that the port's user writes to be these.
    func expect(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await receive { $0.count >= bytes.count } == bytes, sourceLocation: sourceLocation)
    }

    /// What the port's user writes until the port is closed.
    func receiveToEnd() async throws -> [UInt8] {
        try await receive { _ in false }
    }

    /// Reads until it is enough, or the port is closed.
    private func receive(until isEnough: ([UInt8]) -> Bool) async throws -> [UInt8] {
        let deadline = NIODeadline.now() + .seconds(20)
        var received: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1024)
        while !isEnough(received), NIODeadline.now() < deadline {
            let count = read(descriptor, &block, block.count)
            if count > 0 {
                received += block.prefix(count)
            } else if errno == EIO {
                return received
            } else if errno == EAGAIN {
                try await Task.sleep(for: .milliseconds(1))
            } else {
                throw Failure(errno: errno)
            }
        }
        guard isEnough(received) else { throw Silence(received: received) }
        return received
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }
}

/// A directory for one test, removed with all that is in it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/receivers-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Removes a file.
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    /// Writes a file and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}
