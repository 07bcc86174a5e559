import CLinux
import Foundation
import Glibc
import NIOCore
import Testing

@testable import Receivers

/// The far end of a serial line: a pseudo-terminal's master. Unplugged when it goes out of being.
final class Wire: Sendable {
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
        let deadline = NIODeadline.now() + .seconds(60)
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

    /// How the port's user has it read: the terminal's settings are those of both ends. A pseudo-terminal keeps the speed and
    /// the number of stop bits, but neither seven bits nor parity (pty_set_termios in the kernel).
    var settings: LineSettings? {
        var terminal = termios()
        guard tcgetattr(descriptor, &terminal) == 0 else { return nil }
        let speeds: [speed_t: Int] = [
            speed_t(B4800): 4800, speed_t(B9600): 9600, speed_t(B19200): 19_200, speed_t(B38400): 38_400,
            speed_t(B57600): 57_600, speed_t(B115200): 115_200, speed_t(B230400): 230_400, speed_t(B460800): 460_800,
            speed_t(B921600): 921_600,
        ]
        guard let speed = speeds[cfgetispeed(&terminal)] else { return nil }
        return LineSettings(speed, terminal.c_cflag & tcflag_t(CSTOPB) == 0 ? .eightN1 : .sevenN2)
    }

    /// Sends what the port's user would read from that line, as long as `body` runs.
    func carrying<Result: Sendable>(
        _ line: LineModel, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.carry(line) }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    private func carry(_ line: LineModel) async throws {
        let start = NIODeadline.now()
        var settings = LineSettings(9600)
        var listener = LineListener(line, settings: settings, at: 0)
        while !Task.isCancelled {
            let now = Double((NIODeadline.now() - start).nanoseconds) / 1e9
            var bytes: [UInt8] = []
            while let next = listener.next(before: now) { bytes.append(next.byte) }
            // Bytes that nobody has room for are lost, as on a wire.
            if !bytes.isEmpty { _ = write(descriptor, bytes, bytes.count) }
            if let used = self.settings, used != settings {
                settings = used
                listener.use(used, at: now)
            }
            // Cancelled while it sleeps, it has no more to do.
            try? await Task.sleep(for: .milliseconds(2))
        }
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
