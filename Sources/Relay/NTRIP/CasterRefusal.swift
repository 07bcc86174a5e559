/// The reason why a caster sends no corrections.
package enum CasterRefusal: Sendable, Equatable {
    /// The user or the password is missing or wrong.
    case credentials
    /// There is no such mount point.
    case noMountPoint
    /// The caster names another address.
    case redirected
    /// The caster is busy, or refuses for a reason of its own, with its first line.
    case unavailable(String)
    /// The answer is not NTRIP, or too long, or its parts have impossible lengths.
    case malformed(String)

    /// A Boolean value indicating whether the same request will be refused until the configuration changes. Casters ban
    /// the address of a program that repeats such a request.
    package var isPermanent: Bool {
        switch self {
        case .credentials, .noMountPoint, .redirected: true
        case .unavailable, .malformed: false
        }
    }
}

extension CasterRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .credentials: "the caster does not accept the user and the password"
        case .noMountPoint: "the caster has no such mount point"
        case .redirected: "the caster refers to another address: ask its operator, and correct the key \"caster\""
        case .unavailable(let line): "the caster refuses: \(line)"
        case .malformed(let reason): "the caster's answer is not NTRIP: \(reason)"
        }
    }
}
