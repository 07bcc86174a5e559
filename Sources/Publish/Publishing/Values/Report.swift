package import LocationModel

/// A report to publish: a location of the device, or the crossing of a region's border.
package struct Report: Sendable, Equatable, Codable {
    /// The location. For a crossing, the location that revealed it.
    package var location: Location
    /// The crossing, or `nil` if the report has only the location.
    package var crossing: Crossing?

    /// The crossing of a region's border.
    package struct Crossing: Sendable, Equatable, Codable {
        /// The identifier of the region.
        package var region: String
        /// A Boolean value indicating whether the device entered the region; `false` if it left it.
        package var isEntry: Bool

        /// Creates a crossing.
        package init(region: String, isEntry: Bool) {
            self.region = region
            self.isEntry = isEntry
        }
    }

    /// The minimum horizontal accuracy of a location with reduced accuracy, in metres: a cell is about 5 km across, and
    /// locationd never states a smaller radius for it.
    private static let reducedHorizontalAccuracy = 5000.0

    /// A Boolean value indicating whether the report reveals no more than reduced accuracy permits.
    package var hasReducedAccuracy: Bool {
        crossing == nil && (location.horizontalAccuracy ?? 0) >= Self.reducedHorizontalAccuracy
    }

    /// Creates a report.
    package init(location: Location, crossing: Crossing? = nil) {
        self.location = location
        self.crossing = crossing
    }
}

/// The identity of a report, the same each time the report is sent.
///
/// A report may arrive twice: if its acknowledgement is lost with the connection, or the publisher is killed before
/// recording it. The reports of a queue have increasing numbers and are sent in this order. So a consumer that stores
/// the greatest number of each queue, and drops messages with lower or equal numbers, has every report once and in
/// order. The time alone would not do: a receiver's clock may be set back.
package struct ReportIdentity: Sendable, Hashable, CustomStringConvertible {
    /// The name of the queue: 16 hexadecimal digits, drawn when the queue was created.
    package let queue: String
    /// The number of the report in its queue, from 1. A number is never used again.
    package let number: Int64

    /// Creates an identity.
    package init(queue: String, number: Int64) {
        self.queue = queue
        self.number = number
    }

    /// The identity in messages: `QUEUE-NUMBER`.
    package var description: String { "\(queue)-\(number)" }
}

/// A report in the queue, with its identity.
package struct QueuedReport: Sendable, Equatable {
    /// The identity, which the acknowledgement repeats.
    package let identity: ReportIdentity
    /// The report.
    package let report: Report

    /// Creates a queued report.
    package init(identity: ReportIdentity, report: Report) {
        self.identity = identity
        self.report = report
    }
}
