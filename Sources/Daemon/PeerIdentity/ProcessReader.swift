public import AuthorizationPolicy
internal import CLinux
internal import Glibc
public import LocationModel

/// A reader of a process's identity in proc(5). For another user's process, reading requires CAP_SYS_PTRACE, and
/// CAP_DAC_READ_SEARCH if a file is in a folder that is closed to other users.
public struct ProcessReader {
    private let pidfd: CInt
    private let pid: pid_t

    /// Creates a reader for the process of `pidfd`. The caller keeps the descriptor open while the reader is in use.
    ///
    /// Attack: the caller gives the ID of another process. So the ID comes from the descriptor, which the kernel made.
    public init(pidfd: Int32) throws(IdentityRefusal) {
        pid = process_id(pidfd)
        guard pid > 0 else { throw .processGone }
        self.pidfd = pidfd
    }

    /// Returns the identity of the process, which user `uid` runs.
    public func identity(uid: UInt32) throws(IdentityRefusal) -> AppIdentity {
        guard let cgroup = ProcFile.text("/proc/\(pid)/cgroup") else { throw .processGone }
        let executable = ProcFile.target(ofLink: "/proc/\(pid)/exe")
        let evidence = ProcessEvidence(
            uid: uid, cgroup: cgroup, executable: executable,
            hasPrivateExecutable: executable.map { Self.isElsewhere($0, of: pid) } ?? false,
            isConfined: isConfined, flatpakInfo: try ProcessRoot(of: pid).flatpakInfo(),
            securityLabel: ProcFile.text("/proc/\(pid)/attr/apparmor/current")
                ?? ProcFile.text("/proc/\(pid)/attr/current"))
        // Attack: the peer exits, and its ID is given to another app's process before /proc is read. The pidfd is
        // bound to the process itself: while that is alive, no other process has its ID, so the data is its own.
        guard process_is_alive(pidfd) != 0 else { throw .processGone }
        return try AppIdentity.of(evidence)
    }

    /// A Boolean value indicating whether the process is, or may be, in a sandbox or a container of any kind: its root
    /// folder is not the machine's, or its user namespace or PID namespace is not this process's.
    ///
    /// Attack: the app in a sandbox other than Flatpak's and Snap's has been given the management socket, and answers
    /// its own prompt. So a process that cannot be read counts as confined.
    public var isConfined: Bool {
        guard let namespace = ProcFile.target(ofLink: "/proc/\(pid)/ns/user"),
            namespace == ProcFile.target(ofLink: "/proc/self/ns/user"),
            let status = ProcFile.contents("/proc/\(pid)/status"), Self.namespaceCount(inStatus: status) == 1
        else { return true }
        do throws(IdentityRefusal) { return try !ProcessRoot(of: pid).isMachines } catch { return true }
    }

    /// Returns the number of PID namespaces in the contents of `status`, from the reader's on: proc_pid_status(5),
    /// NSpid.
    ///
    /// Attack: a process has a name with a line break and `NSpid:`. The kernel writes a line break in a name as `\n`.
    static func namespaceCount(inStatus status: [UInt8]) -> Int? {
        let label = Array("NSpid:".utf8)
        guard let line = status.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: label) }) else {
            return nil
        }
        return line.dropFirst(label.count).split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }.count
    }

    /// Returns the login that the process belongs to, or `nil` if there is none or the process is gone.
    public func loginOwner() throws(Login.Failure) -> Login.Owner? {
        let owner: Login.Owner?
        do throws(Login.Failure) { owner = try Login.owner(of: pid) } catch {
            guard process_is_alive(pidfd) != 0 else { return nil }
            throw error
        }
        // Attack: the process ends, and its ID passes to a process of the active session before the login is looked up.
        return process_is_alive(pidfd) != 0 ? owner : nil
    }

    /// The file that the process runs, or `nil` if it cannot be read.
    public var executable: String? {
        let path = ProcFile.target(ofLink: "/proc/\(pid)/exe")
        return process_is_alive(pidfd) != 0 ? path : nil
    }

    /// The time when the process started, in clock ticks since the boot, or `nil` if it cannot be read:
    /// proc_pid_stat(5), field 22.
    public var startTime: UInt64? {
        let time = ProcFile.contents("/proc/\(pid)/stat").flatMap { Self.startTime(inStat: $0) }
        // Attack: the process ends, and its ID passes to another process before the file is read.
        return process_is_alive(pidfd) != 0 ? time : nil
    }

    /// The ID of this boot, random(4). With a process ID and a start time, it identifies a process. Empty if it cannot
    /// be read.
    public static let boot = ProcFile.text("/proc/sys/kernel/random/boot_id")?.filter { !$0.isWhitespace } ?? ""

    /// Returns the start time in the contents of `stat`.
    ///
    /// Attack: a process has a name with spaces, brackets and numbers, which are taken for the fields. The name is in
    /// brackets, and no later field contains one, so the fields begin after the last bracket.
    static func startTime(inStat stat: [UInt8]) -> UInt64? {
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
        // The first of these fields is number 3.
        guard fields.count > 19, let text = String(validating: fields[19], as: UTF8.self) else { return nil }
        return UInt64(text)
    }

    /// Returns whether the path of the process's executable leads to another file or to none, both for the daemon and
    /// for the machine as a whole. The two differ if the daemon itself is kept out of some folders, systemd.exec(5).
    private static func isElsewhere(_ path: String, of pid: pid_t) -> Bool {
        guard let running = FileStatus("/proc/\(pid)/exe", followsLink: true) else { return true }
        return !["", "/proc/1/root"].contains { root in
            FileStatus(root + path, followsLink: false)?.isSameFile(as: running) == true
        }
    }
}
