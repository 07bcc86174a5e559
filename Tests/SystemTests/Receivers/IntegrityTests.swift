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
}
