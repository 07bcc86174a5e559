import CLinux
import Glibc
import NIOCore

/// A session on its thread: the connection of its device, and the end of its current wait.
final class BluetoothDevice {
    private static let readAtOnce = 4096
    /// The size of the largest notification in bytes: the limit of an attribute's value in the Bluetooth Core
    /// Specification 5.4, volume 3, part F, section 3.2.9.
    private static let largestNotification = 512

    let session: BluetoothSession
    /// The descriptor that is read, or -1.
    private(set) var stream: CInt = -1
    /// The end of the wait, in microseconds of CLOCK_MONOTONIC.
    private(set) var deadline = UInt64.max
    private var hasStopped = false

    init(_ session: BluetoothSession) { self.session = session }

    /// Returns `true` once after the session was stopped.
    func removeStop() -> Bool {
        guard !hasStopped, session.isStopped else { return false }
        hasStopped = true
        return true
    }

    // MARK: Time

    func wait(seconds: Double) {
        deadline = seconds.isFinite ? MonotonicTime.now + UInt64(seconds * 1_000_000) : .max
    }

    /// Returns `true` once after the end of the wait.
    func removeTimeout(at now: UInt64) -> Bool {
        guard now >= deadline else { return false }
        deadline = .max
        return true
    }

    // MARK: The connection

    /// Returns whether a descriptor passed by BlueZ is to be read.
    func accepts(_ descriptor: CInt, for link: BluetoothLink) -> Bool {
        descriptor >= 0 && session.check(descriptor, link)
    }

    /// Takes ownership of a descriptor, which is read from now on.
    func open(_ descriptor: CInt) {
        stream = descriptor
        session.handlers.opened()
    }

    /// Passes on the device's pending output. Returns `false` if it sends nothing more.
    func read() -> Bool {
        var status = 0
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readAtOnce) { buffer, count in
            // Attack: a program on the bus sends messages of megabytes. One notification of 20 bytes between two
            // of them could be less than the device sends.
            repeat {
                status = recv(stream, buffer.baseAddress.map { $0 + count }, buffer.count - count, CInt(MSG_DONTWAIT))
                failure = errno
                count += max(status, 0)
            } while status > 0 && buffer.count - count >= Self.largestNotification
        }
        if !bytes.isEmpty { session.handlers.received(bytes) }
        return status > 0 || status < 0 && (failure == EAGAIN || failure == EINTR)
    }

    func close() {
        guard stream >= 0 else { return }
        // BlueZ has the descriptor of an RFCOMM socket, too, and keeps it open.
        shutdown(stream, CInt(SHUT_RDWR))
        descriptor_close(stream)
        stream = -1
    }
}

/// CLOCK_MONOTONIC in microseconds, as libsystemd counts.
enum MonotonicTime {
    static var now: UInt64 { NIODeadline.now().uptimeNanoseconds / 1000 }

    /// Returns the time until `deadline` in milliseconds, rounded up, or -1 for a deadline that never comes: poll(2).
    static func milliseconds(until deadline: UInt64) -> CInt {
        guard deadline != .max else { return -1 }
        let now = now
        return deadline <= now ? 0 : CInt(clamping: (deadline - now) / 1000 + 1)
    }
}
