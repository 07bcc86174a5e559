internal import Glibc

extension PortFacts {
    /// A program that has a port open.
    struct Holder: Sendable, Equatable {
        var name: String
        var pid: Int
        /// The systemd unit that the program belongs to, such as `gpsd.service` or `session-3.scope`, or `nil` if it is
        /// unknown.
        var unit: String?
        /// A Boolean value indicating whether the unit is a service of the system, not of a user.
        var isSystemService = false

        /// The program with its process and unit: `gpsd (process 612, gpsd.service)`.
        var description: String { "\(name) (process \(pid)\(unit.map { ", \($0)" } ?? ""))" }

        /// A Boolean value indicating whether it is a login prompt that systemd starts at a serial port.
        var isLoginPrompt: Bool { unit?.hasPrefix("serial-getty@") ?? false }
    }
}

extension PortFacts.Holder {
    /// Finds the program, other than locationd and this one, that has a node open, or returns `nil` if none is visible:
    /// proc(5) shows the descriptors of other users' processes to root only. Links are read, not followed, so that
    /// nothing is opened.
    init?(ofNode node: String, _ root: SystemRoot) {
        for process in root.names(in: "/proc") {
            let folder = "/proc/\(process)"
            guard let pid = Int(process), !root.isMachine || pid != Int(getpid()),
                root.names(in: folder + "/fd").contains(where: { root.target(ofLink: "\(folder)/fd/\($0)") == node })
            else { continue }
            let name = String((root.text(folder + "/comm") ?? "").prefix { $0 != "\n" })
            // If the daemon itself has the port open, no other program can.
            guard name != "locationd" else { continue }
            self.init(name: name, pid: pid)
            if let groups = root.text(folder + "/cgroup") { setUnit(inControlGroups: groups) }
            return
        }
        return nil
    }

    /// Sets the unit from the text of `/proc/PID/cgroup`: cgroups(7), and systemd's folder for each unit.
    mutating func setUnit(inControlGroups text: String) {
        for line in text.split(separator: "\n") where line.hasPrefix("0::") || line.contains(":name=systemd:") {
            guard let path = line.split(separator: ":").last else { continue }
            unit = path.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
                .map(String.init)
            isSystemService = path.hasPrefix("/system.slice/") && unit?.hasSuffix(".service") == true
        }
    }
}
