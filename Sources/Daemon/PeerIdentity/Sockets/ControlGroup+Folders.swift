internal import AuthorizationPolicy
internal import CLinux
internal import Glibc

/// The folders of control groups: cgroups(7).
///
/// Attack: a user who may manage part of the tree creates a group whose name begins with a combining character, which
/// hides the slash before it in text, or contains bytes that are not UTF-8. So names are bytes.
extension ControlGroup {
    /// The maximum number of folders that are searched in a unit, which may create any number of them.
    private static let maximumFolders = 1024

    private static func path(_ components: some Sequence<Name>) -> [UInt8] {
        components.reduce(into: []) { $0 += [UInt8(ascii: "/")] + $1 }
    }

    /// Returns those of the given control groups that contain the process or belong to its unit. Empty if the process
    /// has no place in the unified hierarchy.
    ///
    /// - Parameter root: The folder where the hierarchy is mounted.
    func groups(among ids: Set<UInt64>, root: String) -> Set<UInt64> {
        guard let place else { return [] }
        let root = Array(root.utf8)
        var found = ids.intersection(Self.ids(of: root + Self.path(place)))
        if found.count < ids.count, let unit {
            found.formUnion(Self.groups(among: ids, in: root + Self.path(unit)))
        }
        return found
    }

    /// Returns the ID of a folder's control group, which is the number of its inode, or nothing if there is no such
    /// folder.
    private static func ids(of folder: [UInt8]) -> [UInt64] {
        var status = stat()
        return stat(folder.map(CChar.init(bitPattern:)) + [0], &status) == 0 ? [UInt64(status.st_ino)] : []
    }

    /// Returns those of the given control groups whose folder is `unit` or below it.
    private static func groups(among ids: Set<UInt64>, in unit: [UInt8]) -> Set<UInt64> {
        var found = ids.intersection(self.ids(of: unit))
        var folders = [unit]
        var count = 0
        while let folder = folders.popLast() {
            // A folder that has gone, or that the caller may not read, contributes nothing.
            guard let entries = try? FolderEntries(of: folder) else { continue }
            while let entry = (try? entries.next()) ?? nil {
                guard let name = entry.folderName else { continue }
                count += 1
                guard count <= maximumFolders, found.count < ids.count else { return found }
                if ids.contains(entry.inode) { found.insert(entry.inode) }
                folders.append(folder + [UInt8(ascii: "/")] + name)
            }
        }
        return found
    }
}

/// The folder where the unified hierarchy of control groups is mounted.
enum ControlGroupMount {
    /// The folder, or `nil` if the hierarchy is not mounted. systemd mounts it at the first path or, beside the older
    /// hierarchies, at the second.
    static var root: String? { ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first { cgroup_is_root($0) != 0 } }
}
