internal import Glibc

/// The place of a process in the unified hierarchy of control groups: cgroups(7).
///
/// Attack: a user who may manage part of the tree creates a group whose name begins with a combining character, so that
/// as text it has no slash before it, or with bytes that are not UTF-8. So names are bytes.
struct ControlGroupPlace {
    /// The folder of the control group, below the root of the hierarchy.
    private let components: [ArraySlice<UInt8>]

    /// The maximum number of folders that are searched in a unit. It divides itself as it likes.
    private static let maximumFolders = 1024

    /// Parses the contents of `/proc/PID/cgroup`. Returns `nil` if there is no unified hierarchy, or if the place is
    /// outside of what the reader sees of it.
    init?(_ procFile: [UInt8]) {
        let lines = procFile.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { $0.starts(with: "0::/".utf8) }) else { return nil }
        components = line.dropFirst(4).split(separator: UInt8(ascii: "/"))
        if components.contains(where: { $0.elementsEqual("..".utf8) }) { return nil }
    }

    /// The path of the systemd unit from the root of the hierarchy, or `nil` if the process is in none. The units of a
    /// user manager are below its own unit, `user@UID.service`.
    var unit: [UInt8]? {
        guard var index = firstUnit(from: 0) else { return nil }
        if components[index].starts(with: "user@".utf8) {
            guard let inner = firstUnit(from: index + 1) else { return nil }
            index = inner
        }
        return Self.path(components.prefix(index + 1))
    }

    /// Returns the index of the first component from `start` on that is not a slice, or `nil` unless it is a unit.
    private func firstUnit(from start: Int) -> Int? {
        let index = components[start...].firstIndex { !Self.hasSuffix(".slice", $0) }
        return index.flatMap { index in
            [".scope", ".service"].contains { Self.hasSuffix($0, components[index]) } ? index : nil
        }
    }

    private static func hasSuffix(_ suffix: String, _ name: ArraySlice<UInt8>) -> Bool {
        name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    private static func path(_ components: some Sequence<ArraySlice<UInt8>>) -> [UInt8] {
        components.reduce(into: []) { $0 += [UInt8(ascii: "/")] + $1 }
    }

    /// Returns which of these control groups are that of the process, or another one of its unit.
    ///
    /// - Parameter root: The folder at which the hierarchy is mounted.
    func groups(among ids: Set<UInt64>, root: String) -> Set<UInt64> {
        let root = Array(root.utf8)
        var found = ids.intersection(Self.ids(of: root + Self.path(components)))
        if found.count < ids.count, let unit { found.formUnion(Self.groups(among: ids, in: root + unit)) }
        return found
    }

    /// Returns the ID of the control group of a folder, which is the number of its inode, or nothing if there is none.
    private static func ids(of folder: [UInt8]) -> [UInt64] {
        var status = stat()
        return stat(folder.map(CChar.init(bitPattern:)) + [0], &status) == 0 ? [UInt64(status.st_ino)] : []
    }

    /// Returns which of these control groups are a folder or one below it.
    private static func groups(among ids: Set<UInt64>, in unit: [UInt8]) -> Set<UInt64> {
        var found = ids.intersection(self.ids(of: unit))
        var folders = [unit]
        var count = 0
        while let folder = folders.popLast() {
            // A folder that has gone, or that the caller may not read, contains nothing that is found.
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
