import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Jamming and spoofing, from the receiver's frames to all affected outputs, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct IntegrityTests {
    /// Returns a u-blox receiver's report of false signals and interference.
    private static let report = {
        var security = Payload(12)
        security.set(0, UInt8(1))
        security.set(4, UInt8(1 | 2 << 1))
        security.set(8, UInt8(1 | 3 << 1))
        var hardware = Payload(60)
        hardware.set(45, UInt8(90))
        return ubx(0x27_09, security.bytes) + ubx(0x0A_09, hardware.bytes)
    }()

    @Test func everybodyLearnsOfItButAppsWithReducedAccuracy() async throws {
        let front = try await GPSDFrontDaemon()
        let daemon = front.daemon
        try await front.grantSelf()
        let client = try await front.watching()
        front.wire.write(Self.report)
        try await front.passEpochs(until: "a suspect location") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].doubts?.reasons == [.spoofing, .jamming]
        }
        // gpsd's clients.
        try await front.passEpochs(until: "the jamming indicator in TPV") {
            try await client.report("TPV").fields["jam"] as? Int == 90
        }
        // Apps.
        try await daemon.grantCtl()
        let watch = try daemon.startCtl("watch", "--json", "-n", "1")
        try await front.passEpochs(until: "the end of watch") { watch.hasEnded }
        #expect(
            watch.output.contains(#""integrity":{"suspect":["spoofing","jamming"]}"#),
            "\(watch.output)")
        // The user.
        let receiver = try #require(try await daemon.call(ListReceivers.self, .init()).receivers.first)
        #expect(receiver.spoofing == .affirmed)
        #expect(receiver.jamming == JammingReport(level: .warning, indicator: 90))
        let uses = try await daemon.list(GetIndicator.self, UserScope(uid: Int(getuid()))).apps
        #expect(uses.first { $0.active }?.doubts?.reasons == [.spoofing, .jamming])
        let words = "its location is suspect: the receiver reports false signals"
        let doctor = try await daemon.ctl("doctor").output
        #expect(doctor.split { $0.isWhitespace }.joined(separator: " ").contains(words), "\(doctor)")
        let entries = daemon.log.split(separator: "\n").filter { $0.contains(words) }
        #expect(entries.count == 1, "\(daemon.log)")
        // Attack: an app with reduced accuracy, which learns the cell alone, compares the times at which a jammer that
        // is fixed to a place is heard.
        try await front.grantSelf(.reduced)
        let location = try #require(
            try await front.passInRhythm { () -> Location? in
                for try await reply in try await daemon.subscribe() {
                    if let location = reply.update?.location { return location }
                }
                return nil
            })
        #expect((location.horizontalAccuracy ?? 0) > 1000 && location.doubts == nil)
    }

    /// The guarantees of a receiver, from its frames and sentences to the list of receivers.
    @Test func theGuaranteesOfAReceiverAreShown() async throws {
        let front = try await GPSDFrontDaemon()
        let daemon = front.daemon
        try await front.grantSelf()
        _ = try await front.watching()
        var (level, osnma, fusion) = (Payload(52), Payload(24), Payload(16))
        for (offset, byte) in [(0, 1), (1, 5), (2, 0xFD), (3, 1), (4, 1)] { level.set(offset, UInt8(byte)) }
        for (offset, length) in [(16, 3000), (20, 4000), (24, 7500)] { level.set(offset, UInt32(length)) }
        for (offset, byte) in [(0, 2), (2, 1), (16, 1), (21, 0x80)] { osnma.set(offset, UInt8(byte)) }
        for (offset, byte) in [(4, 2), (12, 2)] { fusion.set(offset, UInt8(byte)) }
        front.wire.write(ubx(0x01_62, level.bytes) + ubx(0x27_0A, osnma.bytes) + ubx(0x10_10, fusion.bytes))
        front.wire.write(Array("$PAIRSPF,2*51\r\n".utf8))
        try await front.passEpochs(until: "the guarantees") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].deadReckoning == .suspended
        }
        let receiver = try #require(try await daemon.call(ListReceivers.self, .init()).receivers.first)
        #expect(receiver.protectionLevel == ProtectionLevelReport(horizontal: 5, vertical: 7.5, risk: 0.000_05))
        #expect(receiver.authentication == AuthenticationReport(satellites: 1))
        #expect(receiver.jamming == JammingReport(level: .warning, indicator: nil))
        let words = """
            guarantees 5.0 m, 7.5 m in height, risk 0.005 %; authentic: 1 satellite (OSNMA); \
            dead reckoning: its sensors are suspended
            """
        #expect(try await daemon.ctl("receivers").output.contains(words))
        let json = try await daemon.ctl("receivers", "--json").output
        #expect(json.filter { !$0.isWhitespace }.contains(#""deadReckoning":"suspended""#), "\(json)")
    }
}
