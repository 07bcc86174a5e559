import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import TerminalScreens

/// The dashboard's screens for scripted states, in different windows.
@Suite struct DashboardScreenTests {
    private static let folder = Project.folder + "/Tests/Fixtures/Dashboard"
    private static let plain = TerminalCapabilities(hasColour: false)
    private static let ascii = TerminalCapabilities(hasColour: false, hasUnicode: false)

    /// Compares a screen with the file of that name. If DASHBOARD_SCREENS names a folder, writes it there instead.
    private func expect(
        _ state: DashboardState, _ columns: Int, _ rows: Int, _ capabilities: TerminalCapabilities, is name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let screen = DashboardSamples.screen(state, columns: columns, rows: rows, capabilities)
        let text = screen.rows.map { $0.drawn(capabilities) + "\n" }.joined()
        let file = "\(Self.folder)/\(name).txt"
        if let folder = ProcessInfo.processInfo.environment["DASHBOARD_SCREENS"] {
            return try text.write(toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8)
        }
        let known = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.utf8.elementsEqual(known.utf8), "\(name):\n\(text)", sourceLocation: sourceLocation)
    }

    private func pressed(_ keys: [Key], _ events: [DashboardEvent] = []) -> DashboardState {
        var state = DashboardSamples.state(events)
        for key in keys { _ = state.pressed(key, at: 400) }
        return state
    }

    @Test func theOverview() throws {
        let state = DashboardSamples.state()
        try expect(state, 80, 24, Self.plain, is: "overview-80x24")
        try expect(state, 120, 40, Self.plain, is: "overview-120x40")
        try expect(state, 60, 24, Self.plain, is: "overview-60x24")
        try expect(state, 200, 50, Self.plain, is: "overview-200x50")
        try expect(state, 300, 30, Self.plain, is: "overview-300x30")
        try expect(state, 80, 24, Self.ascii, is: "overview-ascii-80x24")
        let console = TerminalCapabilities(hasColour: false, isLinuxConsole: true)
        try expect(state, 80, 24, console, is: "overview-console-80x24")
        try expect(state, 80, 24, TerminalCapabilities(), is: "overview-colour-80x24")
    }

    @Test func anApp() throws {
        try expect(pressed([.down, .enter]), 80, 24, Self.plain, is: "details-80x24")
        try expect(pressed([.down, .down, .down, .enter]), 120, 40, Self.plain, is: "details-120x40")
    }

    @Test func help() throws {
        try expect(pressed([.character("?")]), 80, 24, Self.plain, is: "help-80x24")
        try expect(pressed([.character("?")]), 60, 24, Self.ascii, is: "help-ascii-60x24")
    }

    @Test func aFilter() throws {
        let keys = [Key.character("/"), .character("e"), .character("x"), .character("e"), .down]
        try expect(pressed(keys), 80, 24, Self.plain, is: "filter-80x24")
        try expect(pressed(keys + [.enter]), 120, 40, Self.plain, is: "filter-120x40")
        let none = pressed([.character("/"), .character("#")])
        let rows = DashboardSamples.screen(none, Self.plain).rows.map(\.text)
        #expect(rows.contains("No app has that in its name."), "\(rows)")
    }

    /// While location services are off, the decisions are still visible.
    @Test func decisionsStayWhileServicesAreOff() throws {
        var state = DashboardSamples.state()
        var lists = DashboardSamples.lists
        lists.services.user = false
        var apps = DashboardSamples.apps
        for index in apps.indices { (apps[index].servicesEnabled, apps[index].status) = (false, .denied) }
        _ = state.received(.lists(lists), at: 300)
        _ = state.received(.apps(apps), at: 300)
        try expect(state, 80, 24, Self.plain, is: "off-80x24")
        let row = try #require(
            DashboardSamples.screen(state, TerminalCapabilities()).rows.first { $0.text.contains("in use, full (off)") }
        )
        #expect(row.pieces.contains { $0.text.contains("in use, full (off)") && $0.style == .hint })
    }

    /// Times are in the machine's zone, which is named.
    @Test func timesAreLocal() {
        let zone = LocalTime(zone: .fixed(offset: 7200, name: "CEST"))
        var state = pressed([.down, .enter])
        for columns in [80, 120] {
            let screen = DashboardScreen(
                state, columns: columns, rows: 40, glyphs: .unicode, now: DashboardSamples.now, at: 300, zone: zone)
            let text = screen.rows.map(\.text).joined(separator: "\n")
            #expect(text.contains("14:05 CEST") && text.contains("14:04:59 CEST") && !text.contains("UTC"), "\(text)")
            #expect(text.contains("since 2026-06-01 12:35 CEST"))
        }
        _ = state.received(.update(Update(event: .receiverLost, location: nil)), at: 300)
        let old = DashboardScreen(
            state, columns: 80, rows: 24, glyphs: .unicode, now: DashboardSamples.now, at: 342, zone: zone)
        #expect(old.rows.contains { $0.text.hasPrefix("last fix 14:04:59, 43 s ago") })
    }

    @Test func theQuestions() throws {
        try expect(pressed([.down, .character("x")]), 80, 24, Self.plain, is: "revoke-80x24")
        try expect(pressed([.down, .character("r")]), 60, 24, Self.plain, is: "reduce-60x24")
        try expect(pressed([.down, .down, .down, .character("a")]), 80, 24, Self.ascii, is: "allow-ascii-80x24")
    }

    @Test func aPrompt() throws {
        let open = DashboardEvent.prompts([AgentSamples.prompt(), AgentSamples.prompt(id: 8)])
        try expect(pressed([], [open]), 80, 24, Self.plain, is: "banner-80x24")
        try expect(pressed([.character("p")], [open]), 80, 24, Self.plain, is: "prompt-80x24")
        try expect(pressed([.character("p")], [open]), 120, 60, Self.plain, is: "prompt-120x60")
    }

    @Test func theResultOfAnAnswerIsShownOnceBesideTheNextPrompt() {
        let open = DashboardEvent.prompts([AgentSamples.prompt(), AgentSamples.prompt(id: 8)])
        var state = pressed([.character("p")], [open])
        _ = state.pressed(.character("w"), at: 401)
        _ = state.received(.answered(.whileUsing, .full, failure: nil), at: 402)
        let rows = DashboardSamples.screen(state, Self.plain).rows.map(\.text)
        #expect(state.agent.current?.id == 8 && rows.contains { $0.hasPrefix("Tracker wants") })
        #expect(rows.count { $0.contains("Tracker: Allow while in use") } == 1, "\(rows)")
    }

    /// Root sees the apps of all users: the same program of another user is another app.
    @Test func onlyTheOwnUsersProgramIsMarked() {
        var state = DashboardState(ownApp: DashboardSamples.key(DashboardSamples.own, uid: 0))
        for event in [.connected, .apps(DashboardSamples.apps)] as [DashboardEvent] {
            _ = state.received(event, at: 0)
        }
        let rows = DashboardSamples.screen(state, Self.plain).rows.map(\.text)
        #expect(rows.contains { $0.contains("locationctl") } && !rows.contains { $0.contains("(you)") })
    }

    @Test func withoutTheManagementSocket() throws {
        var state = DashboardState(ownApp: DashboardSamples.key(DashboardSamples.own))
        _ = state.received(.connected, at: 0)
        _ = state.received(.authorization(DashboardSamples.fullAuthorization), at: 0)
        _ = state.received(.managementFailed("not permitted to open /run/x: join the group locationd"), at: 0)
        _ = state.received(.update(Update(event: .location, location: DashboardSamples.location(0))), at: 1)
        try expect(state, 80, 24, Self.plain, is: "no-management-80x24")
    }

    @Test func withoutADaemon() throws {
        var state = DashboardSamples.state()
        _ = state.received(.lost, at: 400)
        try expect(state, 80, 24, Self.plain, is: "lost-80x24")
    }

    private static func receiver(_ name: String, _ status: ReceiverStatus, inUse: Bool = false) -> ReceiverSummary {
        var receiver = ReceiverSummary(name: name, specification: name, state: status, fixes: 0)
        receiver.inUse = inUse
        receiver.choice = inUse ? .first : nil
        if status == .lost { receiver.message = "\(name) is not there" }
        return receiver
    }

    /// Returns a state with eleven receivers, the one in use being the last in the configuration, and with 22 unused
    /// grants.
    private static func manyReceivers() -> DashboardState {
        var state = DashboardSamples.state()
        let statuses: [ReceiverStatus] = [
            .ended, .running, .running, .searching, .lost, .lost, .lost, .lost, .stopped, .stopped, .running,
        ]
        let receivers = statuses.enumerated().map { receiver("gps\($0.offset)", $0.element, inUse: $0.offset == 10) }
        var lists = DashboardSamples.lists
        let apps = (0..<22).map { DashboardSamples.app("exe:/opt/\($0)", .authorizedWhenInUse) }
        lists.receivers = receivers
        for event in [.apps(apps), .uses([]), .sessions([]), .log([]), .lists(lists), .receivers(receivers)]
            as [DashboardEvent]
        {
            _ = state.received(event, at: 300)
        }
        return state
    }

    @Test func theReceiversThatMatterAreShownAndTheRestIsCounted() throws {
        let state = Self.manyReceivers()
        try expect(state, 80, 24, Self.plain, is: "receivers-80x24")
        try expect(state, 100, 30, Self.plain, is: "receivers-100x30")
        try expect(state, 200, 50, Self.plain, is: "receivers-200x50")
    }

    /// A chosen receiver that is closed or has no fix delivers nothing.
    @Test(arguments: [(ReceiverStatus.stopped, "closed      no app needs it"), (.searching, "searching")])
    func aReceiverWithoutAFixIsNotInUse(status: ReceiverStatus, text: String) {
        var state = DashboardSamples.state()
        _ = state.received(.receivers([Self.receiver("gps", status, inUse: true)]), at: 300)
        let rows = DashboardSamples.screen(state, columns: 120, Self.plain).rows.map(\.text)
        #expect(rows.contains { $0.hasPrefix("  gps") && $0.contains(text) && !$0.contains("in use") }, "\(rows)")
        #expect(!rows.contains { $0.hasPrefix("* gps") })
    }

    @Test(arguments: [60, 80, 120])
    func interferenceIsShownBesideTheReceiver(columns: Int) {
        var state = DashboardSamples.state()
        var receivers = DashboardSamples.receivers
        receivers[0].jamming = JammingReport(level: .critical, indicator: 255)
        _ = state.received(.receivers(receivers), at: 400)
        func rows() -> [String] { DashboardSamples.screen(state, columns: columns, Self.plain).rows.map(\.text) }
        #expect(rows().contains { $0.contains("jamming: critical") }, "\(rows())")
        receivers[0].jamming?.level = JammingReport.Level.none
        _ = state.received(.receivers(receivers), at: 401)
        #expect(!rows().contains { $0.contains("jamming") })
    }

    @Test(arguments: [80, 120])
    func whatSpeaksAgainstAReceiverIsShownBesideIt(columns: Int) {
        var state = DashboardSamples.state()
        var receivers = DashboardSamples.receivers
        receivers[0].doubts = FixDoubts([.spoofing])
        _ = state.received(.receivers(receivers), at: 400)
        let rows = DashboardSamples.screen(state, columns: columns, Self.plain).rows.map(\.text)
        #expect(rows.contains { $0.contains("suspect: the receiver reports") }, "\(rows)")
    }

    /// Attack: apps with names that control the terminal, reorder the text beside them or are wider than any window.
    @Test func namesOfStrangers() throws {
        var state = DashboardSamples.state()
        let names = [
            "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}txet desrever", "خرائط جوجل", "地图地图地图地图地图地图地图地图",
            "a" + String(repeating: "\u{301}", count: 400), String(repeating: "w", count: 4000), "line\nbreak",
        ]
        let apps = names.enumerated().map { index, name in
            DashboardSamples.app("app:org.example.App\(index)", .authorizedWhenInUse, name: name)
        }
        _ = state.received(.uses([]), at: 300)
        _ = state.received(.sessions([]), at: 300)
        _ = state.received(.log([]), at: 300)
        _ = state.received(.apps(apps), at: 300)
        try expect(state, 80, 30, Self.plain, is: "strangers-80x30")
        try expect(state, 80, 30, Self.ascii, is: "strangers-ascii-80x30")
    }

    /// In each window all views stay within it, and have no control characters in them.
    @Test(arguments: [1, 20, 39, 40, 41, 60, 61, 79, 80, 100, 119, 141, 200, 299, 300, 1000])
    func everyViewFitsEveryWindow(columns: Int) {
        var hostile = DashboardSamples.lists
        let long = String(repeating: "界\u{301}", count: 600)
        let apps =
            DashboardSamples.apps
            + (0..<40).map { DashboardSamples.app("exe:/\($0)/\(long)", .authorizedAlways, name: long) }
        hostile.receivers[0].name = long
        hostile.receivers[1].message = long
        let events: [DashboardEvent] = [
            .apps(apps), .lists(hostile), .receivers(hostile.receivers), .prompts(AgentSamples.hostile),
        ]
        for keys in [
            [], [.up], [.up, .enter], [.up, .character("x")], [.up, .character("a")], [.character("p")],
            [.character("?")],
            [.character("/"), .character("0"), .end],
        ] as [[Key]] {
            let state = pressed(keys, events)
            for rows in [1, 9, 10, 16, 24, 100] {
                let capabilities = (rows + columns).isMultiple(of: 2) ? Self.plain : Self.ascii
                let screen = DashboardSamples.screen(state, columns: columns, rows: rows, capabilities)
                #expect(screen.rows.count <= rows)
                let last: UInt8 = capabilities == Self.ascii ? 0x7F : 0xFF
                // One expectation for all rows: a hundred thousand take longer than the drawing.
                let faulty = screen.rows.map { $0.drawn(capabilities) }.filter { text in
                    DisplayText.columns(text) >= max(3, columns)
                        || text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 > last }
                }
                #expect(faulty == [], "\(columns)x\(rows)")
            }
        }
    }

    /// Everything but the names of apps and receivers is in the fonts of the Linux console; see the file of the code
    /// points.
    @Test func theLinuxConsoleHasEachCharacter() throws {
        let table = try String(contentsOfFile: "\(Self.folder)/console-fonts", encoding: .utf8)
        let codes = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.flatMap { $0.split(separator: " ") }
        let known = Set(codes.map { UInt32($0, radix: 16)! })
        #expect(known.count > 300)
        let console = TerminalCapabilities(isLinuxConsole: true)
        let prompt = DashboardEvent.prompts([AgentSamples.prompt()])
        for keys in [[], [.down], [.down, .enter], [.down, .character("x")], [.down, .character("a")]] as [[Key]] {
            for (columns, rows) in [(80, 24), (120, 40), (200, 60), (60, 20)] {
                let screen = DashboardSamples.screen(pressed(keys, [prompt]), columns: columns, rows: rows, console)
                let text = screen.rows.map { $0.drawn(console) }.joined()
                let missing = Set(text.unicodeScalars.filter { $0.value >= 0x7F && !known.contains($0.value) })
                #expect(missing.isEmpty, "\(columns)x\(rows)")
            }
        }
        let glyphs = Glyphs.console
        let all = String(glyphs.levels + glyphs.directions + glyphs.hours) + glyphs.now + glyphs.lastHour + glyphs.keys
        #expect(all.unicodeScalars.allSatisfy { $0.isASCII || known.contains($0.value) })
    }

    /// The text is the same with and without colour.
    @Test func colourIsOnlyEmphasis() {
        for row in DashboardSamples.screen(DashboardSamples.state(), TerminalCapabilities()).rows {
            let drawn = row.drawn(TerminalCapabilities()).replacing(/\u{1B}\[[0-9;]*m/, with: "")
            #expect(drawn == row.drawn(Self.plain))
            #expect(!row.drawn(Self.plain).contains("\u{1B}"))
        }
    }
}
