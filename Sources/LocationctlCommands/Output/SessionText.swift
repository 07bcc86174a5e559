internal import LocationProtocol
internal import Varlink

/// A subscription in words.
enum SessionText {
    /// Returns the name that `watch` has for a method.
    static func method(_ method: String) -> String {
        switch method {
        case Subscribe.name: "locations"
        case GetLocation.name: "location"
        case MonitorSignificantChanges.name: "significant-changes"
        case MonitorVisits.name: "visits"
        case StartMonitoringRegion.name: "region"
        case MonitorRegions.name: "regions"
        case MonitorHeading.name: "heading"
        default: Terminal.printable(method)
        }
    }
}
