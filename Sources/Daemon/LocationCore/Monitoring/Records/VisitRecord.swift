internal import LocationModel

/// A visit that was reported to a user's apps, as it is stored on the disk. A user has one visit of each arrival.
struct VisitRecord: Sendable, Equatable {
    var uid: UInt32
    var visit: Visit
}
