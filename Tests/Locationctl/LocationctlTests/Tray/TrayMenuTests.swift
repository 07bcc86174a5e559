import Bus
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import DesktopAgent
@testable import LocationctlSupport

/// The tray's menu: its contents, and the effects of its items.
@Suite struct TrayMenuTests {
    @Test func whoLooksAndWhatCanBeDone() {
        #expect(
            TrayMenu(TraySamples.state).lines == [
                "(This app uses the location:)",
                "Maps", "  (flatpak:org.gnome.Maps)", "  (While in use)", "  [ ] Approximate only", "  Revoke",
                "--", "(In the last 24 hours:)",
                "exe:/opt/tracker/bin/tracker (in background)", "  (exe:/opt/tracker/bin/tracker)",
                "  (Always)", "  [ ] Approximate only", "  Only while in use", "  Revoke",
                "exe:/usr/bin/weather", "  (exe:/usr/bin/weather)", "  (While in use, reduced accuracy)",
                "  [x] Approximate only", "  Revoke",
                "--", "[x] Location services", "--", "Open the dashboard",
            ])
    }

    @Test func aClickIsACommand() {
        let items = Dictionary(uniqueKeysWithValues: TrayMenu(TraySamples.state).items.map { ($0.key, $0.command) })
        let (maps, tracker) = (
            DashboardSamples.seen(DashboardSamples.maps), DashboardSamples.seen(DashboardSamples.tracker)
        )
        #expect(items[.revoke(TraySamples.maps)] == .decide(TraySamples.revoke))
        #expect(items[.approximate(TraySamples.maps)] == .decide(.setAccuracy(maps, .reduced)))
        #expect(items[.approximate(TraySamples.tracker)] == .decide(.setAccuracy(tracker, .reduced)))
        #expect(items[.whileInUse(TraySamples.tracker)] == .decide(.keepWhileInUse(tracker)))
        #expect(items[.services] == .decide(.switchServices(isOn: false, uid: nil)))
        #expect(items[.dashboard] == .openDashboard)
        #expect(items[.app(TraySamples.maps)] == .some(nil), "it opens its submenu")
    }

    /// A daemon that does not answer, services that are off, and a switch that is not the user's.
    @Test func whatCannotBeChangedIsSaid() {
        var state = TrayState(isAdministrator: false)
        #expect(TrayMenu(state).lines == ["(locationd is not running)", "--", "Open the dashboard"])
        state.received([])
        state.received([], TraySamples.off)
        #expect(
            TrayMenu(state).lines == [
                "(Location services are off)", "--", "[ ] Location services", "--", "Open the dashboard",
            ])
        #expect(state.isActive, "services are switched on there")
        state.received([], .init(machine: false, user: true))
        #expect(TrayMenu(state).lines.contains("([ ] Location services: off for the whole machine)"))
        state.received([], .init(machine: true, user: false, desktop: false))
        #expect(TrayMenu(state).lines.contains("([ ] Location services: off in the desktop's settings)"))
    }

    /// A system service serves all users, so that only an administrator decides about it.
    @Test func onlyAnAdministratorDecidesAboutServices() {
        let service = "service:weatherd"
        for isAdministrator in [false, true] {
            var state = TrayState(isAdministrator: isAdministrator)
            state.received([DashboardSamples.use(service, active: true, minutesAgo: 0)])
            state.received([DashboardSamples.app(service, .authorizedAlways)], TraySamples.on)
            #expect(TrayMenu(state).lines.contains("  Revoke") == isAdministrator)
        }
    }

    /// Attack: the path of a program differs from another app's only in the encoding of an accent. If the menu showed
    /// the other app's grant, a click would give the program its own grant.
    @Test func aGrantIsThatOfTheSameBytes() {
        var state = TrayState(isAdministrator: false)
        state.received([DashboardSamples.use("exe:/opt/cafe\u{301}", active: true, minutesAgo: 0)])
        state.received([DashboardSamples.app("exe:/opt/caf\u{E9}", .authorizedAlways)], TraySamples.on)
        #expect(state.apps.count == 1 && state.apps[0].granted == nil)
        #expect(!TrayMenu(state).lines.contains("  Revoke"))
    }

    /// The daemon lists the latest use first, which changes with each location.
    @Test func noItemMovesWithEachUse() {
        var state = TrayState(isAdministrator: false)
        let uses = ["exe:/b", "exe:/c", "exe:/a"].map { DashboardSamples.use($0, active: true, minutesAgo: 0) }
        state.received(uses)
        #expect(state.apps.map(\.name) == ["exe:/a", "exe:/b", "exe:/c"])
    }

    @Test func theMenuIsNotLongerThanAScreen() {
        let menu = TrayMenu(TraySamples.state(names: (0..<2000).map { "App \($0)" }))
        #expect(menu.lines.contains("And 1988 more…"))
        #expect(menu.lines.first == "(2000 apps use the location:)")
        #expect(menu.items.count < 40)
        #expect(menu.items.first { $0.key == .more }?.command == .openDashboard)
    }

    /// Attack: an app has a name that reads like another item, breaks the line, or fills the screen.
    @Test func namesAreMadeHarmless() {
        let names = [
            "a\nRevoke", "\u{1B}[2J\u{7}", "\u{202E}ynqD", String(repeating: "x", count: 4096),
            String(repeating: "W\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", count: 700), "a\u{2028}b\u{0}c",
        ]
        let menu = TrayMenu(TraySamples.state(names: names))
        for item in menu.items {
            #expect(DisplayText.columns(item.label) <= 60)
            #expect(item.label.utf8.count <= 1000)
            for scalar in item.label.unicodeScalars {
                #expect(scalar.value >= 0x20 && scalar.value != 0x7F, "\(item.label)")
                #expect(!(0x202A...0x202E).contains(scalar.value) && scalar.value != 0x2028, "\(item.label)")
            }
        }
        #expect(
            TrayText(TraySamples.state(names: ["<b>you</b> & me"])).toolTip
                == "&lt;b&gt;you&lt;/b&gt; &amp; me uses the location")
        #expect(
            TrayText(TraySamples.state(names: ["A", "B", "C", "D", "E"])).toolTip
                == "A, B, C and 2 more use the location")
    }
}
