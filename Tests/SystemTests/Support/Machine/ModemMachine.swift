import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// A machine with a modem, mocked by umockdev, with the real ModemManager, polkitd and a system bus of their own.
final class ModemMachine {
    static let manager = "/usr/sbin/ModemManager"

    static var isPossible: Bool {
        Attack.isRoot && PrivateBus.isInstalled && RealPolkit.isInstalled && access(manager, X_OK) == 0
    }

    static let needs: Comment = "needs root, polkitd and ModemManager"

    /// The state of the modem's SIM.
    enum SIM: String { case none, locked, ready }

    let bus: PrivateBus
    /// A command that becomes a program on the bus.
    var launcher: [String] { GeoClueFrontDaemon.launcher(on: bus) }

    /// A command that becomes a program on the bus and on the machine with the modem.
    var deviceLauncher: [String] {
        launcher + ["LD_PRELOAD=libumockdev-preload.so.0", "UMOCKDEV_DIR=\(modem.lines[0])"]
    }

    private let folder: TemporaryFolder
    private let modem: RunningProgram
    private let input: ProgramPipe
    private let polkit: RunningProgram
    private var modemManager: RunningProgram?

    /// Starts everything but ModemManager.
    ///
    /// - Parameter user: The user whom the package's rule of polkit lets control modems.
    init(sim: SIM = .ready, user: String = "nobody") async throws {
        folder = try TemporaryFolder()
        // Other users connect to the bus.
        chmod(folder.path, 0o755)
        bus = try await PrivateBus(in: folder)
        let rules = try String(contentsOfFile: Project.folder + "/data/polkit/io.locationd.rules", encoding: .utf8)
        polkit = try await RealPolkit.start(
            on: bus, rules: rules.replacing("\"locationd\"", with: "\"\(user)\""))
        input = try ProgramPipe()
        let state = folder.path + "/modem"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        modem = try RunningProgram(
            "/usr/bin/python3", ["-c", Program.script("Servers/modem"), sim.rawValue],
            environment: ["LD_PRELOAD": "libumockdev-preload.so.0", "TMPDIR": state],
            input: input.readEnd.fileDescriptor)
        try await eventually("the modem: \(modem.errors)") { !modem.lines.isEmpty }
    }

    /// The commands that the modem has got, in their order.
    var commands: [String] { Array(modem.lines.dropFirst()) }

    /// The commands that have started its receiver, or stopped it.
    var switching: [String] { commands.filter { ["AT+QGPS=1", "AT+QGPSEND"].contains($0) } }

    /// Starts ModemManager, and waits until it has the modem in this state: `disabled`, `locked`, `failed`.
    func startModemManager(until state: String) async throws {
        let program = try RunningProgram(
            Self.manager, [],
            environment: [
                "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "LD_PRELOAD": "libumockdev-preload.so.0",
                "UMOCKDEV_DIR": modem.lines[0],
            ])
        modemManager = program
        try await eventually("a modem that is \(state): \(program.errors)") {
            try await self.modemControl("-m", "any").contains("state: \(state)")
        }
    }

    /// Starts ModemManager, and switches the modem on.
    func enable() async throws {
        try await startModemManager(until: "disabled")
        _ = try await modemControl("-m", "any", "--enable")
    }

    /// Ends ModemManager as a crash would.
    func killModemManager() async throws {
        modemManager?.signal(SIGKILL)
        _ = try await modemManager?.end()
    }

    /// Runs mmcli, and returns its output, without colours.
    func modemControl(_ arguments: String...) async throws -> String {
        let result = try await Program.run(launcher[0], launcher.dropFirst() + ["/usr/bin/mmcli"] + arguments)
        return result.output.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    }

    /// The lines of mmcli about the sources that are switched on, and whether the location is broadcast.
    func locationStatus() async throws -> (enabled: String, signals: String) {
        let lines = try await modemControl("-m", "any", "--location-status").split(separator: "\n")
        func value(_ key: String) -> String {
            lines.first { $0.contains("\(key): ") }?.split(separator: ": ").last.map(String.init) ?? ""
        }
        return (value("enabled"), value("signals"))
    }
}

extension ModemMachine {
    /// Starts a daemon whose user has granted itself the location.
    func daemon(reading receiver: String = "modem:") async throws -> TestDaemon {
        let daemon = try await TestDaemon(receivers: [receiver], launcher: launcher)
        try await daemon.grantSelf()
        return daemon
    }

    /// Waits until the modem has got these commands that start its receiver or stop it, and no others.
    func waitUntilSwitched(_ commands: [String]) async throws {
        try await eventually("\(commands): \(switching)") { switching == commands }
    }
}

extension VarlinkStream<Subscribe.Reply> {
    /// Waits until an update has a location.
    func location() async throws -> Location? {
        for try await reply in self {
            if let location = reply.update?.location { return location }
        }
        return nil
    }
}

extension TestDaemon {
    /// Waits until the first receiver is lost with a reason that contains this text.
    func waitForLoss(_ reason: String) async throws {
        var message = ""
        try await eventually("\(reason) instead of \(message)") {
            let summary = try await call(ListReceivers.self, .init()).receivers[0]
            message = summary.message ?? ""
            return summary.state == .lost && message.contains(reason)
        }
    }

    /// Returns the names and the specifications of the receivers.
    func receiverNames() async throws -> [String] {
        try await call(ListReceivers.self, .init()).receivers.map { "\($0.name) \($0.specification)" }
    }

    /// Waits until these are the names and the specifications of the receivers.
    func waitForReceivers(_ expected: [String]) async throws {
        var seen: [String] = []
        try await eventually("\(expected) instead of \(seen)") {
            seen = try await receiverNames()
            return seen == expected
        }
    }
}
