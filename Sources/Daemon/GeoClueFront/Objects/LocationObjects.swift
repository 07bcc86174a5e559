internal import LocationModel

/// The newest location objects of a client.
struct LocationObjects: Equatable {
    /// The maximum number of objects. A client reads an object only after the signal, when others have already come: a
    /// port that was closed may have kept 8 kB, or 40 fixes, and passes them on at once when it is opened. where-am-i
    /// crashes with a segmentation fault if the object is gone. GeoClue removes an object 5 s after it was replaced,
    /// and a fast receiver sends 25 fixes a second.
    static let maximumCount = 128

    /// The number of the next object. It is not reset when objects are removed.
    private var next: UInt64 = 0
    private var objects: [LocationObject] = []

    /// The newest location, or `nil` if there is none.
    var newest: Location? { objects.last?.location }
    /// The number of the newest object, or `nil` if there is none.
    var newestNumber: UInt64? { objects.isEmpty ? nil : next - 1 }

    /// Adds a location, and removes the oldest one if there are too many. Returns the new object's number.
    mutating func add(_ location: Location) -> UInt64 {
        if objects.count == Self.maximumCount { objects.removeFirst() }
        objects.append(LocationObject(location: location))
        defer { next += 1 }
        return next
    }

    /// Returns the object with that number, or `nil` if it does not exist, or no longer exists.
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
