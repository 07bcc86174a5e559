internal import Bus

/// The properties of the manager, which are public on the bus.
struct ManagerProperties: Equatable {
    /// A Boolean value indicating whether an app uses the location, through any front.
    private(set) var isInUse = false
    /// A Boolean value indicating whether location services are on and a receiver is present, with or without a fix.
    private(set) var isAvailable = false

    /// All properties, in the order of the interface's definition.
    var all: [PropertyValue] { [inUse, availableAccuracyLevel] }

    /// Sets whether an app uses the location. A change is announced to all connections.
    mutating func setInUse(_ isInUse: Bool) -> [Action] {
        guard isInUse != self.isInUse else { return [] }
        self.isInUse = isInUse
        return [.announce(.changed([inUse], of: .manager, at: .manager))]
    }

    /// Sets whether a location is available. A change is announced to all connections.
    mutating func setAvailable(_ isAvailable: Bool) -> [Action] {
        guard isAvailable != self.isAvailable else { return [] }
        self.isAvailable = isAvailable
        return [.announce(.changed([availableAccuracyLevel], of: .manager, at: .manager))]
    }

    private var inUse: PropertyValue { PropertyValue("InUse", .boolean(isInUse)) }

    private var availableAccuracyLevel: PropertyValue {
        let level: AccuracyLevel = isAvailable ? .exact : .none
        return PropertyValue("AvailableAccuracyLevel", .uint32(level.rawValue))
    }
}
