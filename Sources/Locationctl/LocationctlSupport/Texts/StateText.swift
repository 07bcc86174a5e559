internal import LocationProtocol
internal import Varlink

/// A subscription in words.
package enum SessionText {
    /// Returns the name of a method in `watch`.
    package static func method(_ method: String) -> String {
        switch method {
        case Subscribe.name: "locations"
        case GetLocation.name: "location"
        case MonitorSignificantChanges.name: "significant-changes"
        case MonitorVisits.name: "visits"
        case StartMonitoringRegion.name: "region"
        case MonitorRegions.name: "regions"
        case MonitorHeading.name: "heading"
        case RangeBeacons.name: "beacons"
        default: Terminal.printable(method)
        }
    }
}

/// The text for the protocols of an app's connections.
package enum FrontText {
    /// Returns the protocols other than the daemon's own, by the daemon's names and separated by commas.
    package static func foreign(_ fronts: [String]) -> String {
        fronts.filter { $0 != "varlink" }.joined(separator: ", ")
    }
}

extension GetServices.Reply {
    /// The state of location services for a user, worded as the end of a sentence.
    package var text: String {
        if !machine { return "off for the whole machine" }
        if user { return "on" }
        return desktop == false
            ? "off for this user, by the desktop's own switch: turn it on in the desktop's settings"
            : "off for this user"
    }

    /// The same as a sentence for a person.
    package var sentence: String {
        if !machine { return translated("location services are off for the whole machine") }
        if user { return translated("location services are on") }
        return desktop == false
            ? translated(
                """
                location services are off for this user, by the desktop's own switch: turn it on in the desktop's \
                settings
                """)
            : translated("location services are off for this user")
    }
}
