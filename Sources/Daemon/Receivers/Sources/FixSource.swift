import LocationModel
import NIOCore
import NMEA
import ReceiverSettings
import TimeTransfer

/// The origin of a receiver's fixes. It is confined to one event loop, and calls its sink on it.
protocol FixSource: AnyObject {
    /// The state of the source. Each access assembles it, so it is not read for each epoch.
    var status: SourceStatus { get }
    /// The device's own last reported reasons to doubt its fixes, or `nil` if there are none.
    var warning: FixDoubts? { get }
    /// The minimum length of silence that counts as a loss.
    var silenceLimit: TimeAmount { get }
    /// The writer of corrections, or `nil` if the device does not take them.
    var corrections: CorrectionWriter? { get }

    /// Returns the failure to report when no valid data has arrived for that time, or `nil` if silence is not a fault.
    func silence(after limit: TimeAmount) -> ReceiverFailure?
    /// Opens the source and reports the outcome to `sink`, before or after returning. Holds `sink` until it is closed.
    func open(reportingTo sink: any FixSink)
    /// Sets the demand on the device's settings, and on the contents of reports besides fixes and headings. It persists
    /// across closing and `open`. A source that cannot change the settings ignores them.
    func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents)
    /// Returns the requested optional parts of the report on an epoch, and drops the sentences among them, so that no
    /// later report contains them.
    func removeReport(_ contents: ReceiverReportContents) -> SourceReport
    /// Closes everything that `open` opened. The sink is not called afterwards.
    ///
    /// - Parameter toStandby: `true` to send the device to standby, if that is allowed, because its fixes are not
    ///   needed.
    func close(toStandby: Bool)
}

/// Defaults for a source that only reports fixes, and whose silence is not a fault.
extension FixSource {
    var status: SourceStatus { SourceStatus() }

    var warning: FixDoubts? { nil }

    var corrections: CorrectionWriter? { nil }

    var silenceLimit: TimeAmount { ReceiverStateMachine.silenceLimit }

    func silence(after limit: TimeAmount) -> ReceiverFailure? { nil }

    func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents) {}

    func removeReport(_ contents: ReceiverReportContents) -> SourceReport { SourceReport() }
}

/// The optional parts of a report on an epoch.
struct SourceReport {
    /// The satellites in view, as last reported.
    var satellites: [Satellite] = []
    /// The errors of the last fix by the receiver's own estimate, or `nil` if it has not sent any.
    var errors: PositionErrors?
    /// The last interference that the device has reported, or `nil` if it has not reported any.
    var jamming: Jamming?
    /// The sentences accepted since the previous report, each with CR LF. Empty if they are not requested, `nil` if the
    /// device does not speak NMEA 0183.
    var sentences: [UInt8]?
}

/// The object that handles a source's events.
protocol FixSink: AnyObject {
    /// The device or connection was opened.
    func didOpen()
    /// The length of silence that counts as a loss now.
    var silenceLimit: TimeAmount { get }
    /// A Boolean value indicating whether the last fix since the opening is doubtful.
    var isSuspect: Bool { get }
    /// Valid data arrived at `now`, whether a fix or not.
    func didReceiveData(at now: NIODeadline)
    /// Bytes arrived at `now`, valid or not. Called only while ``ReceiverReportContents/bytes`` are requested.
    func didReceive(_ bytes: RawSpan, at now: NIODeadline)
    /// Bytes arrived in the first seconds of baud-rate detection.
    func didReceiveUnreadableData()
    /// The source produced the fix of one epoch from data that arrived at `now`.
    func didProduceFix(_ fix: Fix, at now: NIODeadline)
    /// The source has measured the arrival of the first byte of the preceding fix's epoch; `nil` if it is not known.
    /// Called only by a source that measures arrivals.
    func didTimeEpoch(_ arrival: EpochArrival?)
    /// The source reported the direction that the device points in.
    func didReportHeading(_ heading: LocationModel.Heading)
    /// The device has reported an epoch without a fix, or has sent only other data than positions for `silenceLimit`.
    ///
    /// - Parameter diagnosis: The reason, as far as the source knows it.
    func didFindNoFix(_ diagnosis: ReceiverDiagnosis)
    /// The source could not be opened, or went away. The sink closes it.
    func didFail(_ failure: ReceiverFailure)
}
