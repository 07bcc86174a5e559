internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// Everything known about the app at the cursor.
enum DetailsPanel {
    private static let labelWidth = 11

    static func rows(_ context: ScreenContext, limit: Int) -> [TextRow] {
        guard limit > 0, let app = context.state.selectedApp else { return [] }
        let title = context.title("APP")
        let name = DisplayText.shortened(DisplayText.shown(app.name), columns: context.width)
        let lines = facts(app, context).flatMap { label, value, style in
            detail(label, value, style, context.width)
        }
        return [title, TextRow(name, .title)] + lines.prefix(max(0, limit - 2))
    }

    private static func facts(_ app: WatchedApp, _ context: ScreenContext) -> [(String, String, TextRow.Style)] {
        var facts: [(String, String, TextRow.Style)] = []
        if app.hasDisplayName { facts.append(("App", DisplayText.shown(app.key.app.description), .plain)) }
        facts += [("User", "\(app.key.uid)", .plain), identity(app), ("May have", access(app, context.zone), .plain)]
        if let summary = app.summary, let level = summary.requested {
            let reason = summary.reason.map { ": \(DisplayText.quoted($0)), in its own words" } ?? ""
            facts.append(("Asks for", (level == .always ? "always" : "while in use") + reason, .warning))
        }
        if !app.fronts.isEmpty { facts.append(("Through", app.fronts, .plain)) }
        for (index, session) in app.sessions.enumerated() {
            facts.append((index == 0 ? "Streams" : "", AccessText.stream(session, context.zone), .plain))
        }
        let place = app.use?.background == true ? ", in background" : ""
        facts.append(("Last use", AccessText.lastUse(app, at: context.now) + place, place.isEmpty ? .plain : .warning))
        let hours = app.hourlyDeliveries(at: context.now)
        facts.append(("24 hours", HourStrip.text(hours, width: 24, context.glyphs) + " now", .good))
        facts.append(("Received", received(app, hours, at: context.now), .plain))
        return facts
    }

    private static func identity(_ app: WatchedApp) -> (String, String, TextRow.Style) {
        let detail = PromptText.identity(app.key.app.strength)
        return (detail.label, detail.value, detail.isWarning ? .warning : .plain)
    }

    private static func access(_ app: WatchedApp, _ zone: LocalTime) -> String {
        guard let summary = app.summary else { return "nothing: not decided yet" }
        return DecisionText.level(summary) + (summary.decision?.until.map { ", until \(zone.minuteAndZone($0))" } ?? "")
    }

    /// Returns the deliveries of the last 24 clock hours, in words.
    private static func received(_ app: WatchedApp, _ hours: [Int], at now: Timestamp) -> String {
        let day = app.log.filter { now.seconds(since: $0.hour) < 24 * 3600 }
        // A user who does not manage gets the hours but not the numbers.
        guard day.allSatisfy({ $0.deliveries != nil }) else {
            let count = hours.count { $0 > 0 }
            return "something in \(count) \(count == 1 ? "hour" : "hours") of the last 24"
        }
        let background = day.filter(\.background).reduce(0) { $0 + ($1.deliveries ?? 0) }
        let count = hours.reduce(0, +)
        return "\(count) \(count == 1 ? "location or event" : "locations and events") in 24 hours"
            + (background > 0 ? ", \(background) of them in background" : "")
    }

    private static func detail(_ label: String, _ value: String, _ style: TextRow.Style, _ width: Int) -> [TextRow] {
        // A text of the app must not push the rest out of the window.
        let value = DisplayText.shortened(value, columns: (width - labelWidth - 2) * 3)
        return DisplayText.wrapped(value, columns: width - labelWidth).enumerated().map { index, part in
            var row = TextRow()
            row.append(index == 0 ? label : "", width: labelWidth, .hint)
            row.append(part, style)
            return row
        }
    }
}
