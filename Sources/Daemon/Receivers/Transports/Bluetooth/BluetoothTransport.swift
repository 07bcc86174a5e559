import Dispatch
import EventLoopSupport
import LocationModel
import NIOConcurrencyHelpers
import NIOCore

/// A Bluetooth device that sends NMEA 0183 by the serial port profile or Nordic's UART service. Nothing is ever written
/// to it.
///
/// Device and bus are connected only while the receiver is needed, on the thread of all Bluetooth receivers. At most
/// one session of a transport is on the thread, however often the transport is closed and opened in the meantime.
final class BluetoothTransport: ByteTransport {
    /// The time until an opening counts as failed. Within it, an earlier session has ended, and this one has failed by
    /// itself, unless the thread hangs.
    static let timeout = TimeAmount.seconds(
        Int64(BluetoothStateMachine.connectTime + 2 * BluetoothStateMachine.disconnectTime))

    private let address: String
    private let check: BluetoothDescriptor.Check
    private let eventLoop: any EventLoop
    private let timer: LoopTimer
    private let thread: BluetoothThread
    /// The session on the thread, possibly from an earlier opening, or `nil` if there is none.
    private var session: BluetoothSession?
    /// A Boolean value indicating whether the session belongs to the current opening.
    private var isCurrent = false
    private var isOpen = false
    private var receiver: SentenceReceiver?
    /// The number of bytes that the thread has read and the loop has not handled yet.
    private let unread = NIOLockedValueBox(0)
    /// The charge of the device's battery in percent, or `nil` if the device is not open or BlueZ does not know it.
    private var battery: Int?

    /// Creates a closed transport.
    ///
    /// - Parameters:
    ///   - address: The device's address.
    ///   - thread: The thread that it shares with the other Bluetooth receivers.
    ///   - check: Returns whether a descriptor is to be read.
    init(
        _ address: String, thread: BluetoothThread,
        check: @escaping BluetoothDescriptor.Check = BluetoothDescriptor.isAcceptable, on eventLoop: any EventLoop
    ) {
        self.address = address
        self.thread = thread
        self.check = check
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
    }

    var hasUnread: Bool { isOpen && unread.withLockedValue { $0 > 0 } }

    /// A Boolean value indicating whether no session is on the thread.
    var isIdle: Bool { session == nil }

    var status: SourceStatus { SourceStatus(battery: battery) }

    var silenceLimit: TimeAmount { isOpen ? ReceiverStateMachine.silenceLimit : Self.timeout + .seconds(5) }

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
        // A session from an earlier opening ends first.
        if session == nil { begin() }
    }

    func close(toStandby: Bool) {
        timer.cancel()
        receiver = nil
        (isCurrent, isOpen, battery) = (false, false, nil)
        if let session { thread.end(session) }
    }

    // MARK: The session

    private func begin() {
        let session = makeSession()
        self.session = session
        isCurrent = true
        guard thread.begin(session) else {
            self.session = nil
            receiver?.didFail(
                ReceiverFailure(.unusable, "the Bluetooth device cannot be read: too many files are open"))
            return
        }
    }

    private func makeSession() -> BluetoothSession {
        let (loop, unread, bound) = (eventLoop, unread, NIOLoopBound(self, eventLoop: eventLoop))
        return BluetoothSession(
            address: address, check: check,
            handlers: .init(
                opened: { loop.execute { bound.value.didOpen() } },
                received: { bytes in
                    // A semaphore alone starts no Dispatch thread.
                    let handled = DispatchSemaphore(value: 0)
                    unread.withLockedValue { $0 = bytes.count }
                    loop.execute {
                        unread.withLockedValue { $0 = 0 }
                        bound.value.receive(bytes)
                        handled.signal()
                    }
                    handled.wait()
                },
                charged: { percent in loop.execute { bound.value.didCharge(percent) } },
                failed: { failure in loop.execute { bound.value.didFail(failure) } },
                ended: { loop.execute { bound.value.didEnd() } }))
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

    private func didCharge(_ percent: Int) {
        guard isOpen else { return }
        battery = percent
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
