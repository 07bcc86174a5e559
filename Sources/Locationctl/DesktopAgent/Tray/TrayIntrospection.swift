/// The descriptions of the tray's objects: D-Bus specification, "Introspection Data Format".
enum TrayIntrospection {
    /// Returns the description of the object at a path, or `nil` if there is none.
    static func document(at path: String) -> String? {
        switch path {
        case "/":
            return document(
                [TrayItemObject.path, TrayMenuObject.path].map { "<node name=\"\($0.dropFirst())\"/>" }.joined())
        case TrayItemObject.path: return document(item + properties + introspectable)
        case TrayMenuObject.path: return document(menu + properties + introspectable)
        default: return nil
        }
    }

    private static func document(_ contents: String) -> String {
        """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>\(contents)</node>
        """
    }

    private static let item = interface(
        TrayItemObject.interface,
        methods: [
            ("Activate", "ii", ""), ("SecondaryActivate", "ii", ""), ("ContextMenu", "ii", ""), ("Scroll", "is", ""),
        ],
        signals: [("NewStatus", "s"), ("NewToolTip", "")],
        properties: [
            ("Category", "s"), ("Id", "s"), ("Title", "s"), ("Status", "s"), ("WindowId", "i"), ("IconThemePath", "s"),
            ("IconName", "s"), ("IconPixmap", "a(iiay)"), ("OverlayIconName", "s"), ("OverlayIconPixmap", "a(iiay)"),
            ("AttentionIconName", "s"), ("AttentionIconPixmap", "a(iiay)"), ("AttentionMovieName", "s"),
            ("ToolTip", "(sa(iiay)ss)"), ("ItemIsMenu", "b"), ("Menu", "o"),
        ])

    private static let menu = interface(
        TrayMenuObject.interface,
        methods: [
            ("GetLayout", "iias", "u(ia{sv}av)"), ("GetGroupProperties", "aias", "a(ia{sv})"),
            ("GetProperty", "is", "v"), ("Event", "isvu", ""), ("EventGroup", "a(isvu)", "ai"),
            ("AboutToShow", "i", "b"), ("AboutToShowGroup", "ai", "aiai"),
        ],
        signals: [("LayoutUpdated", "ui"), ("ItemsPropertiesUpdated", "a(ia{sv})a(ias)")],
        properties: [("Version", "u"), ("TextDirection", "s"), ("Status", "s"), ("IconThemePath", "as")])

    private static let properties = interface(
        "org.freedesktop.DBus.Properties", methods: [("Get", "ss", "v"), ("GetAll", "s", "a{sv}")], signals: [],
        properties: [])

    private static let introspectable = interface(
        "org.freedesktop.DBus.Introspectable", methods: [("Introspect", "", "s")], signals: [], properties: [])

    private static func interface(
        _ name: String, methods: [(name: String, input: String, output: String)],
        signals: [(name: String, arguments: String)], properties: [(name: String, type: String)]
    ) -> String {
        func arguments(_ signature: String, _ attributes: String = "") -> String {
            completeTypes(signature).map { "<arg type=\"\($0)\"\(attributes)/>" }.joined()
        }
        let methods = methods.map { method in
            "<method name=\"\(method.name)\">\(arguments(method.input, " direction=\"in\""))"
                + "\(arguments(method.output, " direction=\"out\""))</method>"
        }
        let signals = signals.map { "<signal name=\"\($0.name)\">\(arguments($0.arguments))</signal>" }
        let properties = properties.map { "<property name=\"\($0.name)\" type=\"\($0.type)\" access=\"read\"/>" }
        return "<interface name=\"\(name)\">\((methods + signals + properties).joined())</interface>"
    }

    /// Splits a signature into its single complete types.
    private static func completeTypes(_ signature: String) -> [String] {
        var types: [String] = []
        var type = ""
        var depth = 0
        for character in signature {
            type.append(character)
            if "({".contains(character) { depth += 1 }
            if ")}".contains(character) { depth -= 1 }
            guard depth == 0, character != "a" else { continue }
            types.append(type)
            type = ""
        }
        return types
    }
}
