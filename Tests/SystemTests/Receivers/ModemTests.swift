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
        withExtendedLifetime(updates) {}
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
}
