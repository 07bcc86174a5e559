internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The apps: a line for each with its authorization, its streams, its last use and its last 24 hours.
enum AppsPanel {
    static func rows(_ context: ScreenContext, limit: Int) -> [TextRow] {
        guard limit > 0, context.state.isConnected else { return [] }
        let apps = context.state.shownApps
        let title = context.title("WHO IS LOOKING", filter(context) + summary(context.state.apps, context))
        if case .failed(let message) = context.state.management {
            let text = "The apps of this machine are not shown: \(message)"
            return [title] + TextRow.wrapped(DisplayText.shown(text), context.width, .warning).prefix(limit - 1)
        }
        guard !apps.isEmpty else {
            if !context.state.filter.isEmpty { return [title, TextRow("No app has that in its name.", .hint)] }
            let isKnown = context.state.decisions != nil
            return [title] + (isKnown ? [TextRow("No app has requested the location, and none has a decision.")] : [])
        }
        let columns = AppColumns(
            width: context.width, hasFronts: apps.contains { !$0.fronts.isEmpty },
            isOff: apps.contains { $0.summary.map { $0.decided.isAuthorized && !$0.servicesEnabled } == true })
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
            ("\(context.glyphs.now) now: \(now)", now > 0 ? .good : .plain),
            ("\(context.glyphs.lastHour) in the last hour: \(hour)", .plain), ("in 24 hours: \(day)", .plain),
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
        let above = first > 0 ? "\(first) above" : ""
        let below = first + count < apps.count ? "\(apps.count - first - count) below" : ""
        let remark = [above, below].filter { !$0.isEmpty }.joined(separator: ", ")
        return apps[first..<first + count].map { columns.row($0, context) }
            + [TextRow("    more apps: \(remark)", .hint)].prefix(limit - count)
    }
}

/// The columns of the list of apps, for the width of the window.
struct AppColumns {
    private static let markWidth = 4
    private static let lastUseWidth = 8

    /// The gap between two cells, in columns.
    private let gap: Int
    private let name: Int
    private let identity: Int
    private let access: Int
    private let streams: Int
    private let strip: Int

    init(width: Int, hasFronts: Bool, isOff: Bool) {
        gap = width < 100 ? 1 : 2
        strip = width < 54 ? 0 : width < 70 ? 12 : width < 140 ? 24 : 48
        streams = width < 70 ? 0 : hasFronts ? 9 : 7
        access = isOff ? AccessText.widthWhileOff : AccessText.width
        let fixed =
            Self.markWidth + gap + access + gap + Self.lastUseWidth + gap + strip
            + (streams > 0 ? streams + gap : 0)
        let rest = width - fixed
        identity = rest < 60 ? 0 : min(60, rest / 2)
        name = min(40, rest - (identity > 0 ? identity + gap : 0))
    }

    func heading(_ context: ScreenContext) -> TextRow {
        let arrow = context.glyphs.arrow
        let hours = strip < 24 ? "24 H \(arrow) NOW" : "LAST 24 HOURS \(arrow) NOW"
        var row = TextRow(String(repeating: " ", count: Self.markWidth))
        for (text, width) in cells("APP", "IDENTITY", "MAY HAVE", "STREAMS", "LAST USE") {
            row.append(text, width: width + gap, .hint)
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
            ? AccessText.shortName(app, columns: max(4, name - 6), prefix: "") + " (you)"
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

    /// The position of the access among the cells, counted from the last.
    private var accessFromEnd: Int { streams > 0 ? 3 : 2 }

    /// Returns the cells that fit, with their widths.
    private func cells(
        _ name: String, _ identity: String, _ access: String, _ streams: String, _ lastUse: String
    ) -> [(String, Int)] {
        [
            (name, self.name), (identity, self.identity), (access, self.access), (streams, self.streams),
            (lastUse, Self.lastUseWidth),
        ].filter { $0.1 > 0 }
    }
}

/// The legend of the marks, if there is space for it.
enum AppsLegend {
    static func rows(_ context: ScreenContext) -> [TextRow] {
        let glyphs = context.glyphs
        let amounts = ["none", "to 9", "to 99", "to 999", "more"]
        let hours = zip(glyphs.hours, amounts).map { "\($0) \($1)" }.joined(separator: "  ")
        let texts = [
            "\(glyphs.now) uses the location now  \(glyphs.lastHour) did in the last hour",
            "sent in an hour: \(hours)", "sky: upper case is used, lower case is only seen",
        ]
        return texts.flatMap { TextRow.wrapped($0, context.width - 4, .hint) }.map { row in
            var indented = TextRow("    ")
            indented.append(row, at: 4)
            return indented
        }
    }
}
