public import LocationModel
public import NIOCore
public import NMEA

/// The report of a receiver on one epoch: its fix, or that it has none, and what else is wanted of it
/// (``Receiver/setReportContents(_:)``).
///
/// A class: made once, where the epoch is complete, and passed on without a copy.
public final class ReceiverUpdate: Sendable {
    /// The name of the receiver.
    public let receiver: String
    /// The fix, whose timestamp is later than that of the receiver's previous one, or `nil` if the receiver has none.
    public let fix: Fix?
    /// The time of arrival, by the event loop's clock.
    public let receivedAt: NIODeadline
    /// The contents that were wanted besides the fix.
    public let contents: ReceiverReportContents
    /// The satellites in view, as last reported. Empty if nobody wants them.
    public let satellites: [Satellite]
    /// The errors of the fix by the receiver's own estimate, or `nil` if it has not sent any or nobody wants them.
    public let errors: PositionErrors?
    /// The interference that the receiver has reported last, or `nil` if it has not reported any or nobody wants it.
    public let jamming: Jamming?
    /// The sentences that were accepted since the update before, each with CR LF; empty if nobody wants them. `nil` if
    /// the receiver does not speak NMEA 0183.
    public let sentences: [UInt8]?

    /// Creates an update with these values.
    public init(
        receiver: String, fix: Fix?, receivedAt: NIODeadline, contents: ReceiverReportContents = [],
        satellites: [Satellite] = [], errors: PositionErrors? = nil, jamming: Jamming? = nil, sentences: [UInt8]? = nil
    ) {
        self.receiver = receiver
        self.fix = fix
        self.receivedAt = receivedAt
        self.contents = contents
        self.satellites = satellites
        self.errors = errors
        self.jamming = jamming
        self.sentences = sentences
    }
}
