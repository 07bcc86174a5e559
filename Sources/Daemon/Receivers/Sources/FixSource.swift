import LocationModel
import NIOCore
import NMEA
import TimeTransfer

/// The origin of a receiver's fixes. It is confined to one event loop, on which it calls its sink.
protocol FixSource: AnyObject {
    /// The state of the source. It is put together on each access, so nothing on the path of an epoch reads it.
    var status: SourceStatus { get }
    /// The reasons to doubt its fixes that the device itself has reported last, or `nil` if there are none.
    var warning: FixDoubts? { get }
    /// The least length of silence that counts as a loss.
    var silenceLimit: TimeAmount { get }

    /// Returns the failure to report when nothing valid has arrived for that time, or `nil` if silence is not a fault.
    func silence(after limit: TimeAmount) -> ReceiverFailure?
    /// Opens the source and reports the outcome to `sink`, before or after returning. Holds `sink` until it is closed.
    func open(reportingTo sink: any FixSink)
    /// Sets the interval between fixes in seconds; `nil` is the normal rate. Ignored by a source that cannot change it.
    func setInterval(seconds: Double?)
    /// Sets what is reported besides fixes and headings. Persists across closing and `open`.
    func setReportContents(_ contents: ReceiverReportContents)
    /// Returns the optional parts of the report on an epoch that `contents` names, and drops the sentences among them,
    /// so that no later report has them.
    func removeReport(_ contents: ReceiverReportContents) -> SourceReport
    /// Closes everything that `open` opened. The sink is not called afterwards.
    ///
    /// - Parameter toStandby: A Boolean value indicating whether the device is sent to standby, if that is allowed,
    ///   because nothing needs its fixes.
    func close(toStandby: Bool)
}

/// The defaults are those of a source that reports fixes alone, and whose silence is not a fault.
extension FixSource {
    var status: SourceStatus { SourceStatus() }

    var warning: FixDoubts? { nil }

    var silenceLimit: TimeAmount { ReceiverStateMachine.silenceLimit }

    func silence(after limit: TimeAmount) -> ReceiverFailure? { nil }

    func setInterval(seconds: Double?) {}

    func setReportContents(_ contents: ReceiverReportContents) {}

    func removeReport(_ contents: ReceiverReportContents) -> SourceReport { SourceReport() }
}

/// The optional parts of a report on an epoch.
struct SourceReport {
    /// The satellites in view, as last reported.
    var satellites: [Satellite] = []
    /// The errors of the last fix by the receiver's own estimate, or `nil` if it has not sent any.
    var errors: PositionErrors?
    /// The interference that the device has reported last, or `nil` if it has not reported any kind of it.
    var jamming: Jamming?
    /// The sentences that were accepted since the report before, each with CR LF. Empty if they are not wanted, `nil`
    /// if the device does not speak NMEA 0183.
    var sentences: [UInt8]?
}

/// The object that handles a source's events.
protocol FixSink: AnyObject {
    /// The device or connection was opened.
    func didOpen()
    /// The length of silence that counts as a loss now.
    var silenceLimit: TimeAmount { get }
    /// Something valid arrived at `now`, whether a fix or not.
    func didReceiveData(at now: NIODeadline)
    /// Bytes arrived at `now`, whatever they are. Only while ``ReceiverReportContents/bytes`` are wanted.
    func didReceive(_ bytes: RawSpan, at now: NIODeadline)
    /// Bytes arrived in the first seconds of baud-rate detection.
    func didReceiveUnreadableData()
    /// The source produced the fix of one epoch from what arrived at `now`.
    func didProduceFix(_ fix: Fix, at now: NIODeadline)
    /// The source has produced the fix of one epoch, whose first byte arrived then; `nil` if its arrival is not known.
    /// Only from a source that measures arrivals.
    func didTimeEpoch(_ arrival: EpochArrival?)
    /// The source reported the direction the device points in.
    func didReportHeading(_ heading: LocationModel.Heading)
    /// The device has reported an epoch without a fix, or nothing of a fix for `silenceLimit` although it sends.
    ///
    /// - Parameter diagnosis: The reason for that, as far as the source knows it.
    func didFindNoFix(_ diagnosis: ReceiverDiagnosis)
    /// The source could not be opened, or went away. The sink closes it.
    func didFail(_ failure: ReceiverFailure)
}
