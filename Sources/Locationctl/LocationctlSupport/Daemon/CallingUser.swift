package import ArgumentParser
package import Glibc

/// The groups of this process, including its effective group.
package enum ProcessGroups {
    package static var current: Set<gid_t> {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(CInt(groups.count), &groups)
        return Set(groups.prefix(Int(max(0, count)))).union([getegid()])
    }
}

/// The user whose apps a command is about: the user that `--uid` names, or else the caller; under sudo, the user who
/// called sudo.
package struct UserOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The apps of this user, a number or a login name; only root may name another user.", valueName: "uid"),
        transform: UserOption.id)
    package var uid: Int?

    package init() {}

    /// Returns the id of a user who is given by id or login name.
    static func id(_ text: String) throws -> Int {
        if let id = Int(text) { return id }
        guard !text.utf8.contains(0), let entry = getpwnam(text) else {
            throw ValidationError("there is no user \(DisplayText.quoted(text)): use a number or a login name")
        }
        return Int(entry.pointee.pw_uid)
    }

    /// The user id to send in the call, or `nil` for the caller's own.
    package var resolved: Int? {
        uid ?? Self.invokingUser
    }

    /// The user who called sudo, or `nil` if that is root or this process does not run as root.
    package static var invokingUser: Int? {
        guard geteuid() == 0, let sudo = getenv("SUDO_UID").flatMap({ Int(String(cString: $0)) }), sudo != 0 else {
            return nil
        }
        return sudo
    }
}

/// The login names of users.
package enum LoginName {
    /// Returns the name of the user with this id, or the number if no user has it.
    package static func of(_ uid: UInt32) -> String {
        getpwuid(uid).map { String(cString: $0.pointee.pw_name) } ?? "\(uid)"
    }
}
