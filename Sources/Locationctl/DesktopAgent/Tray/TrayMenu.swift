internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The effect of a click.
enum TrayCommand: Equatable {
    case decide(UserDecision)
    case openDashboard
}

/// The tray's menu as a value.
struct TrayMenu: Equatable {
    /// The subject of an item. Its number on the bus stays the same while it is in the menu.
    enum Key: Hashable {
        case root, headline, recent, more, services, dashboard
        case separator(Int)
        case app(AppKey)
        case identity(AppKey), access(AppKey), approximate(AppKey), whileInUse(AppKey), revoke(AppKey)
    }

    struct Item: Equatable {
        let key: Key
        var label = ""
        /// The effect of a click, or `nil` for an item that is only a text or opens a submenu.
        var command: TrayCommand?
        /// The state of the check mark, or `nil` for an item without one.
        var isChecked: Bool?
        var children: [Item] = []

        /// A Boolean value indicating whether the item can be used.
        var isEnabled: Bool { command != nil || !children.isEmpty }
    }

    /// The item that contains all other items.
    let root: Item

    /// All items from the first to the last, each before its children.
    var items: [Item] {
        func all(_ item: Item) -> [Item] { [item] + item.children.flatMap(all) }
        return all(root)
    }

    /// Creates the menu of a state.
    init(_ state: TrayState) {
        let apps = state.apps
        let listed = apps.prefix(TrayState.maximumCount)
        var items = [Item(key: .headline, label: TrayText(state).headline)]
        items += listed.filter(\.isActive).map(Self.item)
        let recent = listed.filter { !$0.isActive }
        if !recent.isEmpty {
            items += [Item(key: .separator(1)), Item(key: .recent, label: translated("In the last 24 hours:"))]
            items += recent.map(Self.item)
        }
        if apps.count > listed.count {
            let count = apps.count - listed.count
            // Translators: At the end of a list of apps: how many more there are.
            let label = translated("And {count} more…", plural: "And {count} more…", count: count)
            items.append(Item(key: .more, label: label, command: .openDashboard))
        }
        items += [Item(key: .separator(2)), Self.services(state)].filter { _ in state.services != nil }
        items += [
            Item(key: .separator(3)),
            Item(key: .dashboard, label: translated("Open the dashboard"), command: .openDashboard),
        ]
        root = Item(key: .root, children: items)
    }

    private static func item(_ app: TrayState.App) -> Item {
        var item = Item(key: .app(app.key), label: TrayText.label(app))
        item.children = [Item(key: .identity(app.key), label: TrayText.identity(app.key))]
        guard let granted = app.granted, let decision = granted.decision else { return item }
        item.children += [
            Item(key: .access(app.key), label: TrayText.access(granted)),
            Item(
                key: .approximate(app.key), label: translated("Approximate only"),
                command: .decide(.toggleAccuracy(granted)), isChecked: decision.isApproximate),
        ]
        if decision.level != .whenInUse {
            item.children.append(
                Item(
                    // Translators: Menu item. Takes the location in the background away; the app keeps it while in use.
                    key: .whileInUse(app.key), label: translated("Only while in use"),
                    command: .decide(.keepWhileInUse(granted))))
        }
        // Translators: Menu item. Takes the location away from the app, which is denied it from then on.
        let revoke = translated("Revoke")
        item.children.append(Item(key: .revoke(app.key), label: revoke, command: .decide(.revoke(granted))))
        return item
    }

    /// Returns the switch or, if the user's own switch has no effect, a text with the reason.
    private static func services(_ state: TrayState) -> Item {
        var item = Item(key: .services, label: translated("Location services"), isChecked: state.isOn)
        if state.services?.machine == false {
            item.label = translated("Location services: off for the whole machine")
        } else if state.services?.desktop == false {
            item.label = translated("Location services: off in the desktop's settings")
        } else if let isOn = state.isOn {
            item.command = .decide(.switchServices(isOn: !isOn, uid: state.uid))
        }
        return item
    }
}
