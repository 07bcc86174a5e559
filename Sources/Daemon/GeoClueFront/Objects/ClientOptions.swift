internal import Bus

/// The writable properties of a client object.
struct ClientOptions: Equatable {
    /// The app's ID according to itself, or `nil` if it has not set one.
    var desktopID: DesktopID?
    var thresholds = Thresholds()
    /// The level that the app has set. Invalid values are kept, and read back unchanged.
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

    /// Sets a property. The caller has checked its type.
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

    /// Sets a property. The caller has checked its type. The owner is notified of a change.
    mutating func set(_ property: PropertyValue) throws(BusError) -> [Action] {
        let before = options
        try options.set(property)
        return options == before ? [.reply([])] : [.reply([]), changed(property)]
    }
}
