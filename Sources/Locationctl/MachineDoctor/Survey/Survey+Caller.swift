internal import CSystemd
internal import Glibc
internal import LocationctlSupport

extension Survey {
    /// Reads the user who runs the command; under sudo, the user who called sudo.
    static func caller() -> CallerFacts {
        var caller = CallerFacts()
        let sudo = geteuid() == 0 ? getenv("SUDO_UID").flatMap { UInt32(String(cString: $0)) } : nil
        caller.isRoot = geteuid() == 0
        caller.uid = sudo ?? getuid()
        caller.name = LoginName.of(caller.uid)
        let group = getgrnam("locationd")?.pointee.gr_gid
        caller.groupExists = group != nil
        if let group {
            caller.isMember = UserFacts(name: caller.name)?.groups.contains(group) ?? false
            if sudo == nil { caller.isMemberNow = ProcessGroups.current.contains(group) }
        }
        caller.loginState = loginState(of: caller.uid)
        return caller
    }

    private static func loginState(of uid: UInt32) -> String? {
        var state: UnsafeMutablePointer<CChar>?
        guard sd_uid_get_state(uid, &state) >= 0, let state else { return nil }
        defer { free(state) }
        return String(cString: state)
    }
}

extension UserFacts {
    /// Reads the user of that name from the databases, or returns `nil` if there is none.
    init?(name: String) {
        guard let entry = getpwnam(name) ?? UInt32(name).flatMap({ getpwuid($0) }) else { return nil }
        self.name = String(cString: entry.pointee.pw_name)
        uid = entry.pointee.pw_uid
        let own = entry.pointee.pw_gid
        var count: CInt = 64
        var list = [gid_t](repeating: 0, count: Int(count))
        if getgrouplist(self.name, own, &list, &count) < 0 {
            // getgrouplist(3) has set `count` to the number of groups.
            list = [gid_t](repeating: 0, count: Int(count))
            _ = getgrouplist(self.name, own, &list, &count)
        }
        groups = Set(list.prefix(Int(count))).union([own])
    }
}
