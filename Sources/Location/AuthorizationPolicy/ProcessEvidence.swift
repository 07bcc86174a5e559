internal import Bytewise
public import LocationModel

/// The kernel's data about a process, before it is interpreted.
///
/// The code that reads it holds the process's pidfd, and checks that the process is alive *after* reading. Otherwise, a
/// process ID that is reassigned in between would give another process's name to the peer.
public struct ProcessEvidence: Sendable {
    /// The user ID of the process.
    public var uid: UInt32
    /// The contents of `/proc/PID/cgroup`, cgroups(7).
    public var cgroup: String
    /// The target of `/proc/PID/exe`, proc(5), or `nil` if it cannot be read.
    public var executable: String?
    /// A Boolean value indicating whether the executable's path leads to another file or to no file, both for the
    /// reader and for the machine as a whole. The process then has its own mount namespace: mount_namespaces(7).
    public var hasPrivateExecutable: Bool
    /// A Boolean value indicating whether the process is in a sandbox or a container: its root folder is not the
    /// machine's, or it has its own user namespace or PID namespace: namespaces(7).
    public var isConfined: Bool
    /// The contents of `/.flatpak-info` in the process's root: empty if the file cannot be read, `nil` if it does not
    /// exist.
    public var flatpakInfo: String?
    /// The label that AppArmor uses to confine the process, from `/proc/PID/attr/apparmor/current` or
    /// `/proc/PID/attr/current`, or `nil` if the process has no label.
    public var securityLabel: String?

    /// Creates the evidence from the data that was read.
    public init(
        uid: UInt32, cgroup: String, executable: String?, hasPrivateExecutable: Bool = false, isConfined: Bool = false,
        flatpakInfo: String? = nil, securityLabel: String? = nil
    ) {
        self.uid = uid
        self.cgroup = cgroup
        self.executable = executable
        self.hasPrivateExecutable = hasPrivateExecutable
        self.isConfined = isConfined
        self.flatpakInfo = flatpakInfo
        self.securityLabel = securityLabel
    }
}

/// A reason why a process has no identity. Such a process is refused; its identity is never guessed.
public enum IdentityRefusal: String, Error, Sendable, Equatable, CaseIterable {
    /// The kernel did not reveal which file the process runs.
    case executableUnreadable
    /// The file that the process runs is no longer at its path: it was replaced or deleted.
    case executableReplaced
    /// The path of the file that the process runs leads to another file, or to no file, outside its mount namespace.
    case privateExecutable
    /// The process is in a sandbox or a container that does not give it a name.
    case confined
    /// The kernel did not reveal the root of the process, where a sandbox would have left its name.
    case rootUnreadable
    /// The control group and `.flatpak-info` name different Flatpak apps, or only one of them names an app.
    case flatpakMismatch
    /// The control group names a snap, but AppArmor does not confine the process as that snap.
    case snapMismatch
    /// The process ended, and its ID may already belong to another process.
    case processGone
    /// The name is not valid for an app: it has control characters, for example, or is longer than 4,096 bytes.
    case unusableName
    /// The other end of the connection is not a connected TCP socket in this machine's network namespace.
    case socketElsewhere
    /// None of the user's processes holds the socket.
    case socketNotHeld
    /// Processes of several apps hold the socket, or it passes from one process to another.
    case socketShared
    /// More processes hold the socket than are watched.
    case socketHeldByMany
    /// A process that holds the socket has the rights of another user, too.
    case socketOfSeveralUsers
    /// The socket was created in a unit other than the unit of a process that holds it.
    case socketOfAnotherUnit
    /// Control groups cannot be looked up, so the unit that created the socket is not known.
    case controlGroupsUnreadable
    /// A process of the user could not be read, and may hold the socket, too.
    case processUnreadable
    /// The user's processes have so many files open that the search for the socket was given up.
    case tooManyOpenFiles
    /// `locationd-peers`, which inspects other users' processes for the daemon, did not answer.
    case unanswered
}

extension IdentityRefusal: CustomStringConvertible {
    private static let containerAdvice =
        "; run a container as a systemd unit: see \"In a container\" in app-developers.md"

    /// The reason, worded as the end of a sentence.
    public var description: String {
        switch self {
        case .executableUnreadable: "its executable cannot be read from /proc"
        case .executableReplaced: "its executable was replaced or deleted since it started; restart the app"
        case .privateExecutable:
            "its executable is not the file that others find under that name: it runs in a container or on mounts of its own"
                + Self.containerAdvice
        case .confined:
            "it runs in a sandbox or a container that is neither a Flatpak nor a snap" + Self.containerAdvice
        case .rootUnreadable: "its root folder cannot be read from /proc"
        case .flatpakMismatch: "its control group and its .flatpak-info do not name the same app"
        case .snapMismatch: "its control group names a snap that AppArmor does not confine it to"
        case .processGone: "the process is gone"
        case .unusableName: "its name contains control characters or is too long"
        case .socketElsewhere:
            "no socket of this machine is at the other end: it was closed, or is in a container or on another machine"
        case .socketNotHeld: "none of its user's processes holds its socket: the process is gone, or of another user"
        case .socketShared: "processes of several apps hold its socket"
        case .socketHeldByMany: "too many processes hold its socket: close it in those that do not use it"
        case .socketOfSeveralUsers: "a process that holds its socket also has the rights of another user"
        case .controlGroupsUnreadable:
            "the control group of its socket cannot be looked up: /sys/fs/cgroup is not mounted"
        case .socketOfAnotherUnit: "its socket was created in another systemd unit than the one it runs in"
        case .processUnreadable: "a process of its user, which may hold its socket too, cannot be read from /proc"
        case .tooManyOpenFiles: "its user's processes have too many files open to find the one that holds its socket"
        case .unanswered:
            "locationd-peers, which inspects other users' processes, does not answer: see its unit's journal"
        }
    }
}

extension AppIdentity {
    /// Returns the identity of a process: the strongest one that the evidence supports.
    public static func of(_ process: ProcessEvidence) throws(IdentityRefusal) -> AppIdentity {
        let unit = ControlGroup(Array(process.cgroup.utf8))
        // Attack: an unsandboxed process puts a .flatpak-info into its own root (bubblewrap), or starts itself in a
        // scope with a name like a Flatpak app's. Either one alone leads to a refusal, not to a weaker identity.
        let infoID = process.flatpakInfo.map(flatpakID)
        switch (unit.flatpakID(uid: process.uid), infoID) {
        case (nil, nil) where !unit.hasFlatpakUnitName: break
        case (let scopeID?, let infoID??) where scopeID.isBytewiseEqual(to: infoID):
            return try identity(.flatpak, scopeID)
        default: throw .flatpakMismatch
        }
        // Attack: a process starts itself in a scope with a name like a snap's. AppArmor confines the processes of a
        // real snap under its label. The apps of a classic snap are not sandboxed, so the file that they run is their
        // identity.
        if let name = unit.systemSnapName { return try identity(.snap, name) }
        if unit.hasSnapUnitName {
            guard let name = unit.snapName(uid: process.uid), let label = process.securityLabel,
                label.hasPrefix("snap.\(name).")
            else { throw .snapMismatch }
            if label.split(whereSeparator: \.isWhitespace).last == "(enforce)" { return try identity(.snap, name) }
        }
        if let name = unit.systemServiceName { return try identity(.service, name) }
        if let id = unit.userAppID(uid: process.uid) { return try identity(.app, id) }
        guard let executable = process.executable else { throw .executableUnreadable }
        // The kernel appends this if the file was unlinked: proc(5). The real name of a file can also end this way.
        // Such a file is refused as well, because the two cases cannot be told apart.
        if executable.hasSuffix(" (deleted)") { throw .executableReplaced }
        // Attack: a process mounts its own program over a program that was granted the location, where only the process
        // itself can see it.
        guard !process.hasPrivateExecutable else { throw .privateExecutable }
        // Attack: an app in a sandbox that leaves no name (bubblewrap) runs the machine's own Python there, and is
        // mistaken for every other script of the user.
        guard !process.isConfined else { throw .confined }
        return try identity(.exe, executable)
    }

    private static func identity(_ kind: Kind, _ name: String) throws(IdentityRefusal) -> AppIdentity {
        guard let identity = AppIdentity(kind: kind, name: name) else { throw .unusableName }
        return identity
    }

    /// Returns the application ID from a `.flatpak-info`, flatpak-metadata(5): the key `name` of the group
    /// `[Application]`. Returns `nil` if there is no such key, as in the file of a `[Runtime]`.
    private static func flatpakID(_ info: String) -> String? {
        var inApplication = false
        for line in info.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { inApplication = line == "[Application]" }
            if inApplication, line.hasPrefix("name=") { return String(line.dropFirst(5)) }
        }
        return nil
    }
}
