import Foundation
import TestSupport

/// This project's rules and hardware database, processed by the real udevadm for a mocked device, in a sandbox that
/// contains no other rules than systemd's own that these depend on.
struct UdevRules {
    /// The result of udev's rules for a device.
    struct Outcome {
        var properties: [String: String] = [:]
        var group: String?
        var mode: String?

        subscript(property: String) -> String? { properties[property] }

        /// The links to the node that mark receivers.
        var receiverLinks: [String] {
            (self["DEVLINKS"] ?? "").split(separator: " ").map(String.init).filter { $0.hasPrefix("/dev/gnss-") }
        }

        var tags: [String] { (self["TAGS"] ?? "").split(separator: ":").map(String.init) }
    }

    /// A Boolean value indicating whether the required programs are installed, and users may create sandboxes.
    static let isPossible: Bool = {
        let programs = ["/usr/bin/bwrap", "/usr/bin/umockdev-run", "/usr/bin/udevadm", "/usr/bin/systemd-hwdb"]
        guard programs.allSatisfy({ access($0, X_OK) == 0 }) else { return false }
        let trial = try? RunningProgram("/usr/bin/bwrap", sandbox + ["--ro-bind", "/usr", "/usr", "true"])
        return trial?.waitUntilEnd() == 0
    }()

    /// The folder of the rules in the sources.
    static let sources = Project.folder + "/udev"

    private static let sandbox = [
        "--unshare-user", "--unshare-pid", "--unshare-net", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
        "/lib64", "--symlink", "usr/bin", "/bin", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run", "--tmpfs",
        "/tmp",
        "--tmpfs", "/sys", "--setenv", "TMPDIR", "/tmp",
    ]

    /// Rules of other packages, by their file names.
    var others: [String: String] = [:]

    /// Returns the result for the port of a device that is plugged in or, with `ofUSBDevice`, for the device itself.
    func outcome(of device: MockedDevice, ofUSBDevice: Bool = false) async throws -> Outcome {
        let folder = try TemporaryFolder()
        for name in ["rules", "hwdb"] { mkdir(folder.path + "/" + name, 0o755) }
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: folder.path + "/" + name, atomically: false, encoding: .utf8)
        }
        for name in ["50-udev-default.rules", "60-serial.rules"] {
            try FileManager.default.copyItem(
                atPath: "/usr/lib/udev/rules.d/" + name, toPath: folder.path + "/rules/" + name)
        }
        try FileManager.default.copyItem(
            atPath: Self.sources + "/81-locationd.rules", toPath: folder.path + "/rules/81-locationd.rules")
        try FileManager.default.copyItem(
            atPath: Self.sources + "/60-locationd.hwdb", toPath: folder.path + "/hwdb/60-locationd.hwdb")
        for (name, text) in others { try write(text, "rules/" + name) }
        try write(device.description(), "device.umockdev")
        let groups = try String(contentsOfFile: "/etc/group", encoding: .utf8).split(separator: "\n")
        try write(groups.filter { !$0.hasPrefix("gnss:") }.joined(separator: "\n") + "\ngnss:x:64990:\n", "group")
        let script = """
            systemd-hwdb update --usr && SYSTEMD_LOG_LEVEL=debug SYSTEMD_LOG_TARGET=console \
            umockdev-run -d /test/device.umockdev -- udevadm test \(ofUSBDevice ? device.usbDevice : device.port)
            """
        let result = try await Program.run(
            "/usr/bin/bwrap",
            Self.sandbox + [
                "--ro-bind", "/usr", "/usr", "--tmpfs", "/usr/local", "--tmpfs", "/usr/lib/udev", "--ro-bind",
                folder.path + "/rules", "/usr/lib/udev/rules.d", "--ro-bind", folder.path + "/hwdb",
                "/usr/lib/udev/hwdb.d", "--ro-bind", "/etc/passwd", "/etc/passwd", "--ro-bind", folder.path + "/group",
                "/etc/group", "--ro-bind", folder.path, "/test", "/bin/sh", "-c", script,
            ])
        guard result.status == 0 else { throw Overdue(what: "udevadm: \(result.errors)") }
        return Self.read(result, groups: groups.map(String.init))
    }

    /// Parses udevadm's output. The properties are on standard output. Group and mode are in the log, once for each
    /// rule that sets them.
    private static func read(_ result: Program.Result, groups: [String]) -> Outcome {
        var outcome = Outcome()
        for line in result.lines {
            guard let equals = line.firstIndex(of: "="), !line[..<equals].contains(" ") else { continue }
            outcome.properties[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        for line in result.errors.split(separator: "\n") {
            if let number = line.firstMatch(of: /\.rules:\d+ GROUP (\d+)$/)?.output.1 {
                let name = groups.first { $0.split(separator: ":").dropFirst(2).first == number }
                outcome.group = number == "64990" ? "gnss" : name?.split(separator: ":").first.map(String.init)
            }
            if let mode = line.firstMatch(of: /\.rules:\d+ MODE (\d+)$/)?.output.1 { outcome.mode = String(mode) }
        }
        return outcome
    }
}
