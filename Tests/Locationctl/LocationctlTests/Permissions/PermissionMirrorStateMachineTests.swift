import Bytewise
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import DesktopAgent
@testable import LocationctlSupport

/// The entries of decisions, and the effects of switches and of hostile writes.
@Suite struct PermissionMirrorStateMachineTests {
    private static let map = "org.example.Map"
    private static let game = "org.example.Game"

    private static func app(
        _ id: String, _ status: AuthorizationStatus, _ accuracy: AccuracyAuthorization = .full, revision: Int = 7
    ) -> AppSummary {
        var app = DashboardSamples.app("app:\(id)", status, accuracy)
        app.revision = revision
        return app
    }

    private static func entry(_ texts: String...) -> PermissionEntry { PermissionEntry(texts)! }

    /// A machine that knows the apps and the entries of a store.
    private struct Scene {
        var machine = PermissionMirrorStateMachine()
        /// The entries of the store, which performs the machine's actions.
        private(set) var entries: [BytewiseString: PermissionEntry] = [:]
        private(set) var decisions: [UserDecision] = []
        /// All actions but reading, in their order.
        private(set) var actions: [PermissionMirrorStateMachine.Action] = []
        var time = 1000.0

        init(_ apps: [AppSummary], _ entries: [String: PermissionEntry] = [:]) {
            for (id, entry) in entries { self.entries[BytewiseString(id)] = entry }
            perform(machine.storeChanged(to: ":1.5"))
            list(apps)
        }

        private mutating func perform(_ actions: [PermissionMirrorStateMachine.Action]) {
            for action in actions {
                switch action {
                case .readEntries: perform(machine.received(entries, at: time))
                case .readUses: perform(machine.received([], at: time))
                case .write(let entry, let id): entries[BytewiseString(id)] = entry
                case .remove(let id): entries[BytewiseString(id)] = nil
                case .decide(let decision): decisions.append(decision)
                case .follow, .unfollow, .wait: break
                }
                if action != .readEntries, action != .readUses { self.actions.append(action) }
            }
        }

        mutating func list(_ apps: [AppSummary]) { perform(machine.received(apps)) }

        /// Another program changes an entry. The machine is notified of the table.
        mutating func write(_ texts: [String]?, for id: String) {
            entries[BytewiseString(id)] = texts.flatMap { PermissionEntry($0) }
            perform(machine.received(entries, at: time))
        }

        /// GNOME's page switches an app: it replaces the first text.
        mutating func switchApp(_ id: String, on isOn: Bool) {
            write([isOn ? "EXACT" : "NONE"] + (entries[BytewiseString(id)]?.texts.dropFirst() ?? []), for: id)
        }

        mutating func decided(_ isMade: Bool) { perform(machine.decided(isMade: isMade, at: time)) }

        mutating func wait(_ seconds: Double) {
            time += seconds
            perform(machine.waited(at: time))
        }

        func texts(_ id: String) -> [String]? { entries[BytewiseString(id)]?.texts }

        mutating func takeActions() -> [PermissionMirrorStateMachine.Action] {
            defer { actions = [] }
            return actions
        }
    }

    @Test(arguments: [
        (AuthorizationStatus.authorizedAlways, AccuracyAuthorization.full, "LOCATIOND"),
        (.authorizedWhenInUse, .reduced, "LOCATIOND"), (.denied, .full, "NONE"),
    ])
    func aDecisionIsAnEntry(_ status: AuthorizationStatus, _ accuracy: AccuracyAuthorization, _ text: String) {
        let scene = Scene([Self.app(Self.map, status, accuracy)])
        #expect(scene.texts(Self.map) == [text, "0", "locationd:\(text)"])
        #expect(scene.decisions.isEmpty)
    }

    /// The settings show apps with a desktop file. Flatpaks and snaps have entries of the portal's.
    @Test func otherAppsHaveNoEntry() {
        let others = ["flatpak:org.example.Map", "snap:map", "exe:/usr/bin/map", "service:map"]
        let scene = Scene(others.map { DashboardSamples.app($0, .authorizedAlways) } + [Self.app("x", .notDetermined)])
        #expect(scene.entries.isEmpty)
    }

    /// An app that was reset disappears, and an entry that others have made stays.
    @Test func anAppWithoutADecisionLosesItsEntry() {
        var scene = Scene(
            [Self.app(Self.map, .authorizedAlways)],
            ["org.flatpak.App": Self.entry("EXACT", "5"), Self.game: Self.entry("NONE", "0", "locationd:NONE")])
        #expect(scene.texts(Self.game) == nil, "a former agent has left it")
        scene.time += 1
        scene.list([])
        #expect(scene.texts(Self.map) == nil)
        #expect(scene.texts("org.flatpak.App") == ["EXACT", "5"])
    }

    /// The beginning of the quarter of an hour, as for other programs of the user. An older time is kept.
    @Test func theLastUse() {
        var machine = PermissionMirrorStateMachine()
        _ = machine.storeChanged(to: ":1.5")
        _ = machine.received([BytewiseString(Self.game): Self.entry("LOCATIOND", "77", "locationd:LOCATIOND")], at: 0)
        _ = machine.received([Self.app(Self.map, .authorizedAlways), Self.app(Self.game, .authorizedAlways)])
        let use = DashboardSamples.use("app:\(Self.map)", minutesAgo: 1)
        let seconds = DashboardSamples.time(1).millisecondsSince1970 / 1000
        #expect(
            machine.received([use], at: 0) == [
                .write(PermissionEntry(.on, lastUse: "\(seconds - seconds % 900)"), id: Self.map)
            ])
    }

    // MARK: Switches

    @Test func aSwitchToOffRevokes() {
        var scene = Scene([Self.app(Self.map, .authorizedAlways), Self.app(Self.game, .authorizedAlways)])
        scene.switchApp(Self.map, on: false)
        #expect(scene.decisions == [.revoke(AppScope(app: "app:\(Self.map)", uid: 1000))])
        #expect(scene.texts(Self.map)?.first == "NONE", "it stays as the user left it")
        // A second switch waits for the first decision.
        scene.switchApp(Self.game, on: false)
        #expect(scene.decisions.count == 1)
        scene.decided(true)
        scene.list([Self.app(Self.map, .denied, revision: 8), Self.app(Self.game, .authorizedAlways)])
        #expect(scene.decisions.count == 2)
        scene.wait(1)
        #expect(scene.texts(Self.map) == ["NONE", "0", "locationd:NONE"])
    }

    /// polkit refuses, or the user gives no password: the switch shows what holds.
    @Test func aRefusedSwitchGoesBack() {
        var scene = Scene([Self.app(Self.map, .authorizedAlways)])
        scene.switchApp(Self.map, on: false)
        scene.decided(false)
        scene.wait(1)
        #expect(scene.texts(Self.map) == ["LOCATIOND", "0", "locationd:LOCATIOND"])
        scene.list([Self.app(Self.map, .authorizedAlways)])
        #expect(scene.decisions.count == 1, "it is not tried again")
    }

    /// Attack: a program switches apps off as soon as their entries are restored, so that the user is asked for a
    /// password without end.
    @Test func attackSwitchesAfterARefusalAskNothingForAWhile() {
        var scene = Scene([Self.app(Self.map, .authorizedAlways), Self.app(Self.game, .authorizedAlways)])
        scene.switchApp(Self.map, on: false)
        scene.decided(false)
        _ = scene.takeActions()
        for second in 1...58 {
            scene.wait(1)
            scene.switchApp(second.isMultiple(of: 2) ? Self.map : Self.game, on: false)
        }
        #expect(scene.decisions.count == 1)
        #expect(scene.takeActions().count <= 2 * 60, "it is restored once a second")
        scene.wait(1)
        #expect(scene.texts(Self.map)?.first == "LOCATIOND" && scene.texts(Self.game)?.first == "LOCATIOND")
        scene.time += 10
        scene.switchApp(Self.map, on: false)
        #expect(scene.decisions.count == 2)
    }

    /// The list with the new decision may come before the daemon's reply.
    @Test func aDecisionThatIsListedBeforeItsReply() {
        var scene = Scene([Self.app(Self.map, .authorizedAlways)])
        scene.switchApp(Self.map, on: false)
        scene.time += 1
        scene.list([Self.app(Self.map, .denied, revision: 8)])
        scene.decided(true)
        #expect(scene.texts(Self.map) == ["NONE", "0", "locationd:NONE"])
        #expect(scene.decisions.count == 1)
    }

    /// Attack: a program, the denied one perhaps, writes EXACT. It gets a prompt at its next request, and no more.
    @Test func aSwitchToOnGrantsNothing() {
        var scene = Scene([Self.app(Self.map, .denied)])
        scene.switchApp(Self.map, on: true)
        #expect(scene.decisions == [.reset(AppScope(app: "app:\(Self.map)", uid: 1000, revision: 7))])
        scene.decided(true)
        scene.time += 1
        scene.list([])
        #expect(scene.texts(Self.map) == nil)
        // Denied again, it switches itself on again: not for a while.
        scene.time += 1
        scene.list([Self.app(Self.map, .denied, revision: 9)])
        scene.time += 1
        scene.switchApp(Self.map, on: true)
        #expect(scene.decisions.count == 1)
        #expect(scene.texts(Self.map)?.first == "NONE")
        scene.time += PermissionMirrorStateMachine.resettingInterval
        scene.switchApp(Self.map, on: true)
        #expect(scene.decisions.count == 2)
    }

    /// Attack: a denied app switches itself on for as long as it takes until the user gives in.
    @Test func attackASwitchToOnIsPassedOnMoreAndMoreSeldom() {
        var scene = Scene([Self.app(Self.map, .denied)])
        for minute in 0..<(24 * 60) {
            let count = scene.decisions.count
            scene.switchApp(Self.map, on: true)
            if scene.decisions.count > count {
                scene.decided(true)
                scene.time += 1
                scene.list([Self.app(Self.map, .denied, revision: 8 + minute)])
            }
            // Written back, and switched again.
            scene.wait(60)
        }
        #expect((2...12).contains(scene.decisions.count), "\(scene.decisions.count)")
    }

    /// Attack: an app that was granted has the ID of a Flatpak that is not installed at the moment. The portal's answer
    /// about that would be lost, and its grant be the agent's.
    @Test func attackAnEntryOfAnotherProgramStays() {
        let others = [Self.map: Self.entry("NONE", "5"), Self.game: Self.entry("EXACT", "5")]
        var scene = Scene([Self.app(Self.map, .authorizedAlways), Self.app(Self.game, .authorizedAlways)], others)
        #expect(scene.actions == [.follow] && scene.decisions.isEmpty)
        // The settings show it, and so its switch revokes.
        scene.time += 1
        scene.switchApp(Self.game, on: false)
        #expect(scene.decisions == [.revoke(AppScope(app: "app:\(Self.game)", uid: 1000))])
        scene.decided(true)
        scene.time += 1
        scene.list([Self.app(Self.map, .authorizedAlways), Self.app(Self.game, .denied, revision: 8)])
        #expect(scene.decisions.count == 1)
        #expect(scene.texts(Self.map) == ["NONE", "5"] && scene.texts(Self.game) == ["NONE", "5"])
        scene.switchApp(Self.game, on: true)
        #expect(scene.decisions.count == 1, "it grants nothing")
        // A later grant holds, and goes by a later switch.
        scene.switchApp(Self.game, on: false)
        let granted = [Self.map, Self.game].map { Self.app($0, .authorizedAlways, revision: 9) }
        scene.list(granted)
        #expect(scene.decisions.count == 1)
        scene.switchApp(Self.game, on: true)
        scene.switchApp(Self.game, on: false)
        #expect(scene.decisions.count == 2)
    }

    /// Attack: a program widens its accuracy, imitates the agent's entry, or writes nonsense.
    @Test(
        arguments: [
            ["EXACT", "0", "locationd:CITY"], ["EXACT", "0", "locationd:EXACT"], ["EXACT", "0"], ["STREET", "0", "x"],
            ["CITY", "-1", "locationd:CITY"], ["CITY", "99999999999999", "locationd:CITY"], ["EXACT"], [], nil,
        ] as [[String]?])
    func aWriteGrantsNothing(_ texts: [String]?) {
        var scene = Scene([Self.app(Self.map, .authorizedAlways, .reduced)])
        scene.time += 1
        scene.write(texts, for: Self.map)
        #expect(scene.decisions.isEmpty)
        #expect(scene.texts(Self.map)?.first == "LOCATIOND")
    }

    /// GNOME's page replaces the whole table by the one that it has read before.
    @Test func aPageThatWritesAnOldTable() {
        var scene = Scene([Self.app(Self.map, .denied), Self.app(Self.game, .authorizedAlways)])
        let old = scene.texts(Self.map)
        scene.time += 1
        scene.list([Self.app(Self.map, .authorizedAlways, revision: 8), Self.app(Self.game, .authorizedAlways)])
        scene.time += 1
        scene.write(old, for: Self.map)
        #expect(scene.decisions.isEmpty, "the new grant is not revoked")
        #expect(scene.texts(Self.map)?.first == "LOCATIOND")
        scene.time += 1
        scene.write(nil, for: Self.map)
        #expect(scene.texts(Self.map)?.first == "LOCATIOND", "nor is one that the page did not know of")
    }

    /// A program that drops the agent's text still switches.
    @Test func aSwitchWithoutTheAgentsText() {
        var scene = Scene([Self.app(Self.map, .authorizedAlways)])
        scene.write(["NONE", "0"], for: Self.map)
        #expect(scene.decisions == [.revoke(AppScope(app: "app:\(Self.map)", uid: 1000))])
    }

    @Test func aSwitchWhileNoAgentIsRunning() {
        let scene = Scene(
            [Self.app(Self.map, .authorizedAlways), Self.app(Self.game, .authorizedAlways)],
            [
                Self.map: Self.entry("NONE", "5", "locationd:LOCATIOND"),
                Self.game: Self.entry("NONE", "5", "locationd:NONE"),
            ])
        #expect(scene.decisions == [.revoke(AppScope(app: "app:\(Self.map)", uid: 1000))])
        #expect(scene.texts(Self.game) == ["LOCATIOND", "5", "locationd:LOCATIOND"], "it was granted meanwhile")
    }

    // MARK: Bounds, and the end

    /// Attack: a program changes an entry without end.
    @Test func entriesAreRestoredOnceASecond() {
        var scene = Scene([Self.app(Self.map, .authorizedAlways, .reduced)])
        scene.time += 10
        _ = scene.takeActions()
        for _ in 0..<100 {
            scene.time += 0.001
            scene.write(["EXACT", "0"], for: Self.map)
        }
        #expect(scene.takeActions().count == 2, "one write, and one request to wait")
        scene.wait(1)
        #expect(scene.texts(Self.map)?.first == "LOCATIOND")
    }

    @Test func theDaemonOrTheStoreIsLost() {
        var machine = PermissionMirrorStateMachine()
        #expect(machine.storeChanged(to: nil).isEmpty)
        #expect(machine.received([Self.app(Self.map, .denied)]).isEmpty)
        #expect(machine.storeChanged(to: ":1.5") == [.readEntries, .follow])
        #expect(machine.received([:], at: 0).isEmpty)
        #expect(machine.received([Self.app(Self.map, .denied)]) == [.readUses])
        machine.lost()
        #expect(machine.received([IndicatorEntry](), at: 0).isEmpty, "the entries stay")
        #expect(machine.storeChanged(to: ":1.6") == [.readEntries])
        #expect(machine.storeChanged(to: nil) == [.unfollow])
        #expect(machine.decided(isMade: false, at: 0).isEmpty && machine.received([:], at: 0).isEmpty)
        #expect(machine.storeChanged(to: ":1.7") == [.readEntries, .follow])
        #expect(machine.retried().isEmpty, "the list of apps has not ended")
        machine.ended()
        #expect(machine.retried() == [.follow], "a session that was not active is asked about again")
        machine.ended()
        #expect(machine.storeChanged(to: nil).isEmpty)
        #expect(machine.retried().isEmpty)
    }

    @Test func theAgentsEntriesGoWithIt() {
        var machine = PermissionMirrorStateMachine()
        #expect(machine.storeChanged(to: ":1.5") == [.readEntries, .follow])
        let other = Self.entry("EXACT", "5")
        let own = PermissionEntry(.on, lastUse: "0")
        _ = machine.received([BytewiseString(Self.map): own, BytewiseString(Self.game): other], at: 0)
        #expect(machine.ending() == [.unfollow, .remove(id: Self.map)])
        #expect(machine.received([BytewiseString(Self.map): own], at: 1).isEmpty, "nothing is written any more")
        #expect(machine.received([Self.app(Self.map, .authorizedAlways)]).isEmpty)
    }
}
