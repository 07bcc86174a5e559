internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The apps: a line for each with its authorization, its streams, its last use and its last 24 hours.
enum AppsPanel {
    static func rows(_ context: ScreenContext, limit: Int) -> [TextRow] {
        guard limit > 0, context.state.isConnected else { return [] }
        let apps = context.state.shownApps
        // Translators: Title of a panel: the apps that use the location.
        let title = context.title(translated("WHO IS LOOKING"), filter(context) + summary(context.state.apps, context))
        if case .failed(let message) = context.state.management {
            let text = translated("The apps of this machine are not shown: {reason}", ["reason": message])
            return [title] + TextRow.wrapped(DisplayText.shown(text), context.width, .warning).prefix(limit - 1)
        }
        guard !apps.isEmpty else {
            if !context.state.filter.isEmpty {
                return [title, TextRow(translated("No app has that in its name."), .hint)]
            }
            guard context.state.decisions != nil else { return [title] }
            return [title, TextRow(translated("No app has requested the location, and none has a decision."))]
        }
        let columns = AppColumns(apps, context)
        guard limit > 2 else { return [title] }
        let lines = [title, columns.heading(context)] + list(apps, context, columns, limit: limit - 2)
        let legend = AppsLegend.rows(context)
        return lines + (lines.count + legend.count < limit ? [TextRow()] + legend : [])
    }

    /// Returns the filter, with a cursor while the user types it.
    private static func filter(_ context: ScreenContext) -> [(String, TextRow.Style)] {
        let state = context.state
        guard !state.filter.isEmpty || state.isFilterOpen else { return [] }
        return [("/\(state.filter)\(state.isFilterOpen ? "_" : "")", .warning)]
    }

    /// Returns the numbers of apps that use the location now, did so in the last hour, and in the last day.
    private static func summary(_ apps: [WatchedApp], _ context: ScreenContext) -> [(String, TextRow.Style)] {
        guard context.state.uses != nil else { return [] }
        let now = apps.count { $0.isActive }
        let hour = apps.count { $0.wasActive(within: 3600, of: context.now) }
        let day = apps.count { $0.wasActive(within: 86400, of: context.now) }
        return [
            (
                // Translators: A mark, and the number of apps that use the location now.
                translated("{mark} now: {count}", ["mark": context.glyphs.now, "count": "\(now)"]),
                now > 0 ? .good : .plain
            ),
            (
                // Translators: A mark, and the number of apps that used the location in the last hour.
                translated("{mark} in the last hour: {count}", ["mark": context.glyphs.lastHour, "count": "\(hour)"]),
                .plain
            ),
            // Translators: The number of apps that used the location in the last 24 hours.
            (translated("in 24 hours: {count}", ["count": "\(day)"]), .plain),
        ]
    }

    /// Returns the lines of the apps around the cursor.
    private static func list(
        _ apps: [WatchedApp], _ context: ScreenContext, _ columns: AppColumns, limit: Int
    ) -> [TextRow] {
        guard apps.count > limit else { return apps.map { columns.row($0, context) } }
        let count = max(1, limit - 1)
        let cursor = apps.firstIndex { $0.key == context.state.selection } ?? 0
        let first = max(0, min(cursor - count / 2, apps.count - count))
        let rest = apps.count - first - count
        // Translators: The number of apps above the ones on the screen.
        let above = first > 0 ? translated("{count} above", ["count": "\(first)"]) : nil
        // Translators: The number of apps below the ones on the screen.
        let below = rest > 0 ? translated("{count} below", ["count": "\(rest)"]) : nil
        let places = [above, below].compactMap(\.self).joined(separator: translated(", "))
        // Translators: There are more apps than fit, like "2 above, 5 below".
        let remark = translated("more apps: {places}", ["places": places])
        return apps[first..<first + count].map { columns.row($0, context) }
            + [TextRow("    " + remark, .hint)].prefix(limit - count)
    }
}

/// The columns of the list of apps, for the width of the window and the words of the language.
struct AppColumns {
    private static let markWidth = 4
    private static let leastLastUse = 8
    /// The width of a name that wider words of a language leave free.
    private static let leastName = 12

    /// The gap between two cells, in columns.
    private let gap: Int
    private let name: Int
    private let identity: Int
    private let access: Int
    private let streams: Int
    private let lastUse: Int
    private let strip: Int
    private let headings: Headings

    init(_ apps: [WatchedApp], _ context: ScreenContext) {
        let width = context.width
        let headings = Headings()
        self.headings = headings
        let hasFronts = apps.contains { !$0.fronts.isEmpty }
        let isOff = apps.contains { $0.summary.map { $0.decided.isAuthorized && !$0.servicesEnabled } == true }
        gap = width < 100 ? 1 : 2
        strip = width < 54 ? 0 : width < 70 ? 12 : width < 140 ? 24 : 48
        let leastAccess = isOff ? AccessText.widthWhileOff : AccessText.width
        let leastStreams = width < 70 ? 0 : hasFronts ? 9 : 7
        let marks = Self.markWidth + strip + gap * (leastStreams > 0 ? 4 : 3)
        var spare = max(0, width - marks - leastAccess - Self.leastLastUse - leastStreams - Self.leastName)
        /// Returns the width of the widest cell, at least `least` and not more than there is room for.
        func fitting(_ cells: [String], _ heading: String, _ least: Int) -> Int {
            let widest = (cells + [heading]).map { DisplayText.columns($0) }.max() ?? 0
            let growth = min(spare, max(0, widest - least))
            spare -= growth
            return least + growth
        }
        access = fitting(apps.map { AccessText.words($0).text }, headings.access, leastAccess)
        lastUse = fitting(
            apps.map { AccessText.lastUse($0, at: context.now) }, headings.lastUse, Self.leastLastUse)
        streams = leastStreams > 0 ? fitting([], headings.streams, leastStreams) : 0
        let rest = width - marks - access - lastUse - streams
        identity = rest < 60 ? 0 : min(60, rest / 2)
        name = min(40, rest - (identity > 0 ? identity + gap : 0))
    }

    func heading(_ context: ScreenContext) -> TextRow {
        let places: KeyValuePairs = ["arrow": String(context.glyphs.arrow)]
        let hours =
            strip < 24
            // Translators: Heading of a column of at most 12 characters, with a bar for two hours each.
            ? translated("24 H {arrow} NOW", places)
            // Translators: Heading of a column of at most 24 characters, with a bar for each hour.
            : translated("LAST 24 HOURS {arrow} NOW", places)
        var row = TextRow(String(repeating: " ", count: Self.markWidth))
        for (text, width) in cells(
            headings.name, headings.identity, headings.access, headings.streams, headings.lastUse)
        {
            row.append(text, width: width, .hint)
            row.append(String(repeating: " ", count: gap))
        }
        if strip > 0 { row.append(hours, .hint) }
        return row
    }

    func row(_ app: WatchedApp, _ context: ScreenContext) -> TextRow {
        let isSelected = app.key == context.state.selection
        var row = TextRow(isSelected ? context.glyphs.selection + " " : "  ", .title)
        let isRecent = app.wasActive(within: 3600, of: context.now)
        row.append(
            app.isActive ? context.glyphs.now + " " : isRecent ? context.glyphs.lastHour + " " : "  ",
            app.isActive ? .good : .plain)
        let isOwn = app.key == context.state.ownApp
        let nameText =
            isOwn
            ? own(AccessText.shortName(app, columns: max(4, name - DisplayText.columns(own(""))), prefix: ""))
            : AccessText.shortName(app, columns: name)
        let streamText = app.sessions.isEmpty ? "" : "\(app.sessions.count) \(app.fronts)"
        let access = AccessText.words(app)
        let cells = cells(
            nameText, DisplayText.shown(app.key.app.description), access.text, streamText,
            AccessText.lastUse(app, at: context.now))
        for (index, (text, width)) in cells.enumerated() {
            row.append(text, width: width, index == cells.count - accessFromEnd ? access.style : .plain)
            row.append(String(repeating: " ", count: gap))
        }
        if strip > 0 {
            let hours = HourStrip.text(app.hourlyDeliveries(at: context.now), width: strip, context.glyphs)
            row.append(hours, app.use?.background == true ? .warning : .good)
        }
        return isSelected ? row.styled(.selected) : row
    }

    /// Returns the name of this program as an app.
    private func own(_ name: String) -> String {
        // Translators: The name of the program that shows this. The place may be empty.
        translated("{app} (you)", ["app": name])
    }

    /// The position of the access among the cells, counted from the last.
    private var accessFromEnd: Int { streams > 0 ? 3 : 2 }

    /// Returns the cells that fit, with their widths.
    private func cells(
        _ name: String, _ identity: String, _ access: String, _ streams: String, _ lastUse: String
    ) -> [(String, Int)] {
        [
            (name, self.name), (identity, self.identity), (access, self.access), (streams, self.streams),
            (lastUse, self.lastUse),
        ].filter { $0.1 > 0 }
    }

    /// The headings of the columns.
    private struct Headings {
        // Translators: Heading of a column: the apps.
        let name = translated("APP")
        // Translators: Heading of a column: the identities of the apps, such as flatpak:org.gnome.Maps.
        let identity = translated("IDENTITY")
        // Translators: Heading of a column: an app's access to the location. At most 12 columns.
        let access = translated("MAY HAVE")
        // Translators: Heading of a column: the number of an app's streams. At most 12 columns.
        let streams = translated("STREAMS")
        // Translators: Heading of a column: the time since an app's last use of the location. At most 14 columns.
        let lastUse = translated("LAST USE")
    }
}

/// The legend of the marks, if there is space for it.
enum AppsLegend {
    static func rows(_ context: ScreenContext) -> [TextRow] {
        let glyphs = context.glyphs
        let hours = glyphs.hours.map { String($0) }
        let texts = [
            translated(
                // Translators: Two marks of apps in the list.
                "{now} uses the location now {hour} did in the last hour",
                ["now": glyphs.now, "hour": glyphs.lastHour]),
            translated(
                // Translators: Five marks, for the number of locations that an app got in an hour.
                "sent in an hour: {none} none {few} to 9 {some} to 99 {many} to 999 {most} more",
                ["none": hours[0], "few": hours[1], "some": hours[2], "many": hours[3], "most": hours[4]]),
            // Translators: Letters of satellites: G is one that the fix uses, g one that is only seen.
            translated("sky: upper case is used, lower case is only seen"),
        ]
        return texts.flatMap { TextRow.wrapped($0, context.width - 4, .hint) }.map { row in
            var indented = TextRow("    ")
            indented.append(row, at: 4)
            return indented
        }
    }
}
