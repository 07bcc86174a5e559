/// A region of an app: a circle, or the range of beacons. Both kinds share the identifiers and the limit.
package enum Region: Sendable, Equatable {
    case circle(CircularRegion)
    case beacons(BeaconRegion)

    package var identifier: String {
        switch self {
        case .circle(let region): region.identifier
        case .beacons(let region): region.identifier
        }
    }

    /// The circle, or `nil` for beacons.
    package var circle: CircularRegion? { if case .circle(let region) = self { region } else { nil } }

    /// The range of beacons, or `nil` for a circle.
    package var beacons: BeaconRegion? { if case .beacons(let region) = self { region } else { nil } }

    /// Returns whether a crossing to `state` is reported.
    package func reports(crossingTo state: RegionState) -> Bool {
        switch self {
        case .circle(let region): region.reports(crossingTo: state)
        case .beacons(let region): state.isReported(onEntry: region.notifyOnEntry, onExit: region.notifyOnExit)
        }
    }
}
