import Foundation
import TestSupport

/// A network of two machines in namespaces of their own, each with a system bus and the real avahi-daemon.
final class LocalNetwork: Sendable {
    /// A machine of the network.
    enum Machine: String, CaseIterable {
        /// The one with locationd, 192.0.2.1 and fe80::1.
        case machine
        /// The one whose user announces something, 192.0.2.2 and fe80::2.
        case neighbour
    }

    private static let unshare = ["--user", "--map-root-user", "--net", "--mount", "--"]

    /// A Boolean value indicating whether this user can have such a network here.
    static let isPossible: Bool = {
        guard access("/usr/sbin/avahi-daemon", X_OK) == 0, access("/usr/bin/avahi-publish-service", X_OK) == 0 else {
            return false
        }
        let veth = ["ip", "link", "add", "network0", "type", "veth", "peer", "name", "network1"]
        let trial = try? RunningProgram("/usr/bin/unshare", unshare + veth)
        return trial?.waitUntilEnd() == 0
    }()

    let folder: TemporaryFolder
    private let program: RunningProgram
    private let entries: [String: (process: String, bus: String)]

    /// Makes the network, and waits until both of them answer.
    init() async throws {
        folder = try TemporaryFolder()
        let buses = URL(filePath: Project.folder).appending(path: "Tests/Support/Buses/bus.conf")
        let program = try RunningProgram(
            "/usr/bin/unshare",
            Self.unshare + [
                "/usr/bin/python3", "-B", "-c", Program.script("LocalNetwork/network"), folder.path,
                buses.path(percentEncoded: false),
            ])
        self.program = program
        try await eventually("the network") {
            if program.hasEnded { throw Overdue(what: "the network, which ended: \(program.errors)") }
            return program.lines.count == Machine.allCases.count
        }
        var entries: [String: (process: String, bus: String)] = [:]
        for line in program.lines {
            let words = line.split(separator: " ").map(String.init)
            entries[words[0]] = (words[1], words[2])
        }
        self.entries = entries
    }

    /// Returns the command that becomes a program on a machine.
    func launcher(on machine: Machine) -> [String] {
        [
            "/usr/bin/nsenter", "--target", entries[machine.rawValue]?.process ?? "", "--user", "--net", "--mount",
            "--preserve-credentials", "--",
        ]
    }

    private func environment(_ machine: Machine) -> [String: String] {
        ["DBUS_SYSTEM_BUS_ADDRESS": entries[machine.rawValue]?.bus ?? ""]
    }

    /// Starts a program on a machine.
    func start(
        on machine: Machine, _ command: [String], environment: [String: String] = [:], input: CInt? = nil
    ) throws -> RunningProgram {
        let launcher = launcher(on: machine)
        return try RunningProgram(
            launcher[0], launcher.dropFirst() + command,
            environment: self.environment(machine).merging(environment) { $1 }, input: input)
    }

    /// Runs a program on a machine to its end.
    func run(
        on machine: Machine, _ command: [String], environment: [String: String] = [:]
    ) async throws -> Program.Result {
        try await start(on: machine, command, environment: environment).end()
    }

    /// Announces a service on a machine, by the real program. Returns once it is established.
    func announce(
        _ name: String, on machine: Machine = .neighbour, _ type: String = "_nmea-0183._tcp", port: Int
    ) async throws -> RunningProgram {
        let program = try start(on: machine, ["/usr/bin/avahi-publish-service", name, type, "\(port)"])
        try await eventually("the announcement: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "the announcement, which ended: \(program.errors)") }
            return program.errors.contains("Established")
        }
        return program
    }

    /// A service that the neighbour announces without asking Avahi.
    struct Forgery {
        var name = "Phone"
        var transport = "tcp"
        var host = "attacker.local"
        var address = "192.0.2.2"
        var port = 10110

        fileprivate var line: String {
            let values: [Any] = [name, transport, host, address, port]
            let data = try? JSONSerialization.data(withJSONObject: values)
            return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
        }
    }

    /// Announces services from the neighbour, whatever they are.
    func forge(_ services: [Forgery]) async throws -> RunningProgram {
        let file = try folder.write(services.map(\.line).joined(), to: "forgeries-\(UUID().uuidString)")
        let input = try FileHandle(forReadingFrom: URL(filePath: file))
        let program = try start(
            on: .neighbour, ["/usr/bin/python3", "-B", "-c", Program.script("LocalNetwork/announcer"), "192.0.2.2"],
            input: input.fileDescriptor)
        try await eventually("the announcements: \(program.errors)") { !program.lines.isEmpty }
        return program
    }

    /// Runs `locationd-nmea discover` on the machine.
    func discover(_ options: String...) async throws -> Program.Result {
        try await run(on: .machine, [Program.path("locationd-nmea"), "discover"] + options)
    }
}
