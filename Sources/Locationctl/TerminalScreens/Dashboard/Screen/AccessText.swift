internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// An app's authorization and last use, in a few words.
enum AccessText {
    /// The width of an authorization in columns, and the width while location services are off and it has no effect.
    static let width = 12
    static let widthWhileOff = 18

    /// Returns the app's authorization in at most ``width`` columns, or ``widthWhileOff`` if services are off.
    static func words(_ app: WatchedApp) -> (text: String, style: TextRow.Style) {
        app.summary.map { (DecisionText.brief($0), DecisionText.style($0)) } ?? ("not decided", .hint)
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

    /// Returns the time since the last use, in at most 8 columns.
    static func lastUse(_ app: WatchedApp, at now: Timestamp) -> String {
        if app.isActive { return "now" }
        guard let last = app.lastUse else { return "never" }
        let seconds = now.seconds(since: last)
        return switch seconds {
        case ..<60: "< 1 min"
        case ..<3600: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: "\(Int(min(seconds / 86400, 9999))) days"
        }
    }

    /// Returns a stream in words: `locations, active, in background`.
    static func stream(_ session: SessionSummary, _ zone: LocalTime) -> String {
        var parts = [SessionText.method(session.method), session.state.rawValue]
        if let region = session.region { parts.append("region \(DisplayText.quoted(region))") }
        if session.background { parts.append("in background") }
        if let accuracy = session.desiredAccuracy { parts.append("wants \(accuracy.rawValue)") }
        parts.append("since \(zone.minuteAndZone(session.since))")
        if let pid = session.pid { parts.append("process \(pid)") }
        let front = FrontText.foreign([session.front].compactMap(\.self))
        return parts.joined(separator: ", ") + (front.isEmpty ? "" : ", through \(front)")
    }
}
