import Devices
import Foundation
import LocationModel
import NIOCore
import NIOEmbedded
import NMEA
import TestSupport
import Testing

@testable import Receivers

/// Ports and recordings without dates.
@Suite struct UndatedSourceTests {
    private func sentence(_ body: String) -> String { SentenceFixture.sentence(body) }

    /// The RTK rover of gga-only-rtk.nmea at a second after noon.
    private func rover(_ second: Int) -> String {
        sentence("GPGGA,12000\(second).00,4807.038,N,01131.0,E,4,12,0.6,545.412,M,46.900,M,1.0,0161")
            + sentence("GPVTG,084.4,T,,M,000.4,N,000.7,K")
    }

    /// Sends four epochs of the rover. Silence ends an epoch until its end is learned.
    private func sendRover(over wire: Wire, to probe: ReceiverProbe) async throws {
        try await probe.waitUntilOpen()
        for second in 0..<4 {
            try await wire.send(Array(rover(second).utf8))
            try await eventually("the epoch") {
                try await probe.with { $0.status.statistics.nmea?.epochs } == UInt64(second + 1)
            }
        }
    }

    @Test func aRoverGivesALocationEachSecond() async throws {
        let wire = try Wire()
        let noon = Timestamp("2026-11-25T12:00:03Z")!
        try await withReceiver(.serial(path: wire.path, baudRate: 9600), clock: { noon }) { probe in
            try await sendRover(over: wire, to: probe)
            let fixes = probe.fixes
            #expect(
                fixes.map(\.location.timestamp.description) == (1..<4).map { "2026-11-25T12:00:0\($0).000Z" })
            #expect(fixes.allSatisfy { $0.dating == .nearestDay && $0.location.quality == .rtkFixed })
            #expect(try await probe.with { $0.status.diagnosis.condition } == .undated)
            #expect(
                probe.events.contains {
                    if case .condition(let diagnosis) = $0 { diagnosis.condition == .undated } else { false }
                })
        }
    }

    @Test func withoutAClockItSaysSo() async throws {
        let wire = try Wire()
        let start = Timestamp(millisecondsSince1970: 60_000)
        try await withReceiver(.serial(path: wire.path, baudRate: 9600), clock: { start }) { probe in
            try await sendRover(over: wire, to: probe)
            #expect(probe.fixes.isEmpty)
            #expect(try await probe.with { $0.status.diagnosis.condition } == .noDate)
        }
    }

    @Test func aReceiverWithoutSatellitesSaysSo() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            try await probe.waitUntilOpen()
            var second = 0
            func void() -> String {
                second += 1
                let (minutes, seconds) = (10 + second / 50 % 50, 10 + second % 50)
                return sentence("GPRMC,12\(minutes)\(seconds).00,V,,,,,,,,,,N")
            }
            try await eventually("the condition") {
                wire.offer(void())
                return try await probe.with { $0.status.diagnosis.condition } == .noSatellites
            }
            #expect(try await probe.with { $0.status.diagnosis.satellitesInView } == 0)
            try await eventually("two satellites") {
                wire.offer(void() + sentence("GPGSV,1,1,02,08,13,062,,05,53,228,"))
                return try await probe.with { $0.status.diagnosis.satellitesInView } == 2
            }
            #expect(try await probe.with { $0.status.diagnosis.condition } == .noFix)
        }
    }

    @Test func aDatumIsNamed() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            try await probe.waitUntilOpen()
            let epoch =
                sentence("GPDTM,EUR,M,,,,,,W84") + sentence("GPRMC,120000,A,4807.038,N,01131.0,E,0.0,,230326,,,A")
            try await wire.send(Array(epoch.utf8))
            _ = try await probe.waitForFix()
            #expect(try await probe.with { $0.status.diagnosis.datum } == "ED 50")
            #expect(
                probe.events.contains {
                    if case .condition(let diagnosis) = $0 { diagnosis.datum == "ED 50" } else { false }
                })
        }
    }

    /// A recording of the rover, and one of a plotter without a clock.
    @Test(arguments: [true, false]) func aRecordingWithoutADateIsPlayed(hasTimes: Bool) throws {
        let directory = try TemporaryFolder()
        let log = (0..<5).map { hasTimes ? rover($0) : sentence("GPGLL,480\($0).038,N,01131.0,E,,A,A") }.joined()
        let player = ReplayPlayer(try directory.log(Array(log.utf8)))
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(60))
        #expect(player.fixes.map { $0.seconds.rounded() } == [0, 1, 2, 3, 4])
        #expect(player.fixes.allSatisfy { $0.fix.dating == (hasTimes ? .nearestDay : .arrival) })
    }

    @Test func aRecordingInUTF16IsPlayed() throws {
        let directory = try TemporaryFolder()
        var bytes: [UInt8] = [0xFF, 0xFE]
        let journey = Journey(count: 20)
        for unit in String(decoding: journey.bytes, as: UTF8.self).utf16 {
            bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        let path = directory.path + "/utf16.nmea"
        try Data(bytes).write(to: URL(filePath: path))
        let player = ReplayPlayer(path)
        player.receiver.start()
        player.loop.advanceTime(by: .milliseconds(5500))
        // It continues at its place after it was closed.
        player.pause(seconds: 4)
        player.loop.advanceTime(by: .seconds(60))
        let seconds = player.fixes.map { $0.seconds.rounded() }
        #expect(seconds == [0, 1, 2, 3, 4, 5] + (10..<20).map(Double.init))
    }

    @Test func aRecordingOfAnotherFormatIsNamed() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.write("<gpx></gpx>\n", to: "walk.gpx"))
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(1))
        guard case .lost(let failure) = player.receiver.state else {
            Issue.record("\(player.receiver.state)")
            return
        }
        #expect(failure.reason == .unusable && failure.message.contains("a GPX file"))
    }
}
