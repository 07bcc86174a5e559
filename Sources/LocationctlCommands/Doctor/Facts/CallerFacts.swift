/// The user who runs the command; under sudo, the user who called sudo.
struct CallerFacts: Sendable, Equatable {
    var name = "root"
    var uid: UInt32 = 0
    /// A Boolean value indicating whether this process runs as root.
    var isRoot = true
    /// A Boolean value indicating whether the group `locationd` exists.
    var groupExists = true
    /// A Boolean value indicating whether the group database lists the user as a member of `locationd`.
    var isMember = false
    /// A Boolean value indicating whether this process has the group, which a login confers. `nil` under sudo, which
    /// does not pass the caller's groups on.
    var isMemberNow: Bool?
    /// The user's state in logind, such as `active` or `online`, or `nil` if logind reports none.
    var loginState: String?
}
