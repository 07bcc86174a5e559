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

    /// Returns a bus that forwards everything, for every user.
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

    @Test func severalAreReadAtOnceOverOneConnectionToTheBus() async throws {
        let bus = try await PrivateBus.system(isForBlueZ: true, rules: Self.rules)
        let device = try await BlueZDouble(on: bus, #"{"service": "nordic", "devices": 2, "battery": 12}"#)
        let other = "bluetooth:" + BlueZDouble.secondAddress
        let daemon = try await start(on: bus, [Self.receiver, other])
        let peer = try HostileBusPeer(of: daemon, on: bus)
        let before = try await peer.countConnections()
        let updates = try await daemon.subscribe()
        let names = try await daemon.call(ListReceivers.self, .init()).receivers.map(\.name)
        for name in names { try await daemon.waitForFixes(of: name) }
        #expect(try await peer.countConnections() == before + 1)
        let list = try await daemon.call(ListReceivers.self, .init()).receivers
        #expect(list.map(\.specification) == [Self.receiver, other])
        #expect(list.map(\.battery) == [12, 12])
        #expect(try await daemon.ctl("receivers").output.contains("battery 12 %"))
        // What ends the one does not end the other.
        try device.command("hang-up")
        try await eventually("the loss of one") {
            try await daemon.call(ListReceivers.self, .init()).receivers.map(\.losses) == [1, 0]
        }
        for name in names { try await daemon.waitForFixes(of: name) }
        #expect(try await daemon.call(ListReceivers.self, .init()).receivers.map(\.losses) == [1, 0])
        withExtendedLifetime(updates) {}
    }

    /// A daemon that reads a device over a bus without a rule against anything, and a hostile program on the bus.
    private struct Scene {
        let bus: PrivateBus
        let device: BlueZDouble
        let daemon: TestDaemon
        let updates: VarlinkStream<Subscribe.Reply>
        /// The number of descriptors that the daemon has.
        let descriptors: Int
        let peer: HostileBusPeer
    }

    private func makeScene() async throws -> Scene {
        let bus = try await openBus()
        let device = try await BlueZDouble(on: bus, Self.nordic)
        let daemon = try await start(on: bus, ["simulated", Self.receiver])
        let updates = try await daemon.subscribe()
        try await daemon.waitForFixes(of: "bluetooth")
        return Scene(
            bus: bus, device: device, daemon: daemon, updates: updates, descriptors: try daemon.descriptors,
            peer: try HostileBusPeer(of: daemon, on: bus))
    }

    /// Attack: a user without rights sends the daemon descriptors whose close waits for an hour, forged calls and
    /// signals of BlueZ, and messages of megabytes.
    @Test func whatOthersSendOnTheBusChangesNothing() async throws {
        let scene = try await makeScene()
        let (daemon, peer) = (scene.daemon, scene.peer)
        // The daemon gets the last descriptors of sockets that linger.
        try await daemon.halt()
        #expect(try await peer.make("linger") != "linger 0")
        try await peer.make("release")
        daemon.program.signal(SIGCONT)
        // Under the thread sanitizer, libsystemd's realloc copies the whole message with each part that comes, which for
        // 8 MiB takes a second of the processor.
        for attack in ["signals", "strings \(Sanitizer.isRunning ? 1 : 8)"] {
            #expect(try await peer.make(attack) != "\(attack) 0", "\(peer.output)")
            try await daemon.waitForFixes(of: "simulated")
            try await daemon.waitForFixes(of: "bluetooth")
        }
        // To list them, the daemon has another connection.
        try await eventually("no more descriptors than \(scene.descriptors)") {
            try daemon.descriptors <= scene.descriptors + 1
        }
        // It was never connected again.
        #expect(scene.device.events == ["Connect", "AcquireNotify"], "\(daemon.log)")
        withExtendedLifetime(scene) {}
    }

    /// Attack: the close of a descriptor never ends. Libsystemd closes it on the receiver's own thread. The bus hangs
    /// itself.
    @Test func aThreadThatHangsStopsNothingElse() async throws {
        let scene = try await makeScene()
        let (daemon, peer) = (scene.daemon, scene.peer)
        // The process that serves the file system, unless this user may not mount one.
        let server = try await peer.make("hang").split(separator: " ").last.flatMap { pid_t($0) }
        defer { if let server { kill(server, SIGKILL) } }
        if server != nil {
            try await eventually("the attack: \(peer.output)") {
                try await daemon.call(ListReceivers.self, .init()).receivers[1].state == .lost
            }
        }
        try await daemon.waitForFixes(10, of: "simulated")
        #expect(try daemon.descriptors <= scene.descriptors + 2)
        // Nothing ends a process that hangs so, root included.
        if let server { kill(server, SIGKILL) }
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.end().status == 0, "\(daemon.log)")
        withExtendedLifetime(scene) {}
    }

    /// The policies of Debian's bus, and those of its package bluez about names and calls: bluetooth.conf.
    private static func policies(isBlueZInstalled: Bool) throws -> [String] {
        let text = try String(contentsOfFile: "/usr/share/dbus-1/system.conf", encoding: .utf8)
        // Comments cannot be nested, and the template names the place of the elements in one.
        let rules = text.replacing(/<!--.*?-->/.dotMatchesNewlines(), with: "")
        let policies = rules.matches(of: /<policy.*?<\/policy>/.dotMatchesNewlines()).map { String($0.output) }
        let ours = [
            #"<policy user="root"><allow own="org.bluez"/><allow send_destination="org.bluez"/></policy>"#,
            #"<policy context="default"><allow send_destination="org.bluez"/></policy>"#,
        ]
        return policies + (isBlueZInstalled ? ours : [])
    }

    /// Attack: another user's program takes the name of BlueZ, which does not run yet, has ended or is not installed.
    /// Its messages would count as BlueZ's.
    @Test(
        .enabled(
            if: Attack.isRoot && access("/usr/share/dbus-1/system.conf", R_OK) == 0, "needs root and Debian's dbus"),
        arguments: [false, true])
    func nobodyElseGetsTheNameOfBlueZ(isInstalled: Bool) async throws {
        let bus = try await PrivateBus.system(
            isForBlueZ: true, elements: try Self.policies(isBlueZInstalled: isInstalled))
        let daemon = try await start(on: bus)
        let updates = try await daemon.subscribe()
        let peer = try HostileBusPeer(of: daemon, on: bus)
        func attack() async throws {
            let answer = try await peer.make("own org.bluez")
            #expect(answer.contains("is not allowed to own the service \"org.bluez\""), "\(answer)")
        }
        try await attack()
        if isInstalled {
            let device = try await BlueZDouble(on: bus, Self.nordic)
            try await daemon.waitForFixes(of: "bluetooth")
            try await attack()
            try await device.kill()
        }
        try await eventually("the loss") {
            let receiver = try await daemon.call(ListReceivers.self, .init()).receivers[0]
            return receiver.message?.contains("BlueZ does not run") == true
        }
        try await attack()
        withExtendedLifetime(updates) {}
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
