import LocationModel
import NIOCore
import ReceiverSettings

/// A source of bytes for a ``SentenceReceiver``, such as a serial port.
///
/// It is confined to one event loop, and calls its receiver on it. It decides nothing about sentences and retries
/// nothing: a lost transport reports its loss once, is closed, and is opened again later. Between `close()` and `open`
/// it holds nothing open, and nothing is scheduled.
protocol ByteTransport: AnyObject {
    /// A Boolean value indicating whether bytes have arrived that were not passed on yet.
    var hasUnread: Bool { get }
    /// The minimum length of silence that counts as a loss.
    var silenceLimit: TimeAmount { get }
    /// The state of the transport. The receiver completes it.
    var status: SourceStatus { get }
    /// The writer of corrections, or `nil` if the device does not take them.
    var corrections: CorrectionWriter? { get }
    /// A Boolean value indicating whether the device's corrections may be wrong by more than a kilometre.
    var hasSuspiciousCorrections: Bool { get }

    /// Returns the failure to report when no valid data has arrived for `seconds`, or `nil` if silence is not a fault.
    ///
    /// - Parameter diagnosis: The condition of the data that has arrived instead.
    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure?
    /// Opens the transport, and holds `receiver` until `close()`.
    ///
    /// Calls `receiver.didOpen` once, or `receiver.didFail`, before or after returning. Between `didOpen` and `close()`
    /// or `didFail`, it passes on all bytes by `receiver.receive`, each time with the time of reading.
    func open(for receiver: SentenceReceiver)
    /// Sets the demand on the device's settings. It persists across closing and `open`.
    func setDemand(_ demand: ReceiverDemand)
    /// Closes everything that `open` opened. The receiver is not called afterwards. May be called within any call of
    /// the receiver, and more than once.
    ///
    /// - Parameter toStandby: `true` to send the device to standby, if that is allowed, because its fixes are not
    ///   needed.
    func close(toStandby: Bool)
}

/// Defaults for a transport without serial settings that cannot write to the device.
extension ByteTransport {
    var silenceLimit: TimeAmount { ReceiverStateMachine.silenceLimit }

    var status: SourceStatus { SourceStatus() }

    var corrections: CorrectionWriter? { nil }

    var hasSuspiciousCorrections: Bool { false }

    func setDemand(_ demand: ReceiverDemand) {}
}
