internal import AuthorizationPolicy
internal import CLinux
internal import Glibc

/// The root folder of a process, where Flatpak leaves the name of the app.
///
/// Attack: the root is a file system that the process serves itself, and that never answers (FUSE below overlayfs, in a
/// user namespace). Looking up a name there takes as long as the process likes, and not even SIGKILL ends it. So a name
/// is found in the kernel's memory or not at all, and a file is read only on a tmpfs, which has all of its names in
/// memory. Flatpak's file is on one: bubblewrap makes a tmpfs the root of each sandbox.
struct ProcessRoot: ~Copyable {
    /// The maximum number of lookups of a name. The kernel may miss a name in its memory while anything is being
    /// mounted or renamed on the machine.
    private static let maximumAttempts = 100

    private let pid: pid_t
    private let folder: CInt

    init(of pid: pid_t) throws(IdentityRefusal) {
        self.pid = pid
        folder = path_open_folder("/proc/\(pid)/root")
        guard folder >= 0 else { throw folder == -ENOENT || folder == -ESRCH ? .processGone : .rootUnreadable }
    }

    deinit { close(folder) }

    /// Returns the contents of `.flatpak-info`, or `nil` if there is none. A file that cannot be read, or that Flatpak
    /// did not make, counts as empty, and so matches nothing.
    func flatpakInfo() -> String? {
        // Only root can put anything into the machine's own root, and Flatpak does not.
        guard !isMachines else { return nil }
        let place = find(".flatpak-info")
        guard place >= 0 else { return place == -ENOENT || place == -EAGAIN ? nil : "" }
        defer { close(place) }
        // Attack: the file is a device that does something when it is opened with the daemon's privileges.
        guard let status = FileStatus(of: place), status.type == S_IFREG, isTmpfs(status.mount) else { return "" }
        return ProcFile.text("/proc/self/fd/\(place)") ?? ""
    }

    /// A Boolean value indicating whether the root is the machine's.
    var isMachines: Bool {
        guard let own = FileStatus(of: folder) else { return false }
        return ["/", "/proc/1/root"].contains { FileStatus($0, followsLink: true)?.isSameFile(as: own) == true }
    }

    /// Returns a descriptor of the file with that name, or the negated errno.
    private func find(_ name: String) -> CInt {
        var place = path_find_in(folder, name)
        for _ in 1..<Self.maximumAttempts where place == -EAGAIN { place = path_find_in(folder, name) }
        return place
    }

    /// Returns whether a mount of the process is a tmpfs. statfs(2) would ask the file system.
    private func isTmpfs(_ mount: UInt64) -> Bool {
        // A sandbox that sees the host's mounts has as many mounts as the host.
        guard let mounts = ProcFile.contents("/proc/\(pid)/mountinfo", maximumSize: 4 << 20) else { return false }
        let id = Array("\(mount) ".utf8)
        guard let line = mounts.split(separator: UInt8(ascii: "\n")).first(where: { $0.starts(with: id) }) else {
            return false
        }
        // proc(5): the type is the first field after the hyphen. A space in an earlier field is written as \040.
        let fields = line.split(separator: UInt8(ascii: " "))
        guard let hyphen = fields.firstIndex(where: { $0.elementsEqual("-".utf8) }) else { return false }
        return fields.dropFirst(hyphen + 1).first?.elementsEqual("tmpfs".utf8) == true
    }
}
