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
