/// GeoClue's interfaces, version 2.
extension InterfaceDefinition {
    /// The well-known name of the service on the bus.
    static let serviceName = "org.freedesktop.GeoClue2"

    static let manager = InterfaceDefinition(
        name: "org.freedesktop.GeoClue2.Manager",
        methods: [
            Method(name: "GetClient", output: [Argument("client", "o")]),
            Method(name: "CreateClient", output: [Argument("client", "o")]),
            Method(name: "DeleteClient", input: [Argument("client", "o")]),
            Method(name: "AddAgent", input: [Argument("id", "s")]),
        ],
        properties: [
            Property(name: "InUse", signature: "b"),
            Property(name: "AvailableAccuracyLevel", signature: "u"),
        ])

    static let client = InterfaceDefinition(
        name: "org.freedesktop.GeoClue2.Client",
        methods: [Method(name: "Start"), Method(name: "Stop")],
        signals: [Signal(name: "LocationUpdated", arguments: [Argument("old", "o"), Argument("new", "o")])],
        properties: [
            Property(name: "Location", signature: "o"),
            Property(name: "DistanceThreshold", signature: "u", isWritable: true),
            Property(name: "TimeThreshold", signature: "u", isWritable: true),
            Property(name: "DesktopId", signature: "s", isWritable: true),
            Property(name: "RequestedAccuracyLevel", signature: "u", isWritable: true),
            Property(name: "Active", signature: "b"),
        ])

    static let location = InterfaceDefinition(
        name: "org.freedesktop.GeoClue2.Location",
        properties: [
            Property(name: "Latitude", signature: "d"),
            Property(name: "Longitude", signature: "d"),
            Property(name: "Accuracy", signature: "d"),
            Property(name: "Altitude", signature: "d"),
            Property(name: "Speed", signature: "d"),
            Property(name: "Heading", signature: "d"),
            Property(name: "Description", signature: "s"),
            Property(name: "Timestamp", signature: "(tt)"),
        ])

    /// The name of the interface that a desktop shell implements and this daemon calls.
    static let agentName = "org.freedesktop.GeoClue2.Agent"
}
