import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Attacks on the receiver in a modem, through the real ModemManager.
@Suite(.timeLimit(.minutes(15)), .enabled(if: ModemMachine.isPossible, ModemMachine.needs), .serialized)
struct ModemAttackTests {
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
        // The control: the spy receives broadcasts.
        for option in ["set-gps-refresh-rate=0", "enable-gps-nmea", "set-enable-signal"] {
            _ = try await machine.modemControl("-m", "any", "--location-\(option)")
        }
        try await eventually("the spy to hear a location: \(spy.errors)") { spy.output.contains("4807.038") }

        let daemon = try await machine.daemon()
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
        try await daemon.waitForReceivers(found)
        let peer = try HostileBusPeer(of: daemon, on: machine.bus)
        // No app needs the receiver: a receiver that counts as gone is no longer in the list.
        #expect(try await peer.make("modems") != "modems 0", "\(peer.output)")
        let updates = try await daemon.subscribe()
        try await daemon.waitForFixes(of: "modem")
        let (memory, descriptors) = (try daemon.memory, try daemon.descriptors)
        for attack in ["modems", "strings 8", "modems"] {
            #expect(try await peer.make(attack) != "\(attack) 0", "\(peer.output)")
            try await daemon.waitForFixes(of: "modem")
        }
        #expect(try daemon.descriptors <= descriptors + 1)
        if !Sanitizer.isRunning {
            try await eventually("no more memory than \(memory)") { try daemon.memory < memory + 2 << 20 }
        }
        #expect(machine.switching == ["AT+QGPS=1"])
        #expect(try await daemon.receiverNames() == found)
        #expect(try await daemon.subscribe().location()?.latitude == 48.1173)
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
        try await daemon.waitForLoss("ModemManager does not run")
        withExtendedLifetime(updates) {}
    }
}
