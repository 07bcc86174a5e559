internal import Glibc

/// The place of a process in the unified hierarchy of control groups: cgroups(7).
struct ControlGroupPlace {
    /// The folder of the control group, below the root of the hierarchy.
    private let components: [Substring]

    /// The maximum number of folders that are searched in a unit. It divides itself as it likes.
    private static let maximumFolders = 1024

    /// Parses the contents of `/proc/PID/cgroup`. Returns `nil` if there is no unified hierarchy, or if the place is
    /// outside of what the reader sees of it.
    init?(_ procFile: String) {
        guard let line = procFile.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        components = line.dropFirst(4).split(separator: "/")
        if components.contains("..") { return nil }
    }

    /// The path of the systemd unit from the root of the hierarchy, or `nil` if the process is in none. The units of a
    /// user manager are below its own unit, `user@UID.service`.
    var unit: String? {
        guard var index = firstUnit(from: 0) else { return nil }
        if components[index].hasPrefix("user@") {
            guard let inner = firstUnit(from: index + 1) else { return nil }
            index = inner
        }
        return "/" + components.prefix(index + 1).joined(separator: "/")
    }

    /// Returns the index of the first component from `start` on that is not a slice, or `nil` unless it is a unit.
    private func firstUnit(from start: Int) -> Int? {
        let index = components[start...].firstIndex { !$0.hasSuffix(".slice") }
        return index.flatMap { [".scope", ".service"].contains(where: components[$0].hasSuffix) ? $0 : nil }
    }

    /// Returns whether the control group with this ID is that of the process, or another one of its unit.
    ///
    /// - Parameter root: The folder at which the hierarchy is mounted.
    func sharesUnit(withGroup id: UInt64, root: String) -> Bool {
        if Self.id(of: root + "/" + components.joined(separator: "/")) == id { return true }
        return unit.map { Self.hasGroup(id, in: root + $0) } ?? false
    }

    /// Returns the ID of the control group of a folder, which is the number of its inode, or `nil` if there is none.
    private static func id(of folder: String) -> UInt64? {
        var status = stat()
        return stat(folder, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Returns whether a folder, or one below it, is the control group with this ID.
    private static func hasGroup(_ id: UInt64, in unit: String) -> Bool {
        if self.id(of: unit) == id { return true }
        var folders = [unit]
        var count = 0
        while let folder = folders.popLast() {
            guard let entries = opendir(folder) else { continue }
            defer { closedir(entries) }
            while let entry = readdir(entries) {
                guard entry.pointee.d_type == DT_DIR, let name = Self.name(of: entry), ![".", ".."].contains(name)
                else {
                    continue
                }
                count += 1
                guard count <= maximumFolders else { return false }
                if UInt64(entry.pointee.d_ino) == id { return true }
                folders.append(folder + "/" + name)
            }
        }
        return false
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        withUnsafeBytes(of: &entry.pointee.d_name) { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
