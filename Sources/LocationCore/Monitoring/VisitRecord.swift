internal import LocationModel

/// A stay that an app of this user was told of, as it is kept on disk. Of one arrival a user has one.
struct VisitRecord: Sendable, Equatable {
    var uid: UInt32
    var visit: Visit
}
