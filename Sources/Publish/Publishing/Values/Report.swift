package import LocationModel

/// A fact that is published: where the device was, or that it entered or left a region.
package struct Report: Sendable, Equatable, Codable {
    /// The location. Of a crossing, the one that revealed it.
    package var location: Location
    /// The crossing, or `nil` if the report is of the location alone.
    package var crossing: Crossing?

    /// The crossing of a region's border.
    package struct Crossing: Sendable, Equatable, Codable {
        /// The identifier of the region.
        package var region: String
        /// A Boolean value indicating whether the device entered the region; otherwise it left it.
        package var isEntry: Bool

        /// Creates a crossing.
        package init(region: String, isEntry: Bool) {
            self.region = region
            self.isEntry = isEntry
        }
    }

    /// The least horizontal accuracy of a location with reduced accuracy, in metres: a cell is about 5 km across, and
    /// the radius that locationd states is never below that.
    private static let reducedHorizontalAccuracy = 5000.0

    /// A Boolean value indicating whether the report says no more than reduced accuracy permits.
    package var hasReducedAccuracy: Bool {
        crossing == nil && (location.horizontalAccuracy ?? 0) >= Self.reducedHorizontalAccuracy
    }

    /// Creates a report.
    package init(location: Location, crossing: Crossing? = nil) {
        self.location = location
        self.crossing = crossing
    }
}

/// The identity of a report, which is the same each time the report is sent.
///
/// A report may arrive twice: if the acknowledgement is lost with the connection, or the publisher is killed before it
/// has noted it. The reports of one queue have increasing numbers and are sent in this order. So a consumer that keeps
/// the greatest number of each queue, and drops each message whose number is not greater, has every report once and
/// in order. The time alone would not do: a receiver's clock may be set back.
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

    /// The identity as it is sent: `QUEUE-NUMBER`.
    package var description: String { "\(queue)-\(number)" }
}

/// A report in the queue, with its identity.
package struct QueuedReport: Sendable, Equatable {
    /// The identity, under which the report is acknowledged.
    package let identity: ReportIdentity
    /// The report.
    package let report: Report

    /// Creates an entry of the queue.
    package init(identity: ReportIdentity, report: Report) {
        self.identity = identity
        self.report = report
    }
}
