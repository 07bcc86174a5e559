import LocationModel
import NIOCore
import NMEA
import TimeTransfer

/// The origin of a receiver's fixes. It is confined to one event loop, on which it calls its sink.
protocol FixSource: AnyObject {
    /// The failure to report when nothing valid arrives, or `nil` if silence is not a fault.
    var silence: ReceiverFailure? { get }
    /// The least length of silence that counts as a loss.
    var silenceLimit: TimeAmount { get }
    /// What is known of why there is a fix or none, as far as the source knows more than that there are fixes.
    var diagnosis: ReceiverDiagnosis { get }
    /// The satellites in view, as last reported.
    var satellites: [Satellite] { get }
    /// The serial settings in use, or `nil` without a serial port or during baud-rate detection.
    var serialSettings: SerialSettings? { get }
    /// A Boolean value indicating whether baud-rate detection is in progress.
    var isDetecting: Bool { get }
    /// The errors of the last fix by the receiver's own estimate, or `nil` if it has not sent any.
    var positionErrors: PositionErrors? { get }
    /// The share of a recording that has been played, 0...1, or `nil` if it is none or does not play.
    var progress: Double? { get }
    /// The charge of the device's battery in percent, or `nil` if it does not say.
    var battery: Int? { get }
    /// The interference that the device has reported last, or `nil` if it has not reported any kind of it.
    var jamming: Jamming? { get }
    /// The last judgement of the device about spoofing, or `nil` if it has not reported anything about it.
    var spoofing: Spoofing? { get }
    /// Counts of what was received and dropped since the receiver was created.
    var statistics: ReceiverStatistics { get }

    /// Returns the failure to report when nothing valid has arrived for that time, or `nil` if silence is not a fault.
    func silence(after limit: TimeAmount) -> ReceiverFailure?
    /// Opens the source and reports the outcome to `sink`, before or after returning. Holds `sink` until `close()`.
    func open(reportingTo sink: any FixSink)
    /// Sets the interval between fixes in seconds; `nil` is the normal rate. Ignored by a source that cannot change it.
    func setInterval(seconds: Double?)
    /// Sets what is reported besides fixes and headings. Persists across `close()` and `open`.
    func setReportContents(_ contents: ReceiverReportContents)
    /// Returns the sentences that were accepted since the last call, each with CR LF. Empty if they are not wanted,
    /// `nil` if the device does not speak NMEA 0183.
    func removeSentences() -> [UInt8]?
    /// Sends the device to standby, if that is allowed, because nothing needs its fixes. The source is closed next.
    func standBy()
    /// Closes everything that `open` opened. The sink is not called afterwards.
    func close()
}

extension FixSource {
    var serialSettings: SerialSettings? { nil }

    var isDetecting: Bool { false }

    var silenceLimit: TimeAmount { Supervisor.silenceLimit }

    var diagnosis: ReceiverDiagnosis { ReceiverDiagnosis() }

    func silence(after limit: TimeAmount) -> ReceiverFailure? { silence }

    var positionErrors: PositionErrors? { nil }

    var battery: Int? { nil }

    var progress: Double? { nil }

    var jamming: Jamming? { nil }

    var spoofing: Spoofing? { nil }

    func setReportContents(_ contents: ReceiverReportContents) {}

    func removeSentences() -> [UInt8]? { nil }

    func setInterval(seconds: Double?) {}

    func standBy() {}
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
    /// The source reported the direction in which the device points.
    func didReportHeading(_ heading: LocationModel.Heading)
    /// The device has reported an epoch without a fix, or nothing of a fix for `silenceLimit` although it sends.
    func didFindNoFix()
    /// The source could not be opened, or went away. The sink closes it.
    func didFail(_ failure: ReceiverFailure)
}
