package import LocationModel
package import NMEA
package import Receivers

/// What a receiver reports besides the location of an epoch: for apps with full accuracy alone.
///
/// Attack: satellites, dilutions and sentences tell the place as the location does. An app with reduced accuracy, or
/// without a grant, that read any of them would need no location. So a front gets a report only as `Counted`.
///
/// A class, so that a front encodes it once for all who get it.
package final class ReceiverReport: ReceiverDetail {
    /// What a report has, besides the fix.
    package typealias Contents = ReceiverReportContents

    /// The name of the receiver.
    package let receiver: String
    /// The fix of the epoch, or `nil` if the receiver has none now.
    package let fix: Fix?
    /// The satellites in view, as last reported. Empty if nobody wants them.
    package let satellites: [Satellite]
    /// The errors of the fix by the receiver's own estimate.
    package let errors: PositionErrors?
    /// The sentences that were accepted since the last report, each with CR LF, or `nil` if the receiver does not
    /// speak NMEA 0183.
    package let sentences: [UInt8]?

    init(
        receiver: String, fix: Fix?, satellites: [Satellite] = [], errors: PositionErrors? = nil,
        sentences: [UInt8]? = nil
    ) {
        self.receiver = receiver
        self.fix = fix
        self.satellites = satellites
        self.errors = errors
        self.sentences = sentences
    }

    /// Creates the report of what a receiver has now.
    convenience init(_ fix: Fix?, of receiver: Receiver, contents: Contents) {
        let hasSatellites = contents.contains(.satellites)
        self.init(
            receiver: receiver.name, fix: fix, satellites: hasSatellites ? receiver.satellites : [],
            errors: hasSatellites && fix != nil ? receiver.positionErrors : nil,
            sentences: receiver.hasSentences ? receiver.removeSentences() : nil)
    }
}

/// Something that a receiver reports besides locations.
protocol ReceiverDetail {}

extension LocationModel.Heading: ReceiverDetail {}
