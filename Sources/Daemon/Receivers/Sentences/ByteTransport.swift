import LocationModel
import NIOCore

/// The way the bytes of a ``SentenceReceiver`` arrive: a serial port, for example.
///
/// It is confined to one event loop, on which it calls its receiver. It decides nothing about sentences and retries
/// nothing: a transport that is lost says so once, is closed, and is opened again later. Between `close()` and `open`
/// it holds nothing open, and nothing is scheduled.
protocol ByteTransport: AnyObject {
    /// A Boolean value indicating whether bytes have arrived that were not passed on yet.
    var hasUnread: Bool { get }
    /// The least length of silence that counts as a loss.
    var silenceLimit: TimeAmount { get }
    /// The state of the transport, to which the receiver adds what it knows itself.
    var status: SourceStatus { get }

    /// Returns the failure to report when nothing valid has arrived for `seconds`, or `nil` if silence is not a fault.
    ///
    /// - Parameter diagnosis: What has arrived instead.
    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure?
    /// Opens the transport, and holds `receiver` until `close()`.
    ///
    /// Calls `receiver.didOpen` once, or `receiver.didFail`, before or after returning. Between `didOpen` and `close()`
    /// or `didFail` it passes on all bytes by `receiver.receive`, each time with the time of reading.
    func open(for receiver: SentenceReceiver)
    /// Sets the interval between fixes in seconds; `nil` is the normal rate.
    func setInterval(seconds: Double?)
    /// Sends the device to standby, if that is allowed, because nothing needs its fixes. The transport is closed next.
    func standBy()
    /// Closes everything that `open` opened. The receiver is not called afterwards. May be called within any call of
    /// the receiver, and more than once.
    func close()
}

/// The defaults are those of a transport without serial settings that cannot write to the device.
extension ByteTransport {
    var silenceLimit: TimeAmount { ReceiverStateMachine.silenceLimit }

    var status: SourceStatus { SourceStatus() }

    func setInterval(seconds: Double?) {}

    func standBy() {}
}
