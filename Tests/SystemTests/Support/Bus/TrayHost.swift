import Foundation
import TestSupport

/// A desktop's host of the tray, which is the watcher too: it records registrations, and shows nothing.
final class TrayHost {
    static let watcher = "org.kde.StatusNotifierWatcher"
    static let item = "org.kde.StatusNotifierItem"
    static let menu = "com.canonical.dbusmenu"

    /// An item of a menu.
    struct Item {
        let number: Int32
        let properties: [String: BusValue]
        let children: [Item]

        var label: String? { properties["label"]?.text }

        /// The item and those below it.
        var all: [Item] { [self] + children.flatMap(\.all) }
    }

    let connection: BusConnection
    /// The connections that have registered an item at /StatusNotifierItem.
    private(set) var registered: [String] = []

    /// Takes the watcher's name. It answers no call if `isSilent`.
    init(on bus: PrivateBus, isSilent: Bool = false) async throws {
        connection = try bus.connect()
        connection.respond = { [unowned self] call in
            guard call.member == "RegisterStatusNotifierItem", call.arguments == [.text("/StatusNotifierItem")] else {
                return []
            }
            registered.append(call.sender)
            return isSilent ? nil : []
        }
        for interface in [Self.item, Self.menu] {
            try await connection.callBus("AddMatch", [.text("type='signal',interface='\(interface)'")])
        }
        try connection.own(Self.watcher)
    }

    /// Waits for an item, and returns the connection that has it.
    func waitForItem() async throws -> String {
        try await eventually("an item in the tray") {
            try connection.receive()
            return !registered.isEmpty
        }
        return registered[registered.count - 1]
    }

    /// Returns the properties of an item.
    func properties(of item: String) async throws -> [String: BusValue] {
        let reply = try await connection.call(
            to: item, "/StatusNotifierItem", "org.freedesktop.DBus.Properties", "GetAll", [.text(Self.item)])
        return reply.first?.dictionary ?? [:]
    }

    /// Waits until an item has a status.
    func wait(for status: String, of item: String) async throws {
        try await eventually("the status \(status)") {
            try await properties(of: item)["Status"] == .text(status)
        }
    }

    /// Opens the menu of an item as hosts do, and returns it.
    func menu(of item: String) async throws -> Item {
        try await call(item, "AboutToShow", [.signedNumber(0)])
        let reply = try await call(item, "GetLayout", [.signedNumber(0), .signedNumber(-1), .list([])])
        guard reply.count == 2, let root = Item(reply[1]) else { throw Overdue(what: "a menu, which is \(reply)") }
        return root
    }

    /// Waits until the menu has an item with a label, which is as `isIt` says, and clicks it.
    func click(
        _ label: String, below parent: String? = nil, in item: String, where isIt: (Item) -> Bool = { _ in true }
    ) async throws {
        var found: Item?
        try await eventually("\(label) in the menu") {
            let menu = try await menu(of: item)
            let above = parent.map { parent in menu.all.first { $0.label == parent } } ?? menu
            found = above?.all.first { $0.label == label && isIt($0) }
            return found != nil
        }
        guard let found else { return }
        try await call(
            item, "Event", [.signedNumber(found.number), .text("clicked"), .variant(.signedNumber(0)), .number(0)])
    }

    /// Calls the menu of an item.
    @discardableResult func call(_ item: String, _ member: String, _ arguments: [BusValue]) async throws -> [BusValue] {
        try await connection.call(to: item, "/MenuBar", Self.menu, member, arguments)
    }
}

extension TrayHost.Item {
    fileprivate init?(_ value: BusValue) {
        guard let parts = value.list, parts.count == 3, case .signedNumber(let number) = parts[0],
            let properties = parts[1].dictionary, let children = parts[2].list
        else { return nil }
        self.number = number
        self.properties = properties
        self.children = children.compactMap { Self($0) }
    }
}
