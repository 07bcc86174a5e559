import LocationModel

@testable import LocationCore

extension RegionRecord {
    /// Changes the record's circle.
    mutating func changeCircle(_ body: (inout CircularRegion) -> Void) {
        guard var circle = region.circle else { return }
        body(&circle)
        region = .circle(circle)
    }
}
