internal import Glibc
internal import LocationctlSupport

/// The folder with the files of a machine: the root folder, or a folder that imitates one.
package struct SystemRoot: Sendable, Equatable {
    /// The folder without a slash at its end, so that the root folder is empty.
    private let folder: String

    package init(_ folder: String = "") {
        self.folder = String(folder.reversed().drop { $0 == "/" }.reversed())
    }

    /// A Boolean value indicating whether it is this machine. Only then can programs and devices be queried too.
    var isMachine: Bool { folder.isEmpty }

    /// Returns the path for reading a file of the machine.
    func path(_ path: String) -> String { folder + path }

    /// Returns whether the machine has such a file.
    func exists(_ path: String) -> Bool { access(self.path(path), F_OK) == 0 }

    /// Returns the contents of a file, or `nil` if it cannot be read.
    package func text(_ path: String) -> String? { try? SmallFile.read(self.path(path)) }

    /// Returns the names in a folder, in order. Empty if it cannot be read.
    package func names(in path: String) -> [String] {
        guard let directory = opendir(self.path(path)) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the target of a symbolic link, or `nil` if it is not a link or cannot be read.
    func target(ofLink path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(self.path(path), &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// Returns the path with all symbolic links resolved, or `nil` if there is no such file.
    func resolved(_ path: String) -> String? {
        guard let file = Self.resolved(self.path(path)) else { return nil }
        guard !folder.isEmpty, let folder = Self.resolved(folder), file.hasPrefix(folder + "/") else { return file }
        return String(file.dropFirst(folder.count))
    }

    private static func resolved(_ path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
    }
}
