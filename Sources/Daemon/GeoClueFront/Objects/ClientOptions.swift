internal import Bus

/// The properties of a client object that its app sets.
struct ClientOptions: Equatable {
    /// The id that the app gives itself, or `nil` if it has not set any.
    var desktopID: DesktopID?
    var thresholds = Thresholds()
    /// The level that the app has set. Values that are not levels are kept, and read back unchanged.
    var requestedLevel = AccuracyLevel.initial

    /// The properties, in the order of the interface's definition.
    var properties: [PropertyValue] {
        [
            PropertyValue("DistanceThreshold", .uint32(thresholds.distance)),
            PropertyValue("TimeThreshold", .uint32(thresholds.time)),
            PropertyValue("DesktopId", .string(desktopID?.text ?? "")),
            PropertyValue("RequestedAccuracyLevel", .uint32(requestedLevel)),
        ]
    }

    /// Sets a property, whose type was checked.
    mutating func set(_ property: PropertyValue) throws(BusError) {
        switch (property.name, property.value) {
        case ("DistanceThreshold", .uint32(let metres)): thresholds.distance = metres
        case ("TimeThreshold", .uint32(let seconds)): thresholds.time = seconds
        case ("DesktopId", .string(let text)): desktopID = try DesktopID(text)
        case ("RequestedAccuracyLevel", .uint32(let level)): requestedLevel = level
        default: throw .readOnly
        }
    }
}

extension ClientObject {
    /// All properties, in the order of the interface's definition.
    var properties: [PropertyValue] { [currentLocation] + options.properties + [active] }

    /// Sets a property, whose type was checked. The owner is notified if it has changed.
    mutating func set(_ property: PropertyValue) throws(BusError) -> [Action] {
        let before = options
        try options.set(property)
        return options == before ? [.reply([])] : [.reply([]), changed(property)]
    }
}
