import Bus
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import DesktopAgent
@testable import LocationctlSupport

/// The registration of the item, the effects of clicks, and hostile calls.
@Suite struct TrayStateMachineTests {
    /// Returns a machine whose item is registered, with apps and grants.
    private func registered() -> TrayStateMachine {
        var machine = TrayStateMachine(isAdministrator: false)
        _ = machine.watcherChanged(to: ":1.5")
        _ = machine.received(DashboardSamples.uses, at: 0)
        _ = machine.read(DashboardSamples.apps, TraySamples.on, at: 0)
        return machine
    }

    private func members(_ actions: [TrayStateMachine.Action]) -> [String] {
        actions.map { if case .send(let signal) = $0 { signal.member } else { "\($0)" } }
    }

    @Test func withoutAHostNothingIsAsked() {
        var machine = TrayStateMachine(isAdministrator: false)
        #expect(machine.watcherChanged(to: nil).isEmpty)
        #expect(machine.received(DashboardSamples.uses, at: 0).isEmpty)
        #expect(machine.receive(TraySamples.call("AboutToShow", "i", [.int32(0)]), at: 0).1.isEmpty)
        #expect(machine.watcherChanged(to: ":1.5") == [.follow])
        #expect(machine.watcherChanged(to: nil) == [.unfollow])
        #expect(machine.watcherChanged(to: nil).isEmpty)
    }

    @Test func theItemIsRegisteredWithEachWatcher() {
        var machine = TrayStateMachine(isAdministrator: false)
        #expect(machine.watcherChanged(to: ":1.5") == [.follow])
        #expect(machine.received([], at: 0) == [.register(":1.5"), .read])
        #expect(members(machine.read([], TraySamples.on, at: 0)) == ["LayoutUpdated"])
        #expect(machine.watcherChanged(to: ":1.5").isEmpty)
        #expect(machine.watcherChanged(to: ":1.9") == [.register(":1.9")])
        #expect(machine.watcherChanged(to: nil) == [.unfollow])
        #expect(machine.watcherChanged(to: ":1.11") == [.follow])
    }

    /// If the daemon refuses to list the apps that use the location, there is nothing to show.
    @Test func aRefusalLeavesNoItem() {
        var machine = TrayStateMachine(isAdministrator: false)
        #expect(machine.watcherChanged(to: ":1.5") == [.follow])
        #expect(machine.ended().isEmpty)
        #expect(machine.watcherChanged(to: ":1.6") == [.follow])
    }

    @Test func theStatusIsThatOfAnArrow() {
        var machine = registered()
        #expect(machine.item.isActive)
        #expect(members(machine.received([], at: 5)).prefix(2) == ["NewStatus", "NewToolTip"])
        #expect(!machine.item.isActive)
        _ = machine.received(DashboardSamples.uses, at: 6)
        #expect(members(machine.lost()).first == "NewStatus")
        #expect(machine.item.toolTip == "locationd is not running")
    }

    @Test func aClickDecidesOnce() {
        var machine = registered()
        let revoke = machine.menu.number(.revoke(TraySamples.maps))
        let (result, actions) = machine.receive(TraySamples.click(revoke), at: 1)
        #expect(result == .success([]) && actions == [.decide(TraySamples.revoke)])
        // Attack: a flood of clicks makes a queue of password dialogs.
        for number in Int32(0)...100 {
            let actions = machine.receive(TraySamples.click(number), at: 1).1
            #expect(actions.allSatisfy { $0 == .openDashboard })
        }
        #expect(machine.decided(failure: "not authorized", at: 2) == [.notify("not authorized"), .read])
        #expect(machine.read(DashboardSamples.apps, TraySamples.on, at: 2).isEmpty)
        #expect(machine.receive(TraySamples.click(revoke), at: 3).1.count == 1)
    }

    /// A click while another decision is under way is carried out after it, once the menu shows its result.
    @Test func clicksWaitForTheDecisionBefore() {
        var machine = registered()
        let maps = TraySamples.maps
        func click(_ key: TrayMenu.Key) -> [TrayStateMachine.Action] {
            machine.receive(TraySamples.click(machine.menu.number(key)), at: 1).1
        }
        let seen = DashboardSamples.seen(DashboardSamples.maps)
        #expect(click(.approximate(maps)) == [.decide(.setAccuracy(seen, .reduced))])
        for _ in 0..<3 { #expect(click(.revoke(maps)).isEmpty && click(.services).isEmpty) }
        // The lists were being read when the decision was made: only lists read after it count.
        #expect(machine.receive(TraySamples.call("AboutToShow", "i", [.int32(0)]), at: 5).1 == [.read])
        #expect(machine.decided(failure: nil, at: 6).isEmpty)
        #expect(machine.read(DashboardSamples.apps, TraySamples.on, at: 6) == [.read])
        #expect(machine.read(DashboardSamples.apps, TraySamples.on, at: 6) == [.decide(TraySamples.revoke)])
        #expect(machine.decided(failure: nil, at: 7) == [.read])
        let actions = machine.read(DashboardSamples.apps, TraySamples.on, at: 7)
        #expect(actions == [.decide(.switchServices(isOn: false, uid: nil))])
        #expect(machine.decided(failure: nil, at: 8) == [.read])
        #expect(machine.read(DashboardSamples.apps, TraySamples.on, at: 8).isEmpty)
    }

    /// A click from before a revocation names the decision from before, which the daemon refuses. The user is notified.
    @Test func aClickFromBeforeAChangeIsNotDroppedSilently() {
        var machine = registered()
        let maps = TraySamples.maps
        let approximate = machine.menu.number(.approximate(maps))
        #expect(machine.receive(TraySamples.click(machine.menu.number(.revoke(maps))), at: 1).1.count == 1)
        #expect(machine.receive(TraySamples.click(approximate), at: 1).1.isEmpty)
        #expect(machine.decided(failure: nil, at: 2) == [.read])
        let rest = DashboardSamples.apps.filter { $0.app != DashboardSamples.maps }
        let seen = DashboardSamples.seen(DashboardSamples.maps)
        #expect(machine.read(rest, TraySamples.on, at: 2).contains(.decide(.setAccuracy(seen, .reduced))))
        #expect(machine.decided(failure: "changed", at: 3) == [.notify("changed"), .read])
    }

    @Test func otherEventsAreNotClicks() {
        var machine = registered()
        let revoke = machine.menu.number(.revoke(TraySamples.maps))
        for name in ["hovered", "opened", "closed", "", "Clicked", "x-evil"] {
            let (result, actions) = machine.receive(TraySamples.event(revoke, name), at: 1)
            #expect(result == .success([]) && actions.isEmpty)
        }
        let label = machine.menu.number(.headline)
        #expect(machine.receive(TraySamples.click(label), at: 1).1.isEmpty)
    }

    @Test func aGroupOfEvents() {
        var machine = registered()
        let revoke = machine.menu.number(.revoke(TraySamples.maps))
        func event(_ number: Int32) -> BusValue {
            .structure([.int32(number), .string("clicked"), .variant(.int32(0)), .uint32(0)])
        }
        let call = TraySamples.call(
            "EventGroup", "a(isvu)", [.array(of: "(isvu)", [event(9999), event(revoke), event(revoke)])])
        let (result, actions) = machine.receive(call, at: 1)
        #expect(result == .success([.array(of: "i", [.int32(9999)])]))
        #expect(actions == [.decide(TraySamples.revoke)])
    }

    @Test func theDashboardIsOpenedOnceForADoubleClick() {
        var machine = registered()
        let number = machine.menu.number(.dashboard)
        #expect(machine.receive(TraySamples.click(number), at: 10).1 == [.openDashboard])
        #expect(machine.receive(TraySamples.click(number), at: 10.2).1.isEmpty)
        let activate = TraySamples.call(
            "Activate", "ii", [.int32(1), .int32(2)], path: TrayItemObject.path, interface: TrayItemObject.interface)
        #expect(machine.receive(activate, at: 11).1.isEmpty)
        #expect(machine.receive(activate, at: 13).1 == [.openDashboard])
    }

    /// Attack: a program opens the menu without end, and the agent asks the daemon each time.
    @Test func theMenuIsReadOnceASecond() {
        var machine = registered()
        var readings = 0
        for step in 0..<1000 {
            let actions = machine.receive(
                TraySamples.call("AboutToShow", "i", [.int32(0)]), at: 10 + Double(step) / 100
            ).1
            guard actions == [.read] else { continue }
            readings += 1
            _ = machine.read(DashboardSamples.apps, TraySamples.on, at: 10 + Double(step) / 100)
        }
        #expect((9...10).contains(readings))
    }

    /// A change that comes while the lists are read is followed by another reading.
    @Test func noChangeIsMissed() {
        var machine = registered()
        #expect(members(machine.received(DashboardSamples.uses, at: 5)) == ["read"])
        #expect(members(machine.received(DashboardSamples.uses, at: 5)).isEmpty)
        #expect(members(machine.read(DashboardSamples.apps, TraySamples.on, at: 6)) == ["read"])
        #expect(members(machine.read(nil, nil, at: 7)).isEmpty)
    }

    @Test func propertiesAndIntrospection() throws {
        var machine = registered()
        func get(_ arguments: String..., at path: String) throws -> [BusValue] {
            let call = TraySamples.call(
                arguments.count == 2 ? "Get" : "GetAll", String(repeating: "s", count: arguments.count),
                arguments.map { .string($0) }, path: path, interface: "org.freedesktop.DBus.Properties")
            return try machine.receive(call, at: 0).0.get()
        }
        let (item, menu) = (TrayItemObject.interface, TrayMenuObject.interface)
        #expect(try get(item, "Status", at: TrayItemObject.path) == [.variant(.string("Active"))])
        #expect(try get(item, "Menu", at: TrayItemObject.path) == [.variant(.objectPath("/MenuBar"))])
        #expect(try get(menu, "Version", at: TrayMenuObject.path) == [.variant(.uint32(3))])
        #expect(throws: BusError.unknownProperty) { try get(item, "x", at: TrayItemObject.path) }
        #expect(throws: BusError.unknownInterface) { try get(item, at: TrayMenuObject.path) }
        #expect(throws: BusError.unknownObject) { try get(item, at: "/x") }
        // Each property is described with its type.
        let document = try #require(TrayIntrospection.document(at: TrayItemObject.path))
        for property in machine.item.properties {
            #expect(document.contains("<property name=\"\(property.name)\" type=\"\(property.value.signature)\""))
        }
        #expect(TrayIntrospection.document(at: "/")?.contains("<node name=\"MenuBar\"/>") == true)
        #expect(TrayIntrospection.document(at: TrayMenuObject.path)?.contains("<arg type=\"(ia{sv}av)\"") == true)
    }

    /// Attack: calls with wrong types, numbers, names and objects. Each gets an error, and nothing happens.
    @Test func hostileCalls() {
        var machine = registered()
        let menu = machine.menu
        let values: [BusValue] = [
            .int32(.min), .int32(-1), .int32(0), .int32(.max), .string(""), .strings([]),
            .variant(.unread(signature: "a{sv}")), .uint32(.max), .array(of: "i", []),
            .array(of: "(isvu)", [.string("x")]), .structure([]),
        ]
        let members = [
            "GetLayout", "GetGroupProperties", "GetProperty", "Event", "EventGroup", "AboutToShow", "AboutToShowGroup",
            "Activate", "Get", "GetAll", "Set", "Introspect", "Ping", "", "x",
        ]
        let interfaces: [String?] = [
            TrayMenuObject.interface, TrayItemObject.interface, "org.freedesktop.DBus.Properties", nil, "x",
        ]
        for member in members {
            for interface in interfaces {
                for path in [TrayMenuObject.path, TrayItemObject.path, "/", ""] {
                    for value in values {
                        for count in 0...4 {
                            let call = TraySamples.call(
                                member, "", Array(repeating: value, count: count), path: path, interface: interface)
                            let actions = machine.receive(call, at: 0).1
                            #expect(actions.filter { $0 != .openDashboard && $0 != .read }.isEmpty)
                        }
                    }
                }
            }
        }
        #expect(machine.menu == menu)
    }

    @Test func aTerminalForTheDashboard() {
        let dashboard = ["/usr/bin/locationctl", "dashboard"]
        func command(_ installed: Set<String>, isService: Bool = false) -> [String]? {
            DashboardLauncher.command(for: dashboard, isService: isService, exists: installed.contains)
        }
        #expect(command([]) == nil && command(["systemd-run"], isService: true) == nil)
        #expect(command(["xdg-terminal-exec", "x-terminal-emulator"]) == ["xdg-terminal-exec"] + dashboard)
        #expect(command(["x-terminal-emulator", "gtk-launch"]) == ["x-terminal-emulator", "-e"] + dashboard)
        #expect(command(["gtk-launch"]) == ["gtk-launch", "io.locationd.Dashboard"])
        #expect(
            command(["gtk-launch", "systemd-run"], isService: true)
                == ["systemd-run", "--user", "--quiet", "--collect", "--", "gtk-launch", "io.locationd.Dashboard"])
    }
}
