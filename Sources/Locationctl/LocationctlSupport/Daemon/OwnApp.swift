internal import AuthorizationPolicy
internal import FoundationEssentials
internal import Glibc
internal import LocationModel

/// This process as an app, as the daemon identifies it.
package struct OwnApp {
    /// The identity, as `kind:name`.
    package let identity: String
    /// A Boolean value indicating whether other programs have the same identity because they are in the same systemd
    /// unit, like all programs started in one window of a desktop's terminal.
    ///
    /// Attack, or accident: a grant for locationctl becomes a grant for the whole terminal, and for every program in
    /// it.
    package let isShared: Bool
    /// The path of this program.
    let program: String

    /// This process, or `nil` if its identity cannot be read. The daemon reads the identity in the same way.
    package static var current: OwnApp? {
        let path = [UInt8](unsafeUninitializedCapacity: 4097) { buffer, count in
            count = max(0, readlink("/proc/self/exe", buffer.baseAddress!, buffer.count))
        }
        let cgroup = (try? SmallFile.read("/proc/self/cgroup")) ?? ""
        let executable = String(validating: path, as: UTF8.self)
        let evidence = ProcessEvidence(
            uid: getuid(), cgroup: cgroup, executable: executable, flatpakInfo: try? SmallFile.read("/.flatpak-info"))
        guard let app = try? AppIdentity.of(evidence) else { return nil }
        let program = executable ?? CommandLine.arguments[0]
        let isShared = app.kind != .exe && hasOthers(ControlGroup(Array(cgroup.utf8)), than: program)
        return OwnApp(identity: app.description, isShared: isShared, program: program)
    }

    init(identity: String, isShared: Bool, program: String) {
        self.identity = identity
        self.isShared = isShared
        self.program = program
    }

    /// Returns whether the unit of a control group has processes that run another program. `true` if that cannot be
    /// read: there may be some.
    private static func hasOthers(_ group: ControlGroup, than program: String) -> Bool {
        guard let unit = group.unit else { return true }
        let path = unit.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        // The second folder exists where control groups version 1 is in use too.
        let folders = ["/sys/fs/cgroup/\(path)", "/sys/fs/cgroup/unified/\(path)"]
        guard let folder = folders.first(where: { access("\($0)/cgroup.procs", R_OK) == 0 }),
            let groups = try? FileManager.default.subpathsOfDirectory(atPath: folder)
        else { return true }
        var isKnown = false
        for folder in [folder] + groups.map({ "\(folder)/\($0)" }) {
            guard let processes = try? SmallFile.read("\(folder)/cgroup.procs") else { continue }
            isKnown = true
            for process in processes.split(separator: "\n") {
                guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) == program
                else { return true }
            }
        }
        return !isKnown
    }

    /// Returns the reason why a grant for this process is refused, and the remedy.
    ///
    /// - Parameter command: Returns a command of locationctl as the user would type it.
    package func refusal(_ command: (String) -> String) -> String {
        translated(
            """
            locationctl is {app} here, as are the other programs of that unit, and all of them would be granted the \
            location, so nothing was granted: run `{command}`, and locationctl outside of that unit: in a text console, \
            over ssh, or as `systemd-run --user --pty --quiet locationctl watch`
            """,
            ["app": Terminal.printable(identity), "command": command("grant exe:\(Terminal.printable(program))")])
    }
}
