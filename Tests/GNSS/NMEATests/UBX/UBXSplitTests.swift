import TestSupport
import Testing

@testable import NMEA

/// The solution of u-blox 5 to 7 in several frames.
@Suite struct UBXSplitTests {
    /// Monday 2026-03-23T12:00:00Z: milliseconds of GPS week 2411, with 18 leap seconds.
    private static let timeOfWeek: UInt32 = 129_618_000
    private static let week: Int16 = 2411
    /// 2026-03-23T12:00:00Z.
    private static let start: Int64 = 1_774_267_200_000

    private func payload(_ length: Int, _ second: UInt32, _ set: (inout Payload) -> Void) -> [UInt8] {
        var payload = Payload(length)
        payload.set(0, Self.timeOfWeek + second * 1000)
        set(&payload)
        return payload.bytes
    }

    private func position(_ second: UInt32, accuracy: UInt32 = 2100) -> [UInt8] {
        ubx(
            0x01_02,
            payload(28, second) {
                $0.set(4, Int32(115_166_670))
                $0.set(8, Int32(481_173_000))
                $0.set(12, Int32(592_300))
                $0.set(16, Int32(545_400))
                $0.set(20, accuracy)
                $0.set(24, UInt32(3400))
            })
    }

    private func solution(_ second: UInt32, fixType: UInt8 = 3, flags: UInt8 = 0x0D, satellites: UInt8 = 8) -> [UInt8] {
        ubx(
            0x01_06,
            payload(52, second) {
                $0.set(8, Self.week)
                $0.set(10, fixType)
                $0.set(11, flags)
                $0.set(44, UInt16(150))
                $0.set(47, satellites)
            })
    }

    private func status(_ second: UInt32, fixType: UInt8 = 3, flags: UInt8 = 1) -> [UInt8] {
        ubx(
            0x01_03,
            payload(16, second) {
                $0.set(4, fixType)
                $0.set(5, flags)
            })
    }

    private func velocity(_ second: UInt32) -> [UInt8] {
        ubx(
            0x01_12,
            payload(36, second) {
                $0.set(20, UInt32(201))
                $0.set(24, Int32(8_429_000))
                $0.set(28, UInt32(50))
                $0.set(32, UInt32(500_000))
            })
    }

    private func utc(_ second: UInt32, validity: UInt8 = 7, behind: UInt8 = 0) -> [UInt8] {
        ubx(
            0x01_21,
            payload(20, second) {
                $0.set(12, UInt16(2026))
                $0.set(14, UInt8(3))
                $0.set(15, UInt8(23))
                $0.set(16, UInt8(12))
                $0.set(18, UInt8(second) + behind)
                $0.set(19, validity)
            })
    }

    private func gpsTime(_ second: UInt32, leapSeconds: Int8 = 18, validity: UInt8 = 7) -> [UInt8] {
        ubx(
            0x01_20,
            payload(16, second) {
                $0.set(8, Self.week)
                $0.set(10, leapSeconds)
                $0.set(11, validity)
            })
    }

    private func dilutions(_ second: UInt32) -> [UInt8] {
        ubx(
            0x01_04,
            payload(18, second) {
                $0.set(6, UInt16(155))
                $0.set(10, UInt16(120))
                $0.set(12, UInt16(90))
            })
    }

    private func log(_ seconds: Range<UInt32> = 0..<4, _ frames: (UInt32) -> [[UInt8]]) -> Decoded {
        decode(seconds.flatMap { frames($0).flatMap { $0 } })
    }

    private func expectFixes(_ decoded: Decoded, count: Int64 = 4) {
        #expect(decoded.epochs.map(\.millisecondsSince1970) == (0..<count).map { Self.start + $0 * 1000 })
        for epoch in decoded.epochs {
            #expect(abs(epoch.latitude - 48.1173) < 1e-9 && abs(epoch.longitude - 11.516667) < 1e-9)
            #expect(epoch.altitude == 545.4 && epoch.ellipsoidalAltitude == 592.3)
            #expect(epoch.horizontalAccuracy == 2.1)
        }
        #expect(decoded.counts.unreadFrames == 0)
    }

    /// ubx6-posllh-sol-velned-timeutc.ubx
    @Test func aLogOfUBlox6() {
        let decoded = log { [position($0), solution($0), velocity($0), utc($0)] }
        expectFixes(decoded)
        for epoch in decoded.epochs {
            #expect(epoch.speed == 2.01 && epoch.course == 84.29)
            #expect(epoch.speedAccuracy == 0.5 && epoch.courseAccuracy == 5)
            #expect(epoch.verticalAccuracy == 3.4 && epoch.satellitesUsed == 8)
            #expect(epoch.quality == .autonomous && epoch.dimension == .three && epoch.isDateSent)
        }
    }

    /// gpsd sets the receiver to these.
    @Test func theFramesThatGPSDAsksFor() {
        let decoded = log { [solution($0), position($0), dilutions($0), gpsTime($0), velocity($0)] }
        expectFixes(decoded)
        for epoch in decoded.epochs { #expect(epoch.hdop == 0.9 && epoch.vdop == 1.2 && epoch.isDateSent) }
    }

    @Test func theOrderMakesNoDifference() {
        expectFixes(log { [utc($0), velocity($0), status($0, flags: 1), position($0)] })
        expectFixes(log { [velocity($0), gpsTime($0), position($0), status($0)] })
        expectFixes(log { [dilutions($0), position($0), gpsTime($0), solution($0)] })
    }

    /// An epoch is complete with its last frame, once that is known.
    @Test func theLastFrameEndsTheEpoch() {
        var decoder = NMEADecoder()
        var counts: [Int] = []
        for second in UInt32(0)..<6 {
            counts.append(
                decoder.events(in: position(second) + solution(second) + velocity(second) + utc(second)).count)
        }
        #expect(counts == [0, 1, 1, 2, 1, 1])
    }

    /// A frame that was not there before comes after the presumed end, and becomes the end.
    @Test func aFrameMoreMovesTheEnd() {
        var decoder = NMEADecoder()
        var epochs: [Epoch] = []
        for second in UInt32(0)..<16 {
            let frames = position(second) + solution(second) + (second > 7 ? utc(second) : [])
            epochs += Decoded(events: decoder.events(in: frames) + decoder.flushed()).epochs
        }
        #expect(epochs.count == 16)
        #expect(epochs.map(\.isDateSent) == (0..<16).map { $0 > 8 })
        #expect(decoder.counts.lateSentences == 1)
    }

    @Test(arguments: [(0, 0x0D), (3, 0x0C), (6, 0x0D)] as [(UInt8, UInt8)])
    func noFix(_ fixType: UInt8, _ flags: UInt8) {
        for frames in [
            log { [position($0), solution($0, fixType: fixType, flags: flags), utc($0)] },
            log { [status($0, fixType: fixType, flags: flags), position($0), utc($0)] },
        ] {
            #expect(frames.epochs.isEmpty)
            #expect(frames.counts.sentencesWithoutFix == 4 && frames.counts.epochsWithoutFix == 4)
        }
    }

    @Test(
        arguments: [
            (1, 1, .estimated, nil), (2, 1, .autonomous, .two), (3, 3, .differential, .three), (5, 1, .manual, .three),
        ] as [(UInt8, UInt8, FixQuality, FixDimension?)])
    func qualities(_ fixType: UInt8, _ flags: UInt8, _ quality: FixQuality, _ dimension: FixDimension?) {
        let epoch = log(0..<1) { [position($0), status($0, fixType: fixType, flags: flags)] }.epochs.first
        #expect(epoch?.quality == quality && epoch?.dimension == dimension)
    }

    /// Some programs enable only NAV-POSLLH in their receiver. Without a fix, its accuracy is absurd.
    @Test func aPositionOfWhichNoFrameSaysWhetherItIsAFix() {
        let decoded = log { [position($0)] }
        #expect(decoded.times == (0..<4).map { time(12, 0, $0) })
        #expect(decoded.epochs.allSatisfy { $0.horizontalAccuracy == 2.1 && $0.quality == .unknown })
        #expect(log { [position($0, accuracy: 4_000_000)] }.epochs.isEmpty)
        #expect(log { [position($0, accuracy: .max)] }.epochs.isEmpty)
    }

    /// Before the receiver knows the leap seconds, its date counts as not sent: it must not set a clock.
    @Test func aDateWithoutLeapSecondsIsNotSent() {
        #expect(
            log { [position($0), solution($0), utc($0, validity: 3)] }.epochs.map(\.isDateSent) == [
                false, false, false, false,
            ])
        #expect(log { [position($0), solution($0), gpsTime($0, validity: 3)] }.epochs.allSatisfy { !$0.isDateSent })
        #expect(
            log { [position($0), solution($0)] }.epochs.allSatisfy { !$0.isDateSent && $0.millisecondsSince1970 != nil }
        )
        let pvt = NavigationPosition()
        #expect(decode(pvt.frame).epochs.map(\.isDateSent) == [true])
        let unresolved = decode(pvt.with(\.validity, 3).frame).epochs
        #expect(
            unresolved.map(\.isDateSent) == [false] && unresolved.map(\.millisecondsSince1970) == [1_718_452_800_000])
    }

    /// Before 2017 there were fewer leap seconds, as there will be more one day: the receiver knows.
    @Test func theLeapSecondsAreTheReceivers() {
        for frames in [
            log { [position($0), solution($0), utc($0, behind: 2)] },
            log { [position($0), solution($0), gpsTime($0, leapSeconds: 16)] },
            log { [utc($0, behind: 2), solution($0), position($0)] },
        ] {
            #expect(frames.epochs.map(\.millisecondsSince1970) == (0..<4).map { Self.start + 2000 + $0 * 1000 })
            #expect(frames.counts.backwardTimes == 0 && frames.counts.staleTimes == 0)
        }
    }

    @Test func framesAndSentencesOfOneEpochAreOneFix() {
        let decoded = log { second in
            [
                Array(sentence("GPRMC,12000\(second).00,A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,A").utf8),
                position(second), solution(second), velocity(second),
                Array(sentence("GPGGA,12000\(second).00,4807.0380,N,01131.0000,E,1,08,0.9,545.0,M,46.9,M,,").utf8),
            ]
        }
        expectFixes(decoded)
        #expect(decoded.epochs.allSatisfy { $0.hdop == 0.9 && $0.speed == 2.01 })
    }

    /// The firmware of an M8P sets the highest bit.
    @Test func moreSatellitesThanThereAreAreNone() {
        #expect(log { [position($0), solution($0, satellites: 136)] }.epochs.allSatisfy { $0.satellitesUsed == nil })
        let pvt = NavigationPosition().with(\.satellites, 136)
        #expect(decode(pvt.frame).epochs.map(\.satellitesUsed) == [nil])
    }

    @Test func impossibleTimesAndPlaces() {
        var payload = Payload(28)
        payload.set(0, UInt32(604_800_000))
        #expect(decode(ubx(0x01_02, payload.bytes)).counts.malformed == 1)
        payload.set(0, UInt32(0))
        payload.set(8, Int32(900_000_001))
        var status = Payload(16)
        status.set(4, UInt8(3))
        status.set(5, UInt8(1))
        let decoded = decode(ubx(0x01_02, payload.bytes) + ubx(0x01_03, status.bytes))
        #expect(decoded.epochs.isEmpty && decoded.counts.outOfRange == 1)
    }

    @Test func satellitesOfAllChannels() {
        var payload = Payload(8 + 4 * 12)
        payload.set(4, UInt8(4))
        for (index, satellite) in [UInt8(5), 120, 67, 255].enumerated() {
            payload.set(8 + 12 * index + 1, satellite)
            payload.set(8 + 12 * index + 2, UInt8(index == 0 ? 1 : 0))
            payload.set(8 + 12 * index + 4, UInt8(38))
            payload.set(8 + 12 * index + 5, UInt8(53))
            payload.set(8 + 12 * index + 6, Int16(228))
        }
        let decoded = decode(ubx(0x01_30, payload.bytes) + position(0) + solution(0))
        #expect(
            decoded.satellites == [
                SatelliteInView(
                    constellation: .gps, number: 5, elevation: 53, azimuth: 228, signalStrength: 38, used: true),
                SatelliteInView(
                    constellation: .sbas, number: 120, elevation: 53, azimuth: 228, signalStrength: 38, used: false),
                SatelliteInView(
                    constellation: .glonass, number: 3, elevation: 53, azimuth: 228, signalStrength: 38, used: false),
            ])
    }

    @Test func framesThatAreNotReadAreCountedAndNamed() {
        var decoder = NMEADecoder()
        let frames =
            (0..<3).flatMap { _ in ubx(0x01_22, [UInt8](repeating: 0, count: 20)) } + ubx(0x01_02, [1, 2])
            + ubx(0x01_99, []) + ubx(0x42_01, [])
        #expect(decoder.events(in: frames).isEmpty)
        #expect(decoder.counts.frames == 6 && decoder.counts.unreadFrames == 6)
        #expect(decoder.unreadFrames.map(\.name) == ["NAV-CLOCK", "NAV-POSLLH", "NAV-0x99", "0x42-0x01"])
        #expect(decoder.unreadFrames.map(\.count) == [3, 1, 1, 1])
    }
}
