internal import Bus
internal import LocationctlSupport

/// The menu as an object of the bus, by the interface com.canonical.dbusmenu (libdbusmenu, dbus-menu.xml, version 3).
struct TrayMenuObject: Equatable {
    static let path = "/MenuBar"
    static let interface = "com.canonical.dbusmenu"

    private(set) var menu: TrayMenu
    /// The revision of the menu's structure, which grows with each change.
    private(set) var revision: UInt32 = 1
    private var numbers = TrayNumbers()

    init(_ menu: TrayMenu) {
        self.menu = menu
        numbers.number(menu)
    }

    // MARK: Changes

    /// Replaces the menu. Returns the signals that announce the changes.
    mutating func change(to new: TrayMenu) -> [BusSignal] {
        let old = (menu: menu, numbers: numbers)
        menu = new
        numbers.number(new)
        let before = Dictionary(uniqueKeysWithValues: old.menu.items.map { ($0.key, $0) })
        let changed = new.items.filter { item in
            before[item.key].map { Self.properties($0) != Self.properties(item) } ?? false
        }
        let parents = new.items.filter { item in
            before[item.key].map { $0.children.map(\.key) != item.children.map(\.key) } ?? false
        }
        var signals: [BusSignal] = []
        if !changed.isEmpty { signals.append(updated(changed, before)) }
        if let first = parents.first {
            revision &+= 1
            let parent = parents.count == 1 ? numbers[first.key] : 0
            signals.append(signal("LayoutUpdated", [.uint32(revision), .int32(parent)]))
        }
        return signals
    }

    private func updated(_ items: [TrayMenu.Item], _ before: [TrayMenu.Key: TrayMenu.Item]) -> BusSignal {
        var removed: [BusValue] = []
        let updated = items.map { item in
            let properties = Self.properties(item)
            let names = Set(properties.map(\.name))
            let gone = before[item.key].map { Self.properties($0).map(\.name) }?.filter { !names.contains($0) } ?? []
            if !gone.isEmpty { removed.append(.structure([.int32(numbers[item.key]), .strings(gone)])) }
            return BusValue.structure([.int32(numbers[item.key]), .properties(properties)])
        }
        return signal(
            "ItemsPropertiesUpdated", [.array(of: "(ia{sv})", updated), .array(of: "(ias)", removed)])
    }

    private func signal(_ member: String, _ arguments: [BusValue]) -> BusSignal {
        BusSignal(path: Self.path, interface: Self.interface, member: member, arguments: arguments)
    }

    // MARK: Reading

    /// Returns the item with a number, or `nil` if it is not in the menu.
    func item(_ number: Int32) -> TrayMenu.Item? { menu.items.first { numbers[$0.key] == number } }

    /// Returns the reply to GetLayout: the revision, and an item with its children down to a depth. A negative depth
    /// means all of them.
    func layout(of number: Int32, depth: Int32, names: [String]) throws(BusError) -> [BusValue] {
        guard let item = item(number) else { throw Self.noSuchItem }
        return [.uint32(revision), layout(item, depth, names)]
    }

    private func layout(_ item: TrayMenu.Item, _ depth: Int32, _ names: [String]) -> BusValue {
        // Attack: the depth is the smallest integer, and subtracting from it overflows.
        let rest = depth < 0 ? -1 : depth - 1
        let children = depth == 0 ? [] : item.children.map { BusValue.variant(layout($0, rest, names)) }
        return .structure([
            .int32(numbers[item.key]), .properties(Self.properties(item, names)), .array(of: "v", children),
        ])
    }

    /// Returns the properties of the given items or, if there are none, of all items. Items that are not in the menu
    /// are left out.
    func properties(of numbers: [Int32], names: [String]) -> BusValue {
        let items = menu.items.filter { numbers.isEmpty || numbers.contains(self.numbers[$0.key]) }
        return .array(
            of: "(ia{sv})",
            items.map { .structure([.int32(self.numbers[$0.key]), .properties(Self.properties($0, names))]) })
    }

    /// Returns the value of an item's property. Throws an error if the item or the property does not exist.
    func property(_ name: String, of number: Int32) throws(BusError) -> BusValue {
        guard let item = item(number) else { throw Self.noSuchItem }
        guard let property = Self.properties(item).first(where: { $0.name == name }) else {
            throw BusError(.invalidArguments, "The item has no such property")
        }
        return property.value
    }

    static let noSuchItem = BusError(.invalidArguments, "There is no such item")

    /// Returns the properties of an item, or only the named ones if `names` is not empty. Default values are left out.
    private static func properties(_ item: TrayMenu.Item, _ names: [String] = []) -> [PropertyValue] {
        var properties: [PropertyValue] = []
        if case .separator = item.key {
            properties.append(PropertyValue("type", .string("separator")))
        } else if item.key != .root {
            properties.append(PropertyValue("label", .string(label(item.label))))
            if !item.isEnabled { properties.append(PropertyValue("enabled", .boolean(false))) }
        }
        if let isChecked = item.isChecked {
            properties.append(PropertyValue("toggle-type", .string("checkmark")))
            properties.append(PropertyValue("toggle-state", .int32(isChecked ? 1 : 0)))
        }
        if !item.children.isEmpty { properties.append(PropertyValue("children-display", .string("submenu"))) }
        return names.isEmpty ? properties : properties.filter { names.contains($0.name) }
    }

    /// Returns a label whose underscores do not mark access keys.
    private static func label(_ text: String) -> String {
        var label = String.UnicodeScalarView()
        // Scalars, not characters: an underscore with a combining mark is a different character.
        for scalar in text.unicodeScalars {
            label.append(scalar)
            if scalar == "_" { label.append(scalar) }
        }
        return String(label)
    }
}
