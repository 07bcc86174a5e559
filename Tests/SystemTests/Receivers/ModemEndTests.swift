import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The end of the receiver in a modem, of its services, and of the daemon.
@Suite(.timeLimit(.minutes(15)), .enabled(if: ModemMachine.isPossible, ModemMachine.needs), .serialized)
struct ModemEndTests {
    @Test func aModemManagerThatEndsIsLostAndReadAgainWhenItIsBack() async throws {
        let machine = try await ModemMachine()
        let daemon = try await machine.daemon()
        let updates = try await daemon.subscribe()
        try await daemon.waitForLoss("ModemManager does not run")
        try await machine.enable()
        _ = try await updates.location()
        try await machine.killModemManager()
        try await daemon.waitForLoss("ModemManager")
        try await machine.enable()
        let again = try await daemon.subscribe()
        _ = try await again.location()
        withExtendedLifetime(updates) {}
    }

    @Test(arguments: [
        (ModemMachine.SIM.none, "failed", "has no SIM"), (.locked, "locked", "is locked"),
        (.ready, "disabled", "is switched off"),
    ])
    func aModemThatCannotBeUsedIsLostWithTheReason(sim: ModemMachine.SIM, state: String, reason: String) async throws {
        let machine = try await ModemMachine(sim: sim)
        try await machine.startModemManager(until: state)
        let daemon = try await machine.daemon()
        let updates = try await daemon.subscribe()
        try await daemon.waitForLoss(reason)
        // The modem is never switched on: its network would learn where it is.
        #expect(!machine.commands.contains { $0.hasPrefix("AT+CFUN=1") || $0.hasPrefix("AT+QGPS=1") })
        withExtendedLifetime(updates) {}
    }

    @Test func onesWhosePortIsLeftToOthersIsLostWithTheReason() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-unmanaged")
        let daemon = try await machine.daemon()
        let updates = try await daemon.subscribe()
        try await daemon.waitForLoss("was left to programs that open its port")
        withExtendedLifetime(updates) {}
    }

    @Test func oneThatIsTakenOutOfTheConfigurationIsSwitchedOff() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await TestDaemon(
            receivers: [], configuration: "[[receiver]]\nsource = \"modem:\"\n", launcher: machine.launcher)
        try await daemon.grantSelf()
        let updates = try await daemon.subscribe()
        _ = try await updates.location()
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
        let daemon = try await machine.daemon()
        let updates = try await daemon.subscribe()
        _ = try await updates.location()
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.end().status == 0, "\(daemon.log)")
        // No app needs the receiver now.
        #expect(machine.switching == ["AT+QGPS=1", "AT+QGPSEND"])
        withExtendedLifetime(updates) {}
    }

    @Test func afterACrashItIsSwitchedOff() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await machine.daemon()
        _ = try await daemon.subscribe().location()
        try await daemon.kill()
        #expect(machine.switching == ["AT+QGPS=1"])
        try await daemon.start()
        try await machine.waitUntilSwitched(["AT+QGPS=1", "AT+QGPSEND"])
        // An app that asks at once waits for that.
        _ = try await daemon.subscribe().location()
        try await daemon.kill()
        try await daemon.start()
        _ = try await daemon.subscribe().location()
        try await machine.waitUntilSwitched(Array(repeating: ["AT+QGPS=1", "AT+QGPSEND"], count: 3).flatMap(\.self))
        // Once the modem has answered, it forgets it: a receiver that another program switches on then stays on.
        try await eventually("the modem to be forgotten") {
            let rows = try await Program.run(
                "/usr/bin/python3",
                ["-c", Program.script("Database/row_count"), daemon.state + "/locationd.db", "modem"])
            #expect(rows.status == 0, "\(rows.errors)")
            return rows.output == "0\n"
        }
        try await daemon.kill()
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-nmea")
        try await daemon.start()
        _ = try await daemon.subscribe().location()
        try await eventually("the receiver to be left alone") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        #expect(try await machine.locationStatus().enabled == "3gpp-lac-ci, gps-nmea")
    }
}
