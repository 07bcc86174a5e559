/// How the conditions of monitors are named among the app's regions, so that they and the managers' regions keep apart.
enum MonitorName {
    private static let prefix = "CLMonitor/"

    /// The region's identifier of a condition. A slash in the monitor's name is doubled: no two names are one.
    static func region(of condition: String, in monitor: String) -> String {
        own(monitor) + condition
    }

    /// The condition's identifier; `nil` where the region is none of the monitor's.
    static func condition(ofRegion identifier: String, in monitor: String) -> String? {
        let own = own(monitor)
        return identifier.hasPrefix(own) ? String(identifier.dropFirst(own.count)) : nil
    }

    /// Returns whether a region is a monitor's.
    static func isMonitored(_ identifier: String) -> Bool { identifier.hasPrefix(prefix) }

    private static func own(_ monitor: String) -> String {
        prefix + monitor.replacing("/", with: "//") + "/:"
    }
}
