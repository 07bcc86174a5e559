import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The receiver in a modem, through the real ModemManager.
@Suite(.timeLimit(.minutes(15)), .enabled(if: ModemMachine.isPossible, ModemMachine.needs), .serialized)
struct ModemTests {
    @Test func itIsReadOnlyWhileAnAppAsks() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await machine.daemon(reading: "modem:867698040000017")
        #expect(machine.switching.isEmpty)
        do {
            let location = try #require(try await daemon.subscribe().location())
            #expect(location.latitude == 48.1173)
            // Not the IMEI, which would identify the machine to apps.
            #expect(location.receiver == "modem")
            #expect(location.accessory != true)
            #expect(machine.switching == ["AT+QGPS=1"])
            // A receiver that others switched on stays on.
            #expect(try await machine.locationStatus().enabled == "3gpp-lac-ci, gps-nmea")
        }
        try await eventually("the receiver to be switched off: \(machine.commands)") {
            machine.switching == ["AT+QGPS=1", "AT+QGPSEND"]
        }
        try await eventually("the source to be off") {
            try await machine.locationStatus().enabled == "3gpp-lac-ci"
        }
        // And once more.
        _ = try await daemon.subscribe().location()
        #expect(machine.switching.count >= 3)
    }

    @Test func whatSomebodyElseHasSwitchedOnStaysOn() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-nmea")
        let daemon = try await machine.daemon()
        _ = try await daemon.subscribe().location()
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
        let daemon = try await machine.daemon()
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
        let daemon = try await machine.daemon()
        do {
            let updates = try await daemon.subscribe()
            _ = try await updates.location()
            _ = try await machine.modemControl("-m", "any", "--location-disable-gps-nmea")
            try await machine.waitUntilSwitched(["AT+QGPS=1", "AT+QGPSEND", "AT+QGPS=1"])
            try await daemon.waitForLog("another program has had ModemManager switch the receiver in the modem off")
            _ = try await daemon.subscribe().location()
            withExtendedLifetime(updates) {}
        }
        try await machine.waitUntilSwitched(["AT+QGPS=1", "AT+QGPSEND", "AT+QGPS=1", "AT+QGPSEND"])
        // A receiver that another program switches on then stays on.
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-nmea")
        _ = try await daemon.subscribe().location()
        try await eventually("the receiver to be left alone") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        #expect(try await machine.locationStatus().enabled == "3gpp-lac-ci, gps-nmea")
    }

    @Test func itIsFoundAsADongleIs() async throws {
        let machine = try await ModemMachine()
        let daemon = try await TestDaemon(receivers: [], discover: true, launcher: machine.launcher)
        try await daemon.grantSelf()
        #expect(try await daemon.receiverNames().isEmpty)
        let found = ["modem modem:867698040000017"]
        try await machine.enable()
        try await daemon.waitForReceivers(found)
        #expect(machine.switching.isEmpty)
        do {
            let updates = try await daemon.subscribe()
            #expect(try await updates.location()?.receiver == "modem")
            // One that is read stays in the list while it is away.
            try await machine.killModemManager()
            try await daemon.waitForLoss("ModemManager")
            try await machine.enable()
            #expect(try await daemon.subscribe().location() != nil)
            withExtendedLifetime(updates) {}
        }
        try await eventually("the receiver to be closed") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        try await machine.killModemManager()
        try await daemon.waitForReceivers([])
        try await machine.enable()
        try await daemon.waitForReceivers(found)
        // One that is configured is not used twice.
        for source in ["modem:", "modem:867698040000017"] {
            let text = "discover = true\n[[receiver]]\nsource = \"\(source)\"\nname = \"mast\"\n"
            try text.write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
            daemon.program.signal(SIGHUP)
            try await daemon.waitForReceivers(["mast \(source)"])
        }
        try "discover = false\n".write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        try await daemon.waitForReceivers([])
        try daemon.expectNoThreadOfDispatchs()
    }

    /// The port of the receiver is another way to the same sentences, unless ModemManager leaves it to others.
    @Test func thePortOfAModemIsNotOpenedBesideIt() async throws {
        let machine = try await ModemMachine()
        let daemon = try await TestDaemon(receivers: [], discover: true, launcher: machine.deviceLauncher)
        let port = try #require(try await daemon.receiverNames().first)
        #expect(port.hasSuffix("serial:/dev/ttyUSB1"), "\(port)")
        try await machine.enable()
        let modem = ["modem modem:867698040000017"]
        try await daemon.waitForReceivers(modem)
        _ = try await machine.modemControl("-m", "any", "--location-enable-gps-unmanaged")
        try await daemon.waitForReceivers([port])
        _ = try await machine.modemControl("-m", "any", "--location-disable-gps-unmanaged")
        try await daemon.waitForReceivers(modem)
    }

    @Test(arguments: ["modem:", "modem:867698040000017"])
    func setupOffersItAndHasTheDaemonReadIt(port: String) async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await TestDaemon(receivers: [], launcher: machine.launcher)
        let command =
            machine.launcher + [
                Program.path("locationctl"), "setup", "--runtime-directory", daemon.runtime, "--config-directory",
                daemon.folder.path, "--port", port, "--yes",
            ]
        let result = try await Program.run(command[0], Array(command.dropFirst()))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("a receiver, which ModemManager starts"), "\(result.output)")
        #expect(result.output.contains("The receiver has a fix with 8 satellites"), "\(result.output)")
        #expect(try await daemon.call(ListReceivers.self, .init()).receivers.map(\.specification) == [port])
    }

    @Test func anotherModemIsNotRead() async throws {
        let machine = try await ModemMachine()
        try await machine.enable()
        let daemon = try await machine.daemon(reading: "modem:867698040000018")
        let updates = try await daemon.subscribe()
        try await daemon.waitForLoss("knows no modem 867698040000018")
        #expect(machine.switching.isEmpty)
        withExtendedLifetime(updates) {}
    }
}
