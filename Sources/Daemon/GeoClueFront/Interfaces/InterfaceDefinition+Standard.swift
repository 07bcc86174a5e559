/// The interfaces of every object: D-Bus specification, "Standard Interfaces".
extension InterfaceDefinition {
    static let properties = InterfaceDefinition(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Method(
                name: "Get", input: [Argument("interface_name", "s"), Argument("property_name", "s")],
                output: [Argument("value", "v")]),
            Method(name: "GetAll", input: [Argument("interface_name", "s")], output: [Argument("props", "a{sv}")]),
            Method(
                name: "Set",
                input: [Argument("interface_name", "s"), Argument("property_name", "s"), Argument("value", "v")]),
        ],
        signals: [
            Signal(
                name: "PropertiesChanged",
                arguments: [
                    Argument("interface_name", "s"), Argument("changed_properties", "a{sv}"),
                    Argument("invalidated_properties", "as"),
                ])
        ])

    static let introspectable = InterfaceDefinition(
        name: "org.freedesktop.DBus.Introspectable",
        methods: [Method(name: "Introspect", output: [Argument("xml_data", "s")])])

    static let peer = InterfaceDefinition(
        name: "org.freedesktop.DBus.Peer",
        methods: [
            Method(name: "Ping"),
            Method(name: "GetMachineId", output: [Argument("machine_uuid", "s")]),
        ])

    /// The signatures of the methods of all objects.
    static let callSignatures = Set(
        [manager, client, location, properties, introspectable, peer].flatMap { $0.methods.map(\.signature) })
}
