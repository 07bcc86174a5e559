import LocationModel
import NIOCore

/// Makes headings of what gpsd reports about the attitude of its devices. Of several compasses one is followed, for as
/// long as it tells something.
struct GPSDHeadings {
    /// Without a report for that long, another compass is followed.
    static let timeout = TimeAmount.seconds(3)

    private var assembly = HeadingAssembly()
    private var followed: (device: String, heard: NIODeadline)?

    /// Takes the magnetic variation of a position report.
    mutating func take(_ report: GPSDReport.Position) {
        assembly.take(variation: report.magneticVariation)
    }

    /// The heading of a report that came at `now`; `nil` when it tells none, or is of another compass.
    mutating func heading(
        _ report: GPSDReport.Attitude, at now: NIODeadline, timestamp: @autoclosure () -> Timestamp
    ) -> Heading? {
        guard report.trueHeading != nil || report.magneticHeading != nil else { return nil }
        if let followed, followed.device != report.device, now - followed.heard <= Self.timeout { return nil }
        followed = (report.device, now)
        return assembly.heading(
            true: report.trueHeading, magnetic: report.magneticHeading, at: now, timestamp: timestamp())
    }
}
