import Dispatch
import EventLoopSupport
import LocationModel
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A Bluetooth device that sends NMEA 0183, by the serial port profile or Nordic's UART service. Nothing is ever written
/// to it.
///
/// It is connected only while the receiver is needed, and so is the bus. All of that happens on a thread of its own,
/// which is started with the first opening. At most one session is on the thread, however often the transport is closed
/// and opened in the meantime.
final class BluetoothTransport: ByteTransport {
    /// The time after which an opening counts as failed: in it, a session before it has ended, and this one has failed
    /// by itself, unless the thread hangs.
    static let timeout = TimeAmount.seconds(
        Int64(BluetoothSession.StateMachine.connectTime + 2 * BluetoothSession.StateMachine.disconnectTime))

    private let address: String
    private let bus: String?
    private let check: BluetoothDescriptor.Check
    private let eventLoop: any EventLoop
    private let timer: LoopTimer
    /// Made with the first connection, and kept: an idle machine has no thread for it.
    private var thread: NIOThreadPool?
    /// The session on the thread, which may be that of an earlier opening, or `nil` if none is.
    private var session: BluetoothSession?
    /// A Boolean value indicating whether the session is that of the current opening.
    private var isCurrent = false
    private var isOpen = false
    private var receiver: SentenceReceiver?
    /// The number of bytes that the thread has read and the loop has not handled yet.
    private let unread = NIOLockedValueBox(0)

    /// Creates a closed transport.
    ///
    /// - Parameters:
    ///   - address: The device's address.
    ///   - bus: The address of the bus, or `nil` for the system bus.
    ///   - check: Returns whether a descriptor is read.
    init(
        _ address: String, bus: String? = nil,
        check: @escaping BluetoothDescriptor.Check = BluetoothDescriptor.isAcceptable, on eventLoop: any EventLoop
    ) {
        self.address = address
        self.bus = bus
        self.check = check
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
    }

    deinit { thread?.shutdownGracefully { _ in } }

    var hasUnread: Bool { isOpen && unread.withLockedValue { $0 > 0 } }

    /// A Boolean value indicating whether no session is on the thread.
    var isIdle: Bool { session == nil }

    var silenceLimit: TimeAmount { isOpen ? Supervisor.silenceLimit : Self.timeout + .seconds(5) }

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? {
        let message =
            if let name = diagnosis.protocolName, diagnosis.condition == .otherProtocol {
                "the Bluetooth device sends \(name), not NMEA 0183: set it to NMEA 0183"
            } else if diagnosis.condition == .unreadable {
                "what the Bluetooth device sends is not NMEA 0183: set it to NMEA 0183"
            } else {
                """
                the Bluetooth device has sent nothing for \(seconds) s: if it is a phone, start its program that sends \
                NMEA 0183
                """
            }
        return ReceiverFailure(.silent, message)
    }

    func open(for receiver: SentenceReceiver) {
        self.receiver = receiver
        timer.set(in: Self.timeout) { [unowned self] in
            self.receiver?.didFail(
                ReceiverFailure(.unreachable, "Bluetooth does not answer: run `sudo systemctl restart bluetooth`"))
        }
        // The session of an earlier opening ends first.
        if session == nil { begin() }
    }

    func close() {
        timer.cancel()
        receiver = nil
        (isCurrent, isOpen) = (false, false)
        session?.stop()
    }

    // MARK: The session

    private func begin() {
        guard let session = makeSession() else {
            receiver?.didFail(
                ReceiverFailure(.unusable, "the Bluetooth device cannot be read: too many files are open"))
            return
        }
        let thread = self.thread ?? NIOThreadPool(numberOfThreads: 1)
        if self.thread == nil { thread.start() }
        self.thread = thread
        self.session = session
        isCurrent = true
        let (loop, bound) = (eventLoop, NIOLoopBound(self, eventLoop: eventLoop))
        thread.submit { _ in
            session.run()
            loop.execute { bound.value.didEnd() }
        }
    }

    private func makeSession() -> BluetoothSession? {
        let (loop, unread, bound) = (eventLoop, unread, NIOLoopBound(self, eventLoop: eventLoop))
        return try? BluetoothSession(
            address: address, bus: bus, check: check,
            handlers: .init(
                opened: { loop.execute { bound.value.didOpen() } },
                received: { bytes in
                    // A semaphore alone starts no thread of Dispatch's.
                    let handled = DispatchSemaphore(value: 0)
                    unread.withLockedValue { $0 = bytes.count }
                    loop.execute {
                        unread.withLockedValue { $0 = 0 }
                        bound.value.receive(bytes)
                        handled.signal()
                    }
                    handled.wait()
                },
                failed: { failure in loop.execute { bound.value.didFail(failure) } }))
    }

    private func didOpen() {
        guard isCurrent else { return }
        isOpen = true
        timer.cancel()
        receiver?.didOpen(at: eventLoop.now)
    }

    private func receive(_ bytes: [UInt8]) {
        guard isOpen else { return }
        receiver?.receive(bytes.span.bytes, at: eventLoop.now)
    }

    private func didFail(_ failure: ReceiverFailure) {
        guard isCurrent else { return }
        receiver?.didFail(failure)
    }

    private func didEnd() {
        session = nil
        if receiver != nil { begin() }
    }
}
