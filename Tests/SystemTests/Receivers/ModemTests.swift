import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The receiver in a modem, through the real ModemManager.
@Suite(
    .timeLimit(.minutes(15)), .enabled(if: ModemMachine.isPossible, "needs root, polkitd and ModemManager"), .serialized
)
struct ModemTests {
    private func daemon(on machine: ModemMachine, _ receiver: String = "modem:") async throws -> TestDaemon {
        let daemon = try await TestDaemon(receivers: [receiver], launcher: machine.launcher)
        try await daemon.grantSelf()
        return daemon
    }

    /// Waits until an update has a location.
    private func location(in updates: VarlinkStream<Subscribe.Reply>) async throws -> Location? {
        for try await reply in updates {
            if let location = reply.update?.location { return location }
        }
        return nil
    }

    private func waitForLoss(_ daemon: TestDaemon, _ reason: String) async throws {
        var message = ""
        try await eventually("\(reason) instead of \(message)") {
            let summary = try await daemon.call(ListReceivers.self, .init()).receivers[0]
            message = summary.message ?? ""
            return summary.state == .lost && message.contains(reason)
        }
    }

    @Test func itIsReadOnlyWhileAnAppAsks() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await daemon(on: machine, "modem:867698040000017")
        #expect(machine.switching.isEmpty)
        do {
            let location = try #require(try await location(in: daemon.subscribe()))
            #expect(location.latitude == 48.1173)
            // Not the IMEI, by which apps could recognize the machine.
            #expect(location.receiver == "modem")
            #expect(location.accessory != true)
            #expect(machine.switching == ["AT+QGPS=1"])
            // What was switched on by others stays on.
            #expect(try await machine.locationStatus().enabled == "3gpp-lac-ci, gps-nmea")
        }
        try await eventually("the receiver to be switched off: \(machine.commands)") {
            machine.switching == ["AT+QGPS=1", "AT+QGPSEND"]
        }
        try await eventually("the source to be off") {
            try await machine.locationStatus().enabled == "3gpp-lac-ci"
        }
        // And once more.
        _ = try await location(in: daemon.subscribe())
        #expect(machine.switching.count >= 3)
    }

    @Test func whatSomebodyElseHasSwitchedOnStaysOn() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-nmea")
        let daemon = try await daemon(on: machine)
        _ = try await location(in: daemon.subscribe())
        try await eventually("the receiver to be left alone") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        #expect(try await machine.locationStatus().enabled == "3gpp-lac-ci, gps-nmea")
        #expect(machine.switching == ["AT+QGPS=1"])
    }

    /// The location of an epoch, and the sentences that mmcli shows of it.
    @Test func mmcliReadsTheSame() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await daemon(on: machine)
        let updates = try await daemon.subscribe()
        var iterator = updates.makeAsyncIterator()
        var same: (Location, GGA)?
        while same == nil, let update = try await iterator.next()?.update {
            guard let location = update.location else { continue }
            let text = try await machine.modemControl("-m", "any", "--location-get", "-K")
            let shown = text.split(separator: "\n").lazy.compactMap(GGA.init).first
            if let shown, "\(location.timestamp)".contains("T\(shown.time)") { same = (location, shown) }
        }
        let (location, shown) = try #require(same)
        #expect(abs(location.latitude - shown.latitude) < 1e-9)
        #expect(abs(location.longitude - shown.longitude) < 1e-9)
        #expect(location.altitude == shown.altitude)
        #expect(location.satellitesUsed == shown.satellites)
        // The receiver sends another place and another altitude in each second.
        #expect(shown.altitude == 500 + Double(shown.time.suffix(2))!)
    }

    /// A sentence GGA in a line of mmcli.
    private struct GGA {
        /// As in RFC 3339: `14:03:26`.
        let time: String
        let latitude: Double
        let longitude: Double
        let altitude: Double
        let satellites: Int

        init?(_ line: Substring) {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > 9, fields[0].hasSuffix("$GPGGA"), fields[1].count >= 6,
                let latitude = Double(fields[2].dropFirst(2)), let longitude = Double(fields[4].dropFirst(3)),
                let satellites = Int(fields[7]), let altitude = Double(fields[9])
            else { return nil }
            let digits = Array(fields[1])
            time = "\(digits[0])\(digits[1]):\(digits[2])\(digits[3]):\(digits[4])\(digits[5])"
            self.latitude = 48 + latitude / 60
            self.longitude = 11 + longitude / 60
            self.altitude = altitude
            self.satellites = satellites
        }
    }

    @Test func whatAnotherProgramSwitchesOffIsSwitchedOnAgainWhileAnAppAsks() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await daemon(on: machine)
        do {
            let updates = try await daemon.subscribe()
            _ = try await location(in: updates)
            _ = try await machine.modemControl("-m", "any", "--location-disable-gps-nmea")
            try await waitUntilSwitched(["AT+QGPS=1", "AT+QGPSEND", "AT+QGPS=1"], machine)
            try await daemon.waitForLog("another program has had ModemManager switch the receiver in the modem off")
            _ = try await location(in: daemon.subscribe())
            withExtendedLifetime(updates) {}
        }
        try await waitUntilSwitched(["AT+QGPS=1", "AT+QGPSEND", "AT+QGPS=1", "AT+QGPSEND"], machine)
        // What another program switches on then stays on.
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-nmea")
        _ = try await location(in: daemon.subscribe())
        try await eventually("the receiver to be left alone") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        #expect(try await machine.locationStatus().enabled == "3gpp-lac-ci, gps-nmea")
    }

    private func names(_ daemon: TestDaemon) async throws -> [String] {
        try await daemon.call(ListReceivers.self, .init()).receivers.map { "\($0.name) \($0.specification)" }
    }

    private func waitForReceivers(_ expected: [String], _ daemon: TestDaemon) async throws {
        var seen: [String] = []
        try await eventually("\(expected) instead of \(seen)") {
            seen = try await names(daemon)
            return seen == expected
        }
    }

    @Test func itIsFoundAsADongleIs() async throws {
        let machine = try await ModemMachine()
        let daemon = try await TestDaemon(receivers: [], discover: true, launcher: machine.launcher)
        try await daemon.grantSelf()
        #expect(try await names(daemon).isEmpty)
        let found = ["modem modem:867698040000017"]
        try await machine.enable()
        try await waitForReceivers(found, daemon)
        #expect(machine.switching.isEmpty)
        do {
            let updates = try await daemon.subscribe()
            #expect(try await location(in: updates)?.receiver == "modem")
            // One that is read stays in the list while it is away.
            try await machine.killModemManager()
            try await waitForLoss(daemon, "ModemManager")
            try await machine.enable()
            #expect(try await location(in: daemon.subscribe()) != nil)
            withExtendedLifetime(updates) {}
        }
        try await eventually("the receiver to be closed") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        try await machine.killModemManager()
        try await waitForReceivers([], daemon)
        try await machine.enable()
        try await waitForReceivers(found, daemon)
        // One that is configured is not used twice.
        for source in ["modem:", "modem:867698040000017"] {
            let text = "discover = true\n[[receiver]]\nsource = \"\(source)\"\nname = \"mast\"\n"
            try text.write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
            daemon.program.signal(SIGHUP)
            try await waitForReceivers(["mast \(source)"], daemon)
        }
        try "discover = false\n".write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        try await waitForReceivers([], daemon)
    }

    /// The port of the receiver is another way to the same sentences, unless ModemManager leaves it to others.
    @Test func thePortOfAModemIsNotOpenedBesideIt() async throws {
        let machine = try await ModemMachine()
        let daemon = try await TestDaemon(receivers: [], discover: true, launcher: machine.deviceLauncher)
        let port = try #require(try await names(daemon).first)
        #expect(port.hasSuffix("serial:/dev/ttyUSB1"), "\(port)")
        try await machine.enable()
        let modem = ["modem modem:867698040000017"]
        try await waitForReceivers(modem, daemon)
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-unmanaged")
        try await waitForReceivers([port], daemon)
        _ = try await machine.modemControl("-m", "any", "--location-disable-gps-unmanaged")
        try await waitForReceivers(modem, daemon)
    }

    /// Attack: a user without a grant listens on the system bus, where ModemManager broadcasts the location if anybody
    /// has asked for that.
    @Test func nothingOfALocationIsBroadcast() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let spy = try RunningProgram(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                "/usr/bin/stdbuf", "-oL", "/usr/bin/dbus-monitor", "--address", machine.bus.address, "type='signal'",
            ])
        // The control: the spy hears what is broadcast.
        for option in ["set-gps-refresh-rate=0", "enable-gps-nmea", "set-enable-signal"] {
            _ = try await machine.modemControl("-m", "any", "--location-\(option)")
        }
        try await eventually("the spy to hear a location: \(spy.errors)") { spy.output.contains("4807.038") }

        let daemon = try await daemon(on: machine)
        let updates = try await daemon.subscribe()
        var iterator = updates.makeAsyncIterator()
        var count = 0
        var heard = 0
        while count < 3, let update = try await iterator.next()?.update {
            guard update.location != nil else { continue }
            count += 1
            // Broadcasts that were on their way when the daemon had them stopped.
            if count == 1 {
                #expect(try await machine.locationStatus().signals == "no")
                heard = spy.output.count
            }
        }
        #expect(count == 3)
        #expect(!spy.output.dropFirst(heard).contains("4807.038"))
        #expect(!spy.hasEnded)
    }

    @Test func aModemManagerThatEndsIsLostAndReadAgainWhenItIsBack() async throws {
        let machine = try await ModemMachine()
        let daemon = try await daemon(on: machine)
        let updates = try await daemon.subscribe()
        try await waitForLoss(daemon, "ModemManager does not run")
        try await machine.enable()
        _ = try await location(in: updates)
        try await machine.killModemManager()
        try await waitForLoss(daemon, "ModemManager")
        try await machine.enable()
        let again = try await daemon.subscribe()
        _ = try await location(in: again)
        withExtendedLifetime(updates) {}
    }

    @Test(arguments: [
        (ModemMachine.SIM.none, "failed", "has no SIM"), (.locked, "locked", "is locked"),
        (.ready, "disabled", "is switched off"),
    ])
    func aModemThatCannotBeUsedIsLostWithTheReason(sim: ModemMachine.SIM, state: String, reason: String) async throws {
        let machine = try await ModemMachine(sim: sim)
        try await machine.startModemManager(until: state)
        let daemon = try await daemon(on: machine)
        let updates = try await daemon.subscribe()
        try await waitForLoss(daemon, reason)
        // The modem is never switched on: its network would learn where it is.
        #expect(!machine.commands.contains { $0.hasPrefix("AT+CFUN=1") || $0.hasPrefix("AT+QGPS=1") })
        withExtendedLifetime(updates) {}
    }

    @Test func onesWhosePortIsLeftToOthersIsLostWithTheReason() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-unmanaged")
        let daemon = try await daemon(on: machine)
        let updates = try await daemon.subscribe()
        try await waitForLoss(daemon, "was left to programs that open its port")
        withExtendedLifetime(updates) {}
    }

    @Test func oneThatIsTakenOutOfTheConfigurationIsSwitchedOff() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await TestDaemon(
            receivers: [], configuration: "[[receiver]]\nsource = \"modem:\"\n", launcher: machine.launcher)
        try await daemon.grantSelf()
        let updates = try await daemon.subscribe()
        _ = try await location(in: updates)
        try "discover = false\n".write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        try await eventually("the receiver to be switched off: \(machine.commands)") {
            machine.switching == ["AT+QGPS=1", "AT+QGPSEND"]
        }
        #expect(try await daemon.call(ListReceivers.self, .init()).receivers.isEmpty)
        withExtendedLifetime(updates) {}
    }

    /// The end of the daemon is one of the whole program, also while the bus is in use.
    @Test func theDaemonEndsInOrder() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await daemon(on: machine)
        let updates = try await daemon.subscribe()
        _ = try await location(in: updates)
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.end().status == 0, "\(daemon.log)")
        // Nobody needs the receiver any more.
        #expect(machine.switching == ["AT+QGPS=1", "AT+QGPSEND"])
        withExtendedLifetime(updates) {}
    }

    @Test func afterACrashItIsSwitchedOff() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await daemon(on: machine)
        _ = try await location(in: daemon.subscribe())
        try await daemon.kill()
        #expect(machine.switching == ["AT+QGPS=1"])
        try await daemon.start()
        try await waitUntilSwitched(["AT+QGPS=1", "AT+QGPSEND"], machine)
        // An app that asks at once waits for that.
        _ = try await location(in: daemon.subscribe())
        try await daemon.kill()
        try await daemon.start()
        _ = try await location(in: daemon.subscribe())
        try await waitUntilSwitched(Array(repeating: ["AT+QGPS=1", "AT+QGPSEND"], count: 3).flatMap(\.self), machine)
        // It has forgotten it: what somebody else switches on then stays on.
        try await daemon.kill()
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-nmea")
        try await daemon.start()
        _ = try await location(in: daemon.subscribe())
        try await eventually("the receiver to be left alone") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        #expect(try await machine.locationStatus().enabled == "3gpp-lac-ci, gps-nmea")
    }

    private func waitUntilSwitched(_ commands: [String], _ machine: ModemMachine) async throws {
        try await eventually("\(commands): \(machine.switching)") { machine.switching == commands }
    }

    @Test func setupOffersItAndHasTheDaemonReadIt() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await TestDaemon(receivers: [], launcher: machine.launcher)
        let command =
            machine.launcher + [
                Program.path("locationctl"), "setup", "--runtime-directory", daemon.runtime, "--config-directory",
                daemon.folder.path, "--port", "modem:", "--yes",
            ]
        let result = try await Program.run(command[0], Array(command.dropFirst()))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("a receiver, which ModemManager starts"), "\(result.output)")
        #expect(result.output.contains("The receiver has a fix with 8 satellites"), "\(result.output)")
        #expect(try await daemon.call(ListReceivers.self, .init()).receivers.map(\.specification) == ["modem:"])
    }

    @Test func anotherModemIsNotRead() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await daemon(on: machine, "modem:867698040000018")
        let updates = try await daemon.subscribe()
        try await waitForLoss(daemon, "knows no modem 867698040000018")
        #expect(machine.switching.isEmpty)
        withExtendedLifetime(updates) {}
    }

    @Test(arguments: [("nobody", true), ("locationd", false)])
    func theRuleOfPolkitIsForItsUserAlone(user: String, isAllowed: Bool) async throws {
        let machine = try await ModemMachine(user: user)
        try await machine.enable()
        let result = try await Program.run(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                "/usr/bin/busctl", "--address=\(machine.bus.address)", "call", "org.freedesktop.ModemManager1",
                "/org/freedesktop/ModemManager1/Modem/0", "org.freedesktop.ModemManager1.Modem.Location", "Setup", "ub",
                "5", "false",
            ])
        #expect((result.status == 0) == isAllowed, "\(result.errors)")
        #expect(machine.switching == (isAllowed ? ["AT+QGPS=1"] : []))
        if !isAllowed { #expect(result.errors.contains("PolicyKit authorization failed"), "\(result.errors)") }
    }

    /// Attack: a user without rights sends the daemon what looks as if it came from ModemManager or the bus: 20,000
    /// signals that modems have gone or were switched off, guessed replies with sentences of another place, that
    /// ModemManager has left, and messages of 8 MB. The bus has no rule against it.
    @Test func whatOthersSendOnTheBusChangesNothing() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await TestDaemon(receivers: [], discover: true, launcher: machine.launcher)
        try await daemon.grantSelf()
        let found = ["modem modem:867698040000017"]
        try await waitForReceivers(found, daemon)
        let peer = try HostileBusPeer(of: daemon, on: machine.bus)
        // Nobody needs the receiver: one that is taken for gone is not in the list any more.
        #expect(try await peer.make("modems") != "modems 0", "\(peer.output)")
        let updates = try await daemon.subscribe()
        try await daemon.waitForFixes(of: "modem")
        let (memory, descriptors) = (try daemon.memory, try daemon.descriptors)
        for attack in ["modems", "strings", "modems"] {
            #expect(try await peer.make(attack) != "\(attack) 0", "\(peer.output)")
            try await daemon.waitForFixes(of: "modem")
        }
        #expect(try daemon.descriptors <= descriptors + 1)
        try await eventually("no more memory than \(memory)") { try daemon.memory < memory + 2 << 20 }
        #expect(machine.switching == ["AT+QGPS=1"])
        #expect(try await names(daemon) == found)
        #expect(try await location(in: daemon.subscribe())?.latitude == 48.1173)
        withExtendedLifetime(updates) {}
    }

    /// ModemManager's own rules, and a machine that has none because it has no ModemManager.
    @Test(arguments: [true, false]) func nobodyElseIsModemManager(isInstalled: Bool) async throws {
        let folders = ["/usr/share/dbus-1/system.d", "/etc/dbus-1/system.d"]
        let file = folders.map { $0 + "/org.freedesktop.ModemManager1.conf" }.first { access($0, R_OK) == 0 }
        let rules = isInstalled ? ["<include>\(try #require(file))</include>"] : []
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let bus = try await PrivateBus(rules: [], elements: rules, in: folder)
        let daemon = try await TestDaemon(
            receivers: ["modem:"], launcher: GeoClueFrontDaemon.launcher(on: bus))
        try await daemon.grantSelf()
        let answer = try await HostileBusPeer(of: daemon, on: bus).make("own org.freedesktop.ModemManager1")
        #expect(answer.contains("AccessDenied") && answer.contains("not allowed to own"), "\(answer)")
        let updates = try await daemon.subscribe()
        try await waitForLoss(daemon, "ModemManager does not run")
        withExtendedLifetime(updates) {}
    }
}
