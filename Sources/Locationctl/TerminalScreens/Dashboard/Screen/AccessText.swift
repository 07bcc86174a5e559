internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

/// An app's authorization and last use, in a few words.
enum AccessText {
    /// The minimum width of an authorization in columns, also while location services are off and it has no effect.
    static let width = 12
    static let widthWhileOff = 18

    /// Returns the app's authorization in a few words.
    static func words(_ app: WatchedApp) -> (text: String, style: TextRow.Style) {
        guard let summary = app.summary else { return (DecisionText.words(.notDetermined), .hint) }
        return (DecisionText.brief(summary), DecisionText.style(summary))
    }

    /// Returns the app's name in at most `columns` columns. A path is shown without `exe:`, and shortened to its last
    /// part, which says most. `prefix` before that part distinguishes it from a display name.
    static func shortName(_ app: WatchedApp, columns: Int, prefix: String = "…/") -> String {
        guard app.key.app.kind == .exe, !app.hasDisplayName else {
            return DisplayText.shortened(DisplayText.shown(app.name), columns: columns)
        }
        let path = app.key.app.name
        guard DisplayText.columns(path) > columns, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return DisplayText.shortened(DisplayText.shown(path), columns: columns)
        }
        let last = DisplayText.shown(String(decoding: path.utf8[slash...].dropFirst(), as: UTF8.self))
        return DisplayText.shortened(prefix + last, columns: columns)
    }

    /// Returns the time since the last use, in at most 8 columns of English.
    static func lastUse(_ app: WatchedApp, at now: Timestamp) -> String {
        // Translators: In the column LAST USE: the app uses the location now. Keep it short.
        if app.isActive { return translated("now") }
        // Translators: In the column LAST USE: the app has never used the location. Keep it short.
        guard let last = app.lastUse else { return translated("never") }
        let seconds = now.seconds(since: last)
        return switch seconds {
        // Translators: Less than a minute. Keep it short.
        case ..<60: translated("< 1 min")
        case ..<3600: DurationText.minutes(Int(seconds / 60))
        case ..<172_800: DurationText.hours(Int(seconds / 3600))
        default: DurationText.days(Int(min(seconds / 86400, 9999)))
        }
    }

    /// Returns a stream in words: `locations, active, in background`.
    static func stream(_ session: SessionSummary, _ zone: LocalTime) -> String {
        var parts = [subject(session.method), state(session.state)]
        if let region = session.region {
            // Translators: In a list about a stream: the name of the region that is monitored, in quotation marks.
            parts.append(translated("region {name}", ["name": DisplayText.quoted(region)]))
        }
        // Translators: In a list about a stream: its app is in the background.
        if session.background { parts.append(translated("in background")) }
        if let accuracy = session.desiredAccuracy {
            // Translators: In a list about a stream: the accuracy that the app asks for, an English word.
            parts.append(translated("wants {accuracy}", ["accuracy": accuracy.rawValue]))
        }
        // Translators: In a list about a stream: the time since which it is open.
        parts.append(translated("since {time}", ["time": zone.minuteAndZone(session.since)]))
        // Translators: In a list about a stream: the number of the app's process.
        if let pid = session.pid { parts.append(translated("process {number}", ["number": "\(pid)"])) }
        let front = FrontText.foreign([session.front].compactMap(\.self))
        // Translators: In a list about a stream: the protocol of its connection, such as gpsd.
        if !front.isEmpty { parts.append(translated("through {protocol}", ["protocol": front])) }
        return parts.joined(separator: translated(", "))
    }

    /// Returns the contents of a stream in words. ``SessionText`` has the English words, which are also typed.
    private static func subject(_ method: String) -> String {
        switch method {
        // Translators: What an app's stream delivers: every location.
        case Subscribe.name: translated("locations")
        // Translators: What an app's request delivers: one location.
        case GetLocation.name: translated("location")
        // Translators: What an app's stream delivers: locations after moves of more than about 500 m.
        case MonitorSignificantChanges.name: translated("significant-changes")
        // Translators: What an app's stream delivers: places where the user stays.
        case MonitorVisits.name: translated("visits")
        // Translators: What an app's stream delivers: whether the device enters or leaves a region.
        case StartMonitoringRegion.name: translated("region")
        // Translators: What an app's stream delivers: which regions the device enters and leaves.
        case MonitorRegions.name: translated("regions")
        // Translators: What an app's stream delivers: the direction of the compass.
        case MonitorHeading.name: translated("heading")
        // Translators: What an app's stream delivers: Bluetooth beacons nearby.
        case RangeBeacons.name: translated("beacons")
        default: SessionText.method(method)
        }
    }

    private static func state(_ state: SessionState) -> String {
        switch state {
        // Translators: The state of an app's stream: it gets locations.
        case .active: translated("active")
        // Translators: The state of an app's stream: the device does not move, so that the stream pauses.
        case .paused: translated("paused")
        // Translators: The state of an app's stream: the app is in the background and may not have the location there.
        case .suspended: translated("suspended")
        // Translators: The state of an app's stream: it waits for a receiver's first fix.
        case .waiting: translated("waiting")
        }
    }
}
