internal import Bytewise
public import LocationModel

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
    /// A Boolean value indicating whether another file than the executable, or none, is at that path for the reader and
    /// for the whole machine: the process has a mount namespace of its own, mount_namespaces(7).
    public var isExecutableElsewhere: Bool
    /// The contents of `/.flatpak-info` in the process' root, empty where they cannot be read; `nil` where there is none.
    public var flatpakInfo: String?
    /// The contents of `/proc/PID/attr/current`, the label that AppArmor confines the process by; `nil` where it has none.
    public var securityLabel: String?

    /// What was read of a process.
    public init(
        uid: UInt32, cgroup: String, executable: String?, isExecutableElsewhere: Bool = false,
        flatpakInfo: String? = nil, securityLabel: String? = nil
    ) {
        self.uid = uid
        self.cgroup = cgroup
        self.executable = executable
        self.isExecutableElsewhere = isExecutableElsewhere
        self.flatpakInfo = flatpakInfo
        self.securityLabel = securityLabel
    }
}

/// Why a process has no identity. It is refused then; nothing is guessed.
public enum IdentityRefusal: String, Error, Sendable, Equatable, CaseIterable {
    /// The kernel did not tell which file the process runs.
    case executableUnreadable
    /// The file that the process runs is no longer there under its name: it was replaced or deleted.
    case executableReplaced
    /// The name of the file that the process runs is another file's, or no file's, outside of its mount namespace.
    case executableElsewhere
    /// The kernel did not show the process' root, where a sandbox would have left its name.
    case rootUnreadable
    /// The control group and `.flatpak-info` name different Flatpak apps, or only one of them names any.
    case flatpakDisagrees
    /// The control group names a snap, and AppArmor does not confine the process as that snap.
    case snapDisagrees
    /// The process ended, and its id may already be another's.
    case processGone
    /// A name with control characters, or longer than 4,096 bytes.
    case unusableName
    /// What looks at other users' processes for the daemon did not answer.
    case unanswered
}

extension IdentityRefusal: CustomStringConvertible {
    /// The reason, as the end of a sentence.
    public var description: String {
        switch self {
        case .executableUnreadable: "its executable cannot be read from /proc"
        case .executableReplaced: "its executable was replaced or deleted since it started; restart the app"
        case .executableElsewhere:
            "its executable is not the file that others find under that name: it runs in a container or on mounts of its own"
        case .rootUnreadable: "its root folder cannot be read from /proc"
        case .flatpakDisagrees: "its control group and its .flatpak-info do not name the same app"
        case .snapDisagrees: "its control group names a snap that AppArmor does not confine it to"
        case .processGone: "the process is gone"
        case .unusableName: "its name contains control characters or is too long"
        case .unanswered:
            "locationd-peers, which looks at other users' processes, does not answer: see its unit's journal"
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
        switch (unit.flatpakID(uid: process.uid), infoID) {
        case (nil, nil) where !unit.looksLikeFlatpak: break
        case (let scopeID?, let infoID??) where scopeID.isBytewiseEqual(to: infoID):
            return try identity(.flatpak, scopeID)
        default: throw .flatpakDisagrees
        }
        // Attack: a process starts itself in a scope that is named like a snap's. What is in a snap is confined as it; a
        // classic snap's apps are in no sandbox, and are what they run.
        if let name = unit.systemSnapName { return try identity(.snap, name) }
        if unit.looksLikeSnap {
            guard let name = unit.snapName(uid: process.uid), let label = process.securityLabel,
                label.hasPrefix("snap.\(name).")
            else { throw .snapDisagrees }
            if label.split(whereSeparator: \.isWhitespace).last == "(enforce)" { return try identity(.snap, name) }
        }
        if let name = unit.systemServiceName { return try identity(.service, name) }
        if let id = unit.userAppID(uid: process.uid) { return try identity(.app, id) }
        guard let executable = process.executable else { throw .executableUnreadable }
        // proc(5): the kernel appends this when the file was unlinked. A file can also really be called so: refused
        // as well, since the two cannot be told apart.
        if executable.hasSuffix(" (deleted)") { throw .executableReplaced }
        // Attack: a process mounts a program of its own over one that was granted the location, where it alone sees it.
        guard !process.isExecutableElsewhere else { throw .executableElsewhere }
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
