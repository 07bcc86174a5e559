import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// A Bluetooth receiver with Nordic's UART service, through a double of BlueZ, and programs on the bus that mean ill.
@Suite(.timeLimit(.minutes(15)), .enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
struct BluetoothTests {
    private static let receiver = "bluetooth:" + BlueZDouble.address
    private static let nordic = #"{"service": "nordic"}"#
    /// The rules of bluetoothd's own policy.
    private static let rules = [
        "<allow own=\"org.bluez\"/>", "<allow send_destination=\"org.bluez\"/>",
        "<allow send_interface=\"org.bluez.Profile1\"/>",
    ]

    private func start(on bus: PrivateBus, _ receivers: [String] = [receiver]) async throws -> TestDaemon {
        let daemon = try await TestDaemon(receivers: receivers, launcher: GeoClueFrontDaemon.launcher(on: bus))
        try await daemon.grantSelf()
        return daemon
    }

    /// Returns a bus that passes everything on, for every user.
    private func openBus() async throws -> PrivateBus {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        return try await PrivateBus(in: folder)
    }

    @Test func setupOffersItAndHasTheDaemonReadIt() async throws {
        let bus = try await PrivateBus.system(isForBlueZ: true, rules: Self.rules)
        let device = try await BlueZDouble(on: bus, Self.nordic)
        let daemon = try await TestDaemon(receivers: [], launcher: GeoClueFrontDaemon.launcher(on: bus))
        let command =
            GeoClueFrontDaemon.launcher(on: bus) + [
                Program.path("locationctl"), "setup", "--runtime-directory", daemon.runtime, "--config-directory",
                daemon.folder.path, "--port", Self.receiver.lowercased(), "--yes",
            ]
        let result = try await Program.run(command[0], Array(command.dropFirst()))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("a Bluetooth device, which may be a receiver"), "\(result.output)")
        #expect(result.output.contains("The receiver has a fix"), "\(result.output)")
        #expect(try await daemon.call(ListReceivers.self, .init()).receivers.map(\.specification) == [Self.receiver])
        withExtendedLifetime(device) {}
    }

    @Test func itIsConnectedOnlyWhileAnAppAsks() async throws {
        let bus = try await PrivateBus.system(isForBlueZ: true, rules: Self.rules)
        let device = try await BlueZDouble(on: bus, Self.nordic)
        let daemon = try await start(on: bus)
        #expect(device.events.isEmpty)
        do {
            let updates = try await daemon.subscribe()
            var location: Location?
            for try await reply in updates {
                location = reply.update?.location
                if location != nil { break }
            }
            #expect(location?.latitude == 48.1173)
            #expect(location?.receiver == "bluetooth")
            #expect(location?.accessory == true)
        }
        try await device.wait(for: "Disconnect")
        #expect(device.events.filter { $0 == "Connect" }.count == 1)
        let result = try await daemon.ctl("receivers")
        #expect(result.output.contains("bluetooth"), "\(result.output)")
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.end().status == 0, "\(daemon.log)")
    }

    /// Attack: a user without rights sends the daemon descriptors whose close waits for an hour, forged calls and
    /// signals of BlueZ, and messages of megabytes. The bus has no rule against it.
    @Test func whatOthersSendOnTheBusChangesNothing() async throws {
        let bus = try await openBus()
        let device = try await BlueZDouble(on: bus, Self.nordic)
        let daemon = try await start(on: bus, ["simulated", Self.receiver])
        let updates = try await daemon.subscribe()
        try await daemon.waitForFixes(of: "bluetooth")
        let before = try daemon.descriptors
        let peer = try HostileBusPeer(of: daemon, on: bus)
        // The daemon gets the last descriptors of sockets that linger.
        try await daemon.halt()
        #expect(try await peer.make("linger") != "linger 0")
        try await peer.make("release")
        daemon.program.signal(SIGCONT)
        for attack in ["signals", "strings"] {
            #expect(try await peer.make(attack) != "\(attack) 0", "\(peer.output)")
            try await daemon.waitForFixes(of: "simulated")
            try await daemon.waitForFixes(of: "bluetooth")
        }
        // To list them, the daemon has another connection.
        try await eventually("no more descriptors than \(before)") { try daemon.descriptors <= before + 1 }
        // It was never connected again.
        #expect(device.events == ["Connect", "AcquireNotify"])
        withExtendedLifetime(updates) {}
    }

    /// Attack: the close of a descriptor never ends. Libsystemd closes it on the receiver's own thread. The bus has no
    /// rule against it, and hangs itself.
    @Test func aThreadThatHangsStopsNothingElse() async throws {
        let bus = try await openBus()
        let device = try await BlueZDouble(on: bus, Self.nordic)
        let daemon = try await start(on: bus, ["simulated", Self.receiver])
        let updates = try await daemon.subscribe()
        try await daemon.waitForFixes(of: "bluetooth")
        let before = try daemon.descriptors
        let peer = try HostileBusPeer(of: daemon, on: bus)
        // The process that serves the file system, unless this user may not mount one.
        let server = try await peer.make("hang").split(separator: " ").last.flatMap { pid_t($0) }
        defer { if let server { kill(server, SIGKILL) } }
        if server != nil {
            try await eventually("the attack: \(peer.output)") {
                try await daemon.call(ListReceivers.self, .init()).receivers[1].state == .lost
            }
        }
        try await daemon.waitForFixes(10, of: "simulated")
        #expect(try daemon.descriptors <= before + 2)
        // Nothing ends a process that hangs so, root included.
        if let server { kill(server, SIGKILL) }
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.end().status == 0, "\(daemon.log)")
        withExtendedLifetime((updates, device)) {}
    }

    /// The rules of the package: the bus passes no descriptor on but BlueZ's.
    @Test func theBusPassesOnlyDescriptorsOfBlueZOn() async throws {
        let bus = try await PrivateBus.system(
            isForBlueZ: true, rules: Self.rules + ["<allow send_type=\"method_call\"/>"])
        let device = try await BlueZDouble(on: bus, Self.nordic)
        let daemon = try await start(on: bus)
        let updates = try await daemon.subscribe()
        try await daemon.waitForFixes(of: "bluetooth")
        let peer = try HostileBusPeer(of: daemon, on: bus)
        let answer = try await peer.make("offer")
        #expect(answer.contains("AccessDenied") && answer.contains("Rejected receive message"), "\(answer)")
        withExtendedLifetime((updates, device)) {}
    }
}
