/// A user, as in the databases of users and groups.
struct UserFacts: Sendable, Equatable {
    var name: String
    var uid: UInt32
    /// The ids of the primary group and of the other groups.
    var groups: Set<UInt32> = []
}
