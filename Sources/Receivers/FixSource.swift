import LocationModel
import NIOCore

/// Where a receiver's fixes come from. Confined to one event loop, on which it calls its sink.
protocol FixSource: AnyObject {
    /// What it means that nothing valid arrives; `nil` where silence is no fault.
    var silence: ReceiverFailure? { get }
    /// After how much of it silence is a loss.
    var silenceLimit: TimeAmount { get }
    /// The satellites in view, as told last.
    var satellites: [Satellite] { get }
    /// How the serial line is read; `nil` where there is none, and while that is found out.
    var serialSettings: SerialSettings? { get }
    /// A Boolean value indicating whether it is found out how the serial line is to be read.
    var isDetecting: Bool { get }
    /// What was received and dropped since the receiver was made.
    var statistics: ReceiverStatistics { get }

    /// Opens it. The sink is told how that went, before or after this returns; it is held until `close()`.
    func open(reportingTo sink: any FixSink)
    /// The seconds between fixes that are wanted; `nil` is the normal rate. A source that cannot change it does nothing.
    func setInterval(seconds: Double?)
    /// It is about to be closed because nobody asks: sends the device to standby, if it may.
    func standBy()
    /// Closes everything that `open` opened. The sink hears nothing afterwards.
    func close()
}

extension FixSource {
    var serialSettings: SerialSettings? { nil }

    var isDetecting: Bool { false }

    var silenceLimit: TimeAmount { Supervisor.silenceLimit }

    func setInterval(seconds: Double?) {}

    func standBy() {}
}

/// Who is told what a source does.
protocol FixSink: AnyObject {
    /// The device or connection is open.
    func didOpen()
    /// Something valid arrived, a fix or not; or, for some seconds, bytes while it is found out how they are to be read.
    func didReceiveData()
    /// The fix of one epoch.
    func didProduceFix(_ fix: Fix)
    /// Where the device points.
    func didReportHeading(_ heading: Heading)
    /// It cannot be opened, or went away. The sink closes it.
    func didFail(_ failure: ReceiverFailure)
}
