import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Text from other machines and devices, on its way to the log and to locationctl.
@Suite(.timeLimit(.minutes(15))) struct ForeignTextTests {
    /// Attack: a gpsd names its device with a lot of escape sequences, a window title, a bell and a forged line of
    /// the log.
    @Test func aHostileGPSDCannotControlTheTerminal() async throws {
        let port = try ReservedPort()
        let server = Program.script("Servers/hostile_gpsd")
        let gpsd = try RunningProgram("/usr/bin/python3", ["-c", server, "\(port.number)"])
        let daemon = try await TestDaemon(receivers: ["gpsd:127.0.0.1:\(port.number)"])
        try await daemon.grantSelf()
        let updates = try await daemon.subscribe()
        try await eventually("the loss in the log: \(daemon.log)\(gpsd.errors)") {
            daemon.log.contains("has lost the receiver at /dev/")
        }
        var shown = ""
        try await eventually("the loss in the list: \(shown)") {
            shown = try await daemon.ctl("receivers").output
            return shown.contains("has lost the receiver at /dev/")
        }
        let json = try await daemon.ctl("receivers", "--json").output
        let message = try await daemon.call(ListReceivers.self, .init()).receivers[0].message ?? ""
        for text in [daemon.log, shown, json, message] {
            #expect(
                text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }, "\(text)")
            #expect(!text.contains("\u{202E}"))
        }
        #expect(!daemon.log.split(separator: "\n").contains { $0.hasPrefix("2026-01-01 notice") })
        withExtendedLifetime(updates) {}
    }
}
