internal import CoreLocation

/// The names of monitors' conditions among the app's regions. They keep these apart from the regions of managers.
enum MonitorName {
    private static let prefix = "CLMonitor/"

    /// Returns the region identifier of a condition. A slash in the monitor's name is doubled, so that no two names
    /// collide.
    static func region(of condition: String, in monitor: String) -> String {
        identifierPrefix(of: monitor) + condition
    }

    /// Returns the identifier of a region's condition, or `nil` if the region does not belong to the monitor.
    static func condition(ofRegion identifier: String, in monitor: String) -> String? {
        let prefix = identifierPrefix(of: monitor)
        return identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : nil
    }

    /// Returns whether a region belongs to any monitor.
    static func belongsToMonitor(_ identifier: String) -> Bool { identifier.hasPrefix(prefix) }

    private static func identifierPrefix(of monitor: String) -> String {
        prefix + monitor.replacing("/", with: "//") + "/:"
    }
}
