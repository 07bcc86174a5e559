internal import LocationModel

/// The location objects of a client: the newest and the one before.
struct LocationObjects: Equatable {
    /// The number of objects that exist at the same time. A client reads the newest after the signal; by then, the next
    /// one may have replaced it.
    private static let maximumCount = 2

    /// The number of the next object. It goes on when objects are forgotten.
    private var next: UInt64 = 0
    private var objects: [LocationObject] = []

    /// The newest location, or `nil` if there is none.
    var newest: Location? { objects.last?.location }
    /// The number of the newest object, or `nil` if there is none.
    var newestNumber: UInt64? { objects.isEmpty ? nil : next - 1 }

    /// Adds a location, and removes the oldest if there are too many. Returns the new object's number.
    mutating func add(_ location: Location) -> UInt64 {
        if objects.count == Self.maximumCount { objects.removeFirst() }
        objects.append(LocationObject(location: location))
        defer { next += 1 }
        return next
    }

    /// Returns the object of that number, or `nil` if it does not exist, or no longer.
    func object(_ number: UInt64) -> LocationObject? {
        guard number < next, next - number <= UInt64(objects.count) else { return nil }
        return objects[objects.count - Int(next - number)]
    }

    /// Removes all objects. Returns whether there were any.
    mutating func removeAll() -> Bool {
        defer { objects = [] }
        return !objects.isEmpty
    }
}
