import Foundation
import TestSupport

/// A control group at a path of the unified hierarchy, cgroups(7). Folders that it created are removed on deinit.
final class ControlGroupFolder {
    private static let root = mountPoint()
    /// A Boolean value indicating whether a control group can be created and is visible at its own path.
    static let isPossible: Bool = {
        guard let root else { return false }
        let path = "\(root)/locationdtest.\(getpid())"
        defer { rmdir(path) }
        return mkdir(path, 0o755) == 0 && access(path + "/cgroup.procs", W_OK) == 0
    }()

    /// A command that becomes a program in the control group.
    let launcher: [String]
    private var made: [String] = []

    init(_ path: String) throws {
        let root = Self.root ?? ""
        let whole = root + "/" + path
        var isThere = false
        // Another test may remove shared parent folders while this one is creating folders in them.
        for _ in 0..<100 where !isThere {
            var folder = root
            for component in path.split(separator: "/") {
                folder += "/" + component
                if mkdir(folder, 0o755) == 0 { made.append(folder) }
            }
            isThere = access(whole + "/cgroup.procs", W_OK) == 0
        }
        guard isThere else { throw Overdue(what: "the control group \(path)") }
        launcher = ["/bin/sh", "-c", "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"", whole]
    }

    deinit { for folder in made.reversed() { rmdir(folder) } }

    private static func mountPoint() -> String? {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.count > 2, fields[2] == "cgroup2" { return String(fields[1]) }
        }
        return nil
    }
}
