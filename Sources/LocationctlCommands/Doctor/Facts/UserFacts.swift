/// A user, as the databases of users and groups have it.
struct UserFacts: Sendable, Equatable {
    var name: String
    var uid: UInt32
    /// The own group and the others.
    var groups: Set<UInt32> = []
}
