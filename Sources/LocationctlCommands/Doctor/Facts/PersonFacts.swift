/// Who asks, under sudo the one who called it.
struct PersonFacts: Sendable, Equatable {
    var name = "root"
    var uid: UInt32 = 0
    /// Whether this process is root's.
    var isRoot = true
    /// Whether the group `locationd` exists.
    var groupExists = true
    /// Whether the database of groups has the person in it.
    var isMember = false
    /// Whether this process is in it: groups are taken on at login. `nil` under sudo, which does not pass them on.
    var isMemberNow: Bool?
    /// What logind says of the person: `active`, `online` and so on; `nil` where it knows nothing of them.
    var loginState: String?
}
