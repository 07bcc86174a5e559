import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The time that a receiver states, as chronyd gets it from the daemon.
@Suite(.timeLimit(.minutes(15)))
struct TimeForChronyTests {
    /// A daemon with a receiver on `wire` that is used only for the time: no app asks for a location.
    private func daemon(on wire: Wire, socket: String) async throws -> TestDaemon {
        try await TestDaemon(
            receivers: [],
            configuration: """
                [[receiver]]
                source = "serial:\(wire.path)@115200"
                delay = 1

                [time]
                chrony-socket = "\(socket)"

                """)
    }

    /// The receiver's time is 3 s ahead of the machine's. Its delay varies by 30 ms around the stated one. Without the
    /// delay, or with the sign of the offset reversed, chrony would be off by 1 s or by 6 s; how late the programs of a
    /// busy machine are is less. `make bench-chrony` measures the error.
    @Test(
        "chronyd selects the receiver and finds the offset, whichever of the two programs is started first",
        .enabled(if: Chronyd.isUsable, "chronyd 4 is not installed, or may not read files of this user (AppArmor)"))
    func chronydFindsTheOffset() async throws {
        let wire = try Wire()
        let chronyd = try Chronyd(options: "poll 0 filter 4 precision 0.03 delay 0.06")
        let daemon = try await daemon(on: wire, socket: chronyd.socket)
        let receiver = TimedReceiver(on: wire, ahead: 3, delays: 0.97...1.03)
        for round in 1...2 {
            try await eventually("the missing chronyd, round \(round): \(daemon.log)") {
                let time = try await daemon.call(GetStatistics.self, Nothing()).statistics.time
                return time?.failure?.contains("chronyd does not listen at \(chronyd.socket)") == true
            }
            try await chronyd.start()
            try await eventually("the offset 3: \(daemon.log)") {
                guard let tracking = try await chronyd.tracking() else { return false }
                return tracking.source == "GNSS" && abs(tracking.offset - 3) < 0.4
            }
            try await chronyd.stop()
        }
        withExtendedLifetime(receiver) {}
        try await eventually("two lines in the log: \(daemon.log)") {
            daemon.log.components(separatedBy: "time samples are sent").count >= 3
        }
    }

    @Test func samplesAreSentWhileNobodyAsksForALocation() async throws {
        let wire = try Wire()
        let folder = try TemporaryFolder()
        let chrony = try DatagramListener(folder.path + "/chrony.sock")
        let daemon = try await daemon(on: wire, socket: chrony.path)
        let receiver = TimedReceiver(on: wire, ahead: 0, delays: 1...1)
        var samples: [[UInt8]] = []
        // A socket that is read too seldom is full for a while, and the samples are dropped.
        try await eventually("10 samples, and none dropped now: \(daemon.log)") {
            samples += chrony.received()
            guard let time = try await daemon.call(GetStatistics.self, Nothing()).statistics.time else { return false }
            return samples.count >= 10 && time.samples >= 10 && time.failure == nil && time.socket == chrony.path
        }
        withExtendedLifetime(receiver) {}
        let magic: [UInt8] = [0x4b, 0x43, 0x4f, 0x53]
        #expect(samples.allSatisfy { $0.count == 40 && Array($0.suffix(4)) == magic })
    }

    /// A recording states its own time.
    @Test func aReplayIsNotPassedOn() async throws {
        let folder = try TemporaryFolder()
        let log = (0..<100).map { Sentences.epoch($0) }.joined()
        try log.write(toFile: folder.path + "/log.nmea", atomically: true, encoding: .utf8)
        let chrony = try DatagramListener(folder.path + "/chrony.sock")
        let daemon = try await TestDaemon(
            receivers: ["replay:\(folder.path)/log.nmea@100"],
            configuration: "[time]\nchrony-socket = \"\(chrony.path)\"\n")
        // It is played without a subscriber: the time requires that of every receiver.
        try await eventually("the end of the recording: \(daemon.log)") { daemon.log.contains("played to its end") }
        #expect(chrony.received().isEmpty)
    }
}
