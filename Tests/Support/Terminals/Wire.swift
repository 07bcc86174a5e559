import CLinux
package import Foundation
import NIOConcurrencyHelpers

/// The far end of a serial cable: bytes written here are read from the port at `path`.
///
/// An unplugged port stays reserved until the tests end. The kernel gives the number of a closed pseudo-terminal to
/// the next one, and a daemon that has lost its port looks for it at its path. It would open the wire of another
/// test.
package final class Wire: Sendable {
    /// The path of the serial port, the slave side of a pseudo-terminal. Every user may open it.
    package let path: String
    private let master: NIOLockedValueBox<Master>

    private struct Master {
        /// The master side of the pseudo-terminal, which does not block, or -1 once the wire is unplugged.
        var descriptor: CInt
        /// A Boolean value indicating whether the last byte written ended a sentence.
        var isBetweenSentences = true
    }

    /// - Parameter sendsTexts: `true` to call ``startKeepAlive()``.
    package init(sendsTexts: Bool = false) throws {
        var name = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        let descriptor = pty_open(&name)
        guard descriptor >= 0 else { throw POSIXError(number: -descriptor) }
        master = NIOLockedValueBox(Master(descriptor: descriptor))
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(path, 0o666)
        if sendsTexts { startKeepAlive() }
    }

    /// Sends a sentence without a meaning twice a second from now on, until the wire is unplugged. A receiver that is
    /// silent for five seconds is considered lost, which must not happen while a test waits for a processor.
    package func startKeepAlive() {
        // A thread of its own: the test may be waiting for the others.
        Thread.detachNewThread { [weak self] in while self?.sendText() == true { usleep(500_000) } }
    }

    /// Sends one text. Returns whether the wire is plugged in.
    private func sendText() -> Bool {
        let text = Array("$GPTXT,01,01,02,*4D\r\n".utf8)
        return master.withLockedValue { master in
            if master.isBetweenSentences {
                let count = Glibc.write(master.descriptor, text, text.count)
                master.isBetweenSentences = count <= 0 || count == text.count
            }
            return master.descriptor >= 0
        }
    }

    /// Unplugs the device. A descriptor of the port keeps its number in use.
    package func unplug() {
        master.withLockedValue { master in
            guard master.descriptor >= 0 else { return }
            _ = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            close(master.descriptor)
            master.descriptor = -1
        }
    }

    /// The terminal's settings, which apply to both ends, or `nil` once the wire is unplugged.
    package var terminal: termios? {
        var terminal = termios()
        return master.withLockedValue { tcgetattr($0.descriptor, &terminal) } == 0 ? terminal : nil
    }

    // MARK: Sending to the port's user

    /// Writes like a receiver that does not know whether anyone is listening: bytes are lost if there is no room for
    /// them.
    package func offer(_ bytes: [UInt8]) { _ = try? put(bytes[...]) }

    package func offer(_ text: String) { offer(Array(text.utf8)) }

    /// Writes all of the bytes. Blocks the thread while the reader is behind. Bytes without room for two minutes are
    /// lost.
    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        let deadline = ContinuousClock.now + .seconds(120)
        while !rest.isEmpty, ContinuousClock.now < deadline, let count = try? put(rest) {
            rest = rest.dropFirst(count)
            if count == 0 { usleep(1000) }
        }
    }

    package func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes all of the bytes. Waits while the reader is behind.
    package func send(_ bytes: some Collection<UInt8>) async throws {
        var rest = Array(bytes)[...]
        try await eventually("room for \(rest.count) bytes on \(path)") {
            while !rest.isEmpty {
                let count = try put(rest)
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Writes as many of the bytes as there is room for. Returns how many.
    private func put(_ bytes: ArraySlice<UInt8>) throws -> Int {
        let (count, error) = master.withLockedValue { master in
            let count = bytes.withUnsafeBytes { Glibc.write(master.descriptor, $0.baseAddress, min(1024, $0.count)) }
            let error = errno
            if count > 0 {
                master.isBetweenSentences = bytes[bytes.startIndex + count - 1] == UInt8(ascii: "\n")
            }
            return (count, error)
        }
        guard count >= 0 || error == EAGAIN || error == EINTR else { throw POSIXError(number: error) }
        return max(0, count)
    }

    // MARK: Receiving from the port's user

    /// Returns the next bytes that the port's user writes: at least `count`, unless the port is closed before.
    package func receive(_ count: Int) async throws -> [UInt8] { try await receive { $0.count >= count } }

    /// Returns the bytes that the port's user writes until the port is closed.
    package func receiveToEnd() async throws -> [UInt8] { try await receive { _ in false } }

    /// Returns the bytes that the port's user has written, without waiting.
    package func available() throws -> [UInt8] {
        var received: [UInt8] = []
        while let bytes = try take(), !bytes.isEmpty { received += bytes }
        return received
    }

    private func receive(until isEnough: ([UInt8]) -> Bool) async throws -> [UInt8] {
        var received: [UInt8] = []
        try await eventually("more than \(received) from the user of \(path)") {
            while !isEnough(received) {
                switch try take() {
                case nil: return false
                case []?: return true
                case let bytes?: received += bytes
                }
            }
            return true
        }
        return received
    }

    /// Returns the available bytes: none if no process has the port open (EIO), `nil` if nothing was written.
    private func take() throws -> [UInt8]? {
        var block = [UInt8](repeating: 0, count: 1024)
        let (count, error) = master.withLockedValue { (read($0.descriptor, &block, block.count), errno) }
        if count >= 0 { return Array(block[..<count]) }
        switch error {
        case EIO: return []
        case EAGAIN, EINTR: return nil
        default: throw POSIXError(number: error)
        }
    }
}
