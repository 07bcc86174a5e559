public import LocationModel
public import NIOCore
public import NMEA

/// The report of a receiver on one epoch: its fix or the lack of one, with the requested parts
/// (``Receiver/setDemand(_:reporting:)``).
///
/// A class: created once, when the epoch is complete, and passed on without a copy.
public final class ReceiverUpdate: Sendable {
    /// The name of the receiver.
    public let receiver: String
    /// The fix, with a timestamp later than the receiver's previous one, or `nil` if the receiver has none.
    public let fix: Fix?
    /// The time of arrival, by the event loop's clock.
    public let receivedAt: NIODeadline
    /// The requested contents besides the fix.
    public let contents: ReceiverReportContents
    /// The satellites in view, as last reported. Empty if they are not requested.
    public let satellites: [Satellite]
    /// The errors of the fix by the receiver's own estimate, or `nil` if it has not sent any or they are not requested.
    public let errors: PositionErrors?
    /// The last interference that the receiver has reported, or `nil` if there is none or it is not requested.
    public let jamming: Jamming?
    /// The sentences accepted since the previous update, each with CR LF. Empty if they are not requested, `nil` if the
    /// receiver does not speak NMEA 0183.
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
