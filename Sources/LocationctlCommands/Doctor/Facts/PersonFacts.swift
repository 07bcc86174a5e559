/// Who asks, under sudo the one who called it.
struct PersonFacts: Sendable, Equatable {
    var name = "root"
    var uid: UInt32 = 0
    /// A Boolean value indicating whether this process is root's.
    var isRoot = true
    /// A Boolean value indicating whether the group `locationd` exists.
    var groupExists = true
    /// A Boolean value indicating whether the database of groups has the user in it.
    var isMember = false
    /// A Boolean value indicating whether this process is in it: groups are taken on at login. `nil` under sudo, which
    /// does not pass them on.
    var isMemberNow: Bool?
    /// What logind says of the user: `active`, `online` and so on; `nil` where it knows nothing of them.
    var loginState: String?
}
