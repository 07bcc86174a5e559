import LocationModel
import NIOCore

/// Produces headings from gpsd's attitude reports. Of several compasses, one is followed while it reports a heading.
struct GPSDHeadings {
    /// The time without a report until another compass is followed.
    static let timeout = TimeAmount.seconds(3)

    private var assembly = HeadingAssembly()
    private var followed: (device: String, heard: NIODeadline)?

    /// Stores the magnetic variation of a position report.
    mutating func apply(_ report: GPSDReport.Position) {
        assembly.apply(variation: report.magneticVariation)
    }

    /// Returns the heading of a report received at `now`, or `nil` if it contains none or is from another compass.
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
