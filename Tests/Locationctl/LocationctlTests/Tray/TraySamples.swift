import Bus
import LocationModel
import LocationProtocol

@testable import DesktopAgent
@testable import LocationctlSupport

/// States of a tray, and calls of its host.
enum TraySamples {
    static let maps = DashboardSamples.key(DashboardSamples.maps)
    static let tracker = DashboardSamples.key(DashboardSamples.tracker)
    static let revoke = UserDecision.revoke(AppScope(app: DashboardSamples.maps, uid: 1000))
    static let on = GetServices.Reply(machine: true, user: true)
    static let off = GetServices.Reply(machine: true, user: false)

    /// Maps uses the location, and the tracker did before; both are authorized.
    static var state: TrayState {
        var state = TrayState(isAdministrator: false)
        state.received(DashboardSamples.uses.filter { $0.app != DashboardSamples.own })
        state.received(DashboardSamples.apps, on)
        return state
    }

    /// Returns the state with apps of these names, all of which use the location.
    static func state(names: [String]) -> TrayState {
        var state = TrayState(isAdministrator: false)
        state.received(
            names.indices.map { index in
                var use = DashboardSamples.use("exe:/opt/\(index)", active: true, minutesAgo: 0)
                use.displayName = names[index]
                return use
            })
        state.received([], on)
        return state
    }

    static func call(
        _ member: String, _ signature: String, _ arguments: [BusValue], path: String = TrayMenuObject.path,
        interface: String? = TrayMenuObject.interface
    ) -> MethodCall {
        MethodCall(path: path, interface: interface, member: member, signature: signature, arguments: arguments)
    }

    static func click(_ number: Int32) -> MethodCall { event(number, "clicked") }

    static func event(_ number: Int32, _ name: String) -> MethodCall {
        call("Event", "isvu", [.int32(number), .string(name), .variant(.int32(0)), .uint32(0)])
    }
}

extension TrayMenu {
    /// The labels of the items below the root, with their depth as indentation.
    var lines: [String] {
        func lines(_ item: Item, _ indentation: String) -> [String] {
            var line = item.label
            if case .separator = item.key { line = "--" }
            if let isChecked = item.isChecked { line = (isChecked ? "[x] " : "[ ] ") + line }
            if !item.isEnabled, line != "--" { line = "(\(line))" }
            return [indentation + line] + item.children.flatMap { lines($0, indentation + "  ") }
        }
        return root.children.flatMap { lines($0, "") }
    }
}

extension TrayMenuObject {
    /// Returns the number of an item that is in the menu.
    func number(_ key: TrayMenu.Key) -> Int32 {
        (0...1000).first { item($0)?.key == key } ?? -1
    }
}
