/// What the kernel tells of a process, before anything is made of it.
///
/// The shell that reads it holds the process' pidfd and checks that it is alive *after* reading: a process id that
/// was given to another process in between would lend that one's name to the peer.
public struct ProcessEvidence: Sendable {
    /// The process' user id.
    public var uid: UInt32
    /// The contents of `/proc/PID/cgroup`, cgroups(7).
    public var cgroup: String
    /// The target of `/proc/PID/exe`, proc(5); `nil` where it cannot be read.
    public var executable: String?
    /// The contents of `/.flatpak-info` in the process' root; `nil` where there is none.
    public var flatpakInfo: String?

    /// What was read of a process.
    public init(uid: UInt32, cgroup: String, executable: String?, flatpakInfo: String? = nil) {
        self.uid = uid
        self.cgroup = cgroup
        self.executable = executable
        self.flatpakInfo = flatpakInfo
    }
}

/// Why a process has no identity. It is refused then; nothing is guessed.
public enum IdentityRefusal: Error, Sendable, Equatable {
    /// The kernel did not tell which file the process runs.
    case executableUnreadable
    /// The file that the process runs is no longer there under its name: it was replaced or deleted.
    case executableReplaced
    /// The control group and `.flatpak-info` name different Flatpak apps, or only one of them names any.
    case flatpakDisagrees
    /// The process ended, and its id may already be another's.
    case processGone
    /// A name with control characters, or longer than 4,096 bytes.
    case unusableName
}

extension IdentityRefusal: CustomStringConvertible {
    /// The reason, as the end of a sentence.
    public var description: String {
        switch self {
        case .executableUnreadable: "its executable cannot be read from /proc"
        case .executableReplaced: "its executable was replaced or deleted since it started; restart the app"
        case .flatpakDisagrees: "its control group and its .flatpak-info do not name the same app"
        case .processGone: "the process is gone"
        case .unusableName: "its name contains control characters or is too long"
        }
    }
}

extension AppIdentity {
    /// The identity of a process, the strongest that the evidence supports.
    public static func of(_ process: ProcessEvidence) throws(IdentityRefusal) -> AppIdentity {
        let unit = ControlGroup(process.cgroup)
        // Attack: an unsandboxed process puts a .flatpak-info in a root of its own (bubblewrap), or starts itself in
        // a scope that is named like a Flatpak app's. Either alone is a refusal, not a lesser identity.
        let infoID = process.flatpakInfo.map(flatpakID)
        switch (unit.flatpakID, infoID) {
        case (nil, nil): break
        case (let scopeID?, let infoID??) where scopeID == infoID: return try identity(.flatpak, scopeID)
        default: throw .flatpakDisagrees
        }
        if let name = unit.snapName { return try identity(.snap, name) }
        if let name = unit.systemServiceName { return try identity(.service, name) }
        if let id = unit.userAppID(uid: process.uid) { return try identity(.app, id) }
        guard let executable = process.executable else { throw .executableUnreadable }
        // proc(5): the kernel appends this when the file was unlinked. A file can also really be called so: refused
        // as well, since the two cannot be told apart.
        if executable.hasSuffix(" (deleted)") { throw .executableReplaced }
        return try identity(.exe, executable)
    }

    private static func identity(_ kind: Kind, _ name: String) throws(IdentityRefusal) -> AppIdentity {
        guard let identity = AppIdentity(kind: kind, name: name) else { throw .unusableName }
        return identity
    }

    /// The application id in a `.flatpak-info`: key `name` of the group `[Application]` (or `[Runtime]`'s, which is
    /// none), flatpak-metadata(5).
    private static func flatpakID(_ info: String) -> String? {
        var inApplication = false
        for line in info.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { inApplication = line == "[Application]" }
            if inApplication, line.hasPrefix("name=") { return String(line.dropFirst(5)) }
        }
        return nil
    }
}
