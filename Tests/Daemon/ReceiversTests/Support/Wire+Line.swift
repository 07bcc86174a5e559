import Foundation
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import Receivers

extension Wire {
    /// Expects that the port's user writes exactly these bytes next.
    func expect(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await receive(bytes.count) == bytes, sourceLocation: sourceLocation)
    }

    /// The settings of the port's reader, since the terminal's settings apply to both ends. A
    /// pseudo-terminal keeps the speed and the number of stop bits, but neither seven bits nor parity
    /// (pty_set_termios in the kernel).
    var settings: SerialSettings? {
        guard var terminal else { return nil }
        let speeds: [speed_t: Int] = [
            speed_t(B4800): 4800, speed_t(B9600): 9600, speed_t(B19200): 19_200, speed_t(B38400): 38_400,
            speed_t(B57600): 57_600, speed_t(B115200): 115_200, speed_t(B230400): 230_400, speed_t(B460800): 460_800,
            speed_t(B921600): 921_600,
        ]
        guard let speed = speeds[cfgetispeed(&terminal)] else { return nil }
        return SerialSettings(speed, terminal.c_cflag & tcflag_t(CSTOPB) == 0 ? .eightN1 : .sevenN2)
    }

    /// Sends the bytes that the port's user would read from the signal, while `body` runs.
    func carrying<Result: Sendable>(
        _ line: SignalModel, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let isDone = NIOLockedValueBox(false)
        let (end, continuation) = AsyncStream<Never>.makeStream()
        // A separate thread, which continues while the test waits for a thread.
        Thread.detachNewThread {
            self.carry(line) { isDone.withLockedValue(\.self) }
            continuation.finish()
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            // The group waits for the thread. Otherwise its last bytes would be mixed with the wire's next signal.
            group.addTask { for await _ in end {} }
            defer { isDone.withLockedValue { $0 = true } }
            return try await body()
        }
    }

    private func carry(_ line: SignalModel, until isDone: () -> Bool) {
        let start = NIODeadline.now()
        var settings = SerialSettings(9600)
        var listener = UARTModel(line, settings: settings, at: 0)
        while !isDone() {
            let now = Double((NIODeadline.now() - start).nanoseconds) / 1e9
            if let used = self.settings, used != settings {
                settings = used
                listener.use(used, at: now)
            }
            var bytes: [UInt8] = []
            while let next = listener.next(before: now) { bytes.append(next.byte) }
            // An adapter holds bytes for some milliseconds at most, but this thread may be delayed for longer. So
            // bytes that it read with other settings are lost, as are bytes that do not fit.
            if !bytes.isEmpty, self.settings == settings { offer(bytes) }
            usleep(2000)
        }
    }
}
