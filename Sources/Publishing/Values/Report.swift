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

    /// Creates a report.
    package init(location: Location, crossing: Crossing? = nil) {
        self.location = location
        self.crossing = crossing
    }
}
