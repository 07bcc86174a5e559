internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// Everything known about the app at the cursor.
enum DetailsPanel {
    /// The minimum width of the labels, with the space after them.
    private static let leastLabelWidth = 11

    static func rows(_ context: ScreenContext, limit: Int) -> [TextRow] {
        guard limit > 0, let app = context.state.selectedApp else { return [] }
        let title = context.title(translated("APP"))
        let name = DisplayText.shortened(DisplayText.shown(app.name), columns: context.width)
        let facts = facts(app, context)
        let labelWidth = facts.map { DisplayText.columns($0.0) + 1 }.reduce(leastLabelWidth, max)
        let lines = facts.flatMap { label, value, style in
            detail(label, value, style, context.width, labelWidth: labelWidth)
        }
        return [title, TextRow(name, .title)] + lines.prefix(max(0, limit - 2))
    }

    private static func facts(_ app: WatchedApp, _ context: ScreenContext) -> [(String, String, TextRow.Style)] {
        var facts: [(String, String, TextRow.Style)] = []
        let identityText = DisplayText.shown(app.key.app.description)
        if app.hasDisplayName { facts.append((translated("App"), identityText, .plain)) }
        // Translators: Label of an app's access to the location, such as "while in use".
        let accessLabel = translated("May have")
        facts += [
            (translated("User"), "\(app.key.uid)", .plain), identity(app),
            (accessLabel, access(app, context.zone), .plain),
        ]
        if let request = request(app) { facts.append(request) }
        // Translators: Label of the protocols of an app's connections, such as gpsd.
        if !app.fronts.isEmpty { facts.append((translated("Through"), app.fronts, .plain)) }
        for (index, session) in app.sessions.enumerated() {
            // Translators: Label of an app's streams of locations.
            facts.append((index == 0 ? translated("Streams") : "", AccessText.stream(session, context.zone), .plain))
        }
        return facts + uses(app, context)
    }

    /// Returns the access that the app asks for, with its reason.
    private static func request(_ app: WatchedApp) -> (String, String, TextRow.Style)? {
        guard let summary = app.summary, let level = summary.requested else { return nil }
        let access = DecisionText.words(level == .always ? .authorizedAlways : .authorizedWhenInUse)
        let value = summary.reason.map {
            // Translators: The access is like "while in use". Nobody has checked the reason, which has quotation marks.
            translated("{access}: {reason}, in its own words", ["access": access, "reason": DisplayText.quoted($0)])
        }
        // Translators: Label of the access that an app asks for, such as "while in use".
        return (translated("Asks for"), value ?? access, .warning)
    }

    private static func uses(_ app: WatchedApp, _ context: ScreenContext) -> [(String, String, TextRow.Style)] {
        let isInBackground = app.use?.background == true
        let last = AccessText.lastUse(app, at: context.now)
        let hours = app.hourlyDeliveries(at: context.now)
        let strip = HourStrip.text(hours, width: 24, context.glyphs)
        return [
            (
                // Translators: Label of the time since an app's last use of the location.
                translated("Last use"),
                // Translators: The time of the last use, such as "23 min", which was in the background.
                isInBackground ? translated("{time}, in background", ["time": last]) : last,
                isInBackground ? .warning : .plain
            ),
            (
                // Translators: Label of a strip with a bar for each of the last 24 hours.
                translated("24 hours"),
                // Translators: The strip with a bar for each of the last 24 hours; its end is now.
                translated("{hours} now", ["hours": strip]), .good
            ),
            // Translators: Label of the number of locations that an app has got.
            (translated("Received"), received(app, hours, at: context.now), .plain),
        ]
    }

    private static func identity(_ app: WatchedApp) -> (String, String, TextRow.Style) {
        let detail = PromptText.identity(app.key.app.strength)
        return (detail.label, detail.value, detail.isWarning ? .warning : .plain)
    }

    private static func access(_ app: WatchedApp, _ zone: LocalTime) -> String {
        // Translators: The app may have nothing, because nobody has decided about it.
        guard let summary = app.summary else { return translated("nothing: not decided yet") }
        let level = DecisionText.level(summary)
        return summary.decision?.until.map {
            // Translators: The access is like "while in use". It ends at the time.
            translated("{access}, until {time}", ["access": level, "time": zone.minuteAndZone($0)])
        } ?? level
    }

    /// Returns the deliveries of the last 24 clock hours, in words.
    private static func received(_ app: WatchedApp, _ hours: [Int], at now: Timestamp) -> String {
        let day = app.log.filter { now.seconds(since: $0.hour) < 24 * 3600 }
        // A user who does not manage gets the hours but not the numbers.
        guard day.allSatisfy({ $0.deliveries != nil }) else {
            return translated(
                // Translators: The app got locations in some of the last 24 hours; their number is not known.
                "something in {count} hour of the last 24", plural: "something in {count} hours of the last 24",
                count: hours.count { $0 > 0 })
        }
        let background = day.filter(\.background).reduce(0) { $0 + ($1.deliveries ?? 0) }
        let count = hours.reduce(0, +)
        guard background > 0 else {
            return translated(
                "{count} location or event in 24 hours", plural: "{count} locations and events in 24 hours",
                count: count)
        }
        return translated(
            "{count} location or event in 24 hours, {background} of them in background",
            plural: "{count} locations and events in 24 hours, {background} of them in background", count: count,
            ["background": "\(background)"])
    }

    private static func detail(
        _ label: String, _ value: String, _ style: TextRow.Style, _ width: Int, labelWidth: Int
    ) -> [TextRow] {
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
