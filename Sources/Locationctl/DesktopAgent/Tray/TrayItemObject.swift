internal import Bus
internal import LocationctlSupport

/// The item in the tray as an object of the bus, by the interface org.kde.StatusNotifierItem (freedesktop.org,
/// "Status Notifier Specification").
struct TrayItemObject: Equatable {
    static let path = "/StatusNotifierItem"
    static let interface = "org.kde.StatusNotifierItem"
    /// The icon that the package installs in the theme hicolor, which every other theme inherits.
    static let icon = "io.locationd"

    /// A Boolean value indicating whether an app uses the location. Hosts show the item only if it is `true`.
    private(set) var isActive: Bool
    private(set) var toolTip: String

    init(_ state: TrayState) {
        isActive = state.isActive
        toolTip = TrayText(state).toolTip
    }

    /// Applies a new state. Returns the signals that announce the changes.
    mutating func change(to state: TrayState) -> [BusSignal] {
        let old = self
        self = TrayItemObject(state)
        var signals: [BusSignal] = []
        if isActive != old.isActive { signals.append(signal("NewStatus", [.string(status)])) }
        if toolTip != old.toolTip { signals.append(signal("NewToolTip", [])) }
        return signals
    }

    private func signal(_ member: String, _ arguments: [BusValue]) -> BusSignal {
        BusSignal(path: Self.path, interface: Self.interface, member: member, arguments: arguments)
    }

    private var status: String { isActive ? "Active" : "Passive" }

    /// The properties. Hosts read all of them.
    var properties: [PropertyValue] {
        let noPictures = BusValue.array(of: "(iiay)", [])
        // Translators: The name of the item in the tray.
        let title = BusValue.string(translated("Location"))
        let toolTip = BusValue.structure([.string(Self.icon), noPictures, title, .string(toolTip)])
        return [
            PropertyValue("Category", .string("SystemServices")), PropertyValue("Id", .string("io.locationd")),
            PropertyValue("Title", title), PropertyValue("Status", .string(status)),
            PropertyValue("WindowId", .int32(0)), PropertyValue("IconThemePath", .string("")),
            PropertyValue("IconName", .string(Self.icon)), PropertyValue("IconPixmap", noPictures),
            PropertyValue("OverlayIconName", .string("")), PropertyValue("OverlayIconPixmap", noPictures),
            PropertyValue("AttentionIconName", .string("")), PropertyValue("AttentionIconPixmap", noPictures),
            PropertyValue("AttentionMovieName", .string("")), PropertyValue("ToolTip", toolTip),
            PropertyValue("ItemIsMenu", .boolean(true)), PropertyValue("Menu", .objectPath(TrayMenuObject.path)),
        ]
    }
}
