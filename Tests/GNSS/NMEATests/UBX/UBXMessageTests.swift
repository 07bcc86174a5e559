import TestSupport
import Testing

@testable import NMEA

/// The values in the supported frames, alone and together with sentences of the same epoch.
@Suite struct UBXMessageTests {
    private let pvt = NavigationPosition()

    private func first(_ position: NavigationPosition) -> Epoch? { decode(position.frame).epochs.first }

    @Test func everyValueOfAPosition() throws {
        let epoch = try #require(first(pvt))
        #expect(epoch.timeOfDay == time(12, 0, 0))
        #expect(epoch.millisecondsSince1970 == 1_718_452_800_000)
        #expect(abs(epoch.latitude - 47.2852112) < 1e-12 && abs(epoch.longitude - 8.5652474) < 1e-12)
        #expect(epoch.ellipsoidalAltitude == 547.6 && epoch.altitude == 499.6 && epoch.geoidSeparation == 48)
        #expect(epoch.horizontalAccuracy == 1.234 && epoch.verticalAccuracy == 2.345)
        #expect(epoch.speed == 5.25 && epoch.course == 77.5)
        #expect(epoch.speedAccuracy == 0.321 && epoch.courseAccuracy == 12.5)
        #expect(epoch.satellitesUsed == 11 && epoch.pdop == 1.55 && epoch.hdop == nil)
        #expect(epoch.quality == .autonomous && epoch.dimension == .three)
        #expect(epoch.talker.description == "GN" && !epoch.dateRepaired)
    }

    @Test func theEighteenBytesFewerOfOlderReceivers() {
        #expect(first(pvt.with(\.length, 84))?.horizontalAccuracy == 1.234)
        #expect(decode(ubx(0x01_07, [UInt8](repeating: 1, count: 83))).epochs.isEmpty)
        #expect(first(pvt.with(\.length, 100))?.horizontalAccuracy == 1.234)
    }

    @Test(
        arguments: [
            (2, 0x01, .autonomous, .two), (3, 0x01, .autonomous, .three), (4, 0x01, .autonomous, .three),
            (3, 0x03, .differential, .three), (3, 0x43, .rtkFloat, .three), (3, 0x83, .rtkFixed, .three),
            (1, 0x01, .estimated, nil), (5, 0x01, .manual, .three),
        ] as [(UInt8, UInt8, FixQuality, FixDimension?)])
    func qualities(_ fixType: UInt8, _ flags: UInt8, _ quality: FixQuality, _ dimension: FixDimension?) {
        let epoch = first(pvt.with(\.fixType, fixType).with(\.flags, flags))
        #expect(epoch?.quality == quality)
        #expect(epoch?.dimension == dimension)
        #expect((epoch?.verticalAccuracy == nil) == (dimension == .two))
    }

    @Test func noFix() {
        for position in [
            pvt.with(\.fixType, 0), pvt.with(\.fixType, 6), pvt.with(\.flags, 0), pvt.with(\.moreFlags, 1),
            pvt.with(\.validity, 5), pvt.with(\.hour, 24), pvt.with(\.minute, 60), pvt.with(\.second, 61),
            pvt.with(\.nanoseconds, .min),
        ] {
            let decoded = decode(position.frame + position.with(\.satellites, 3).frame)
            #expect(decoded.epochs.isEmpty)
            #expect(decoded.counts.frames == 2)
            #expect(decoded.counts.epochsWithoutFix > 0)
        }
    }

    @Test func impossiblePlaces() {
        for position in [
            pvt.with(\.latitude, 900_000_001), pvt.with(\.latitude, .min), pvt.with(\.longitude, 1_800_000_001),
        ] {
            let decoded = decode(position.frame)
            #expect(decoded.epochs.isEmpty && decoded.counts.outOfRange == 1)
        }
        #expect(first(pvt.with(\.latitude, -900_000_000).with(\.longitude, -1_800_000_000))?.latitude == -90)
    }

    @Test func unknownAccuracies() {
        let position = pvt.with(\.horizontalAccuracy, .max).with(\.verticalAccuracy, .max).with(\.speedAccuracy, .max)
            .with(\.courseAccuracy, 18_000_000)
        let epoch = first(position)
        #expect(epoch != nil && epoch?.horizontalAccuracy == nil && epoch?.verticalAccuracy == nil)
        #expect(epoch?.speedAccuracy == nil && epoch?.courseAccuracy == nil)
    }

    @Test(
        arguments: [
            (12, 0, 0, 200_000_000, "2024-06-15", time(12, 0, 0, 200)),
            (12, 0, 1, -400_000, "2024-06-15", time(12, 0, 1)), (12, 0, 1, -600_000, "2024-06-15", time(12, 0, 0, 999)),
            (0, 0, 0, -5_000_000, "2024-06-14", time(23, 59, 59, 995)),
            (23, 59, 59, 999_600_000, "2024-06-16", time(0, 0, 0)),
            (23, 59, 60, 0, "2024-06-15", time(23, 59, 59, 990)),
        ] as [(UInt8, UInt8, UInt8, Int32, String, Int32)])
    func times(
        _ hour: UInt8, _ minute: UInt8, _ second: UInt8, _ nanoseconds: Int32, _ date: String, _ expected: Int32
    ) throws {
        let position = pvt.with(\.hour, hour).with(\.minute, minute).with(\.second, second)
            .with(\.nanoseconds, nanoseconds)
        let epoch = try #require(first(position))
        #expect(epoch.timeOfDay == expected)
        let midnights: [String: Int64] = [
            "2024-06-14": 1_718_323_200_000, "2024-06-15": 1_718_409_600_000, "2024-06-16": 1_718_496_000_000,
        ]
        #expect(epoch.millisecondsSince1970 == midnights[date]! + Int64(expected))
    }

    @Test func noDateYet() {
        #expect(first(pvt.with(\.validity, 2)).map { $0.millisecondsSince1970 == nil } == true)
    }

    /// Whichever comes first, the frame supplies the figures with more digits, and the sentences supply the values that
    /// the frame lacks.
    @Test(arguments: [false, true])
    func aPositionAndTheSentencesOfItsEpoch(frameComesFirst: Bool) throws {
        let rmc = "GNRMC,120000.00,A,4717.1126,N,00833.9148,E,010.0,099.0,150624,,,A"
        let gga = "GNGGA,120000.00,4717.1126,N,00833.9148,E,1,08,1.2,499.5,M,48.1,M,2.5,0120"
        let gst = "GNGST,120000.00,1.2,20.0,10.0,45.0,16,16,30"
        let text = [UInt8](sentences(rmc, gga, gst).utf8)
        let decoded = decode(frameComesFirst ? pvt.frame + text : text + pvt.frame)
        try #require(decoded.epochs.count == 1)
        let epoch = decoded.epochs[0]
        #expect(abs(epoch.latitude - 47.2852112) < 1e-12)
        #expect(epoch.altitude == 499.6 && epoch.geoidSeparation == 48)
        #expect(epoch.horizontalAccuracy == 1.234 && epoch.verticalAccuracy == 2.345)
        #expect(epoch.speed == 5.25 && epoch.course == 77.5 && epoch.speedAccuracy == 0.321)
        #expect(epoch.hdop == 1.2 && epoch.correctionAge == 2.5 && epoch.satellitesUsed == 11)
    }

    @Test func anEpochEndsWithItsFrameOnceThatIsLearned() {
        var decoder = NMEADecoder()
        var epochs: [Int] = []
        for second in 0..<6 as Range<UInt8> {
            var offset = 0
            let bytes =
                [UInt8](sentence("GNGLL,4717.1126,N,00833.9148,E,12000\(second).00,A,A").utf8)
                + pvt.with(\.second, second).frame
            var count = 0
            while decoder.next(in: bytes.span.bytes, at: &offset) != nil { count += 1 }
            epochs.append(count)
        }
        #expect(epochs == [0, 1, 1, 2, 1, 1])
    }

    @Test func theReceiversFrameIsNotADeviceOfItsOwnBesideItsSentences() {
        let text = [UInt8](sentence("GPRMC,120000.00,A,4717.1126,N,00833.9148,E,0.5,77.5,150624,,,A").utf8)
        let decoded = decode(text + pvt.frame)
        #expect(decoded.counts.otherDevices == 0 && decoded.epochs.count == 1)
    }

    // MARK: Satellites

    private func satellite(
        _ system: UInt8, _ number: UInt8, _ strength: UInt8, _ elevation: Int8, _ azimuth: Int16, used: Bool
    ) -> [UInt8] {
        var block = Payload(12)
        block.set(0, system)
        block.set(1, number)
        block.set(2, strength)
        block.set(3, elevation)
        block.set(4, azimuth)
        block.set(8, UInt32(used ? 0x1F : 0x17))
        return block.bytes
    }

    private func list(_ satellites: [UInt8]...) -> [UInt8] {
        ubx(0x01_35, [0, 0, 0, 0, 1, UInt8(satellites.count), 0, 0] + satellites.flatMap { $0 })
    }

    @Test func satellites() {
        let satellites = decode(
            list(
                satellite(0, 3, 42, 45, 111, used: true), satellite(1, 123, 30, 30, 200, used: false),
                satellite(2, 5, 0, -91, 0, used: false), satellite(3, 21, 38, 10, 359, used: true),
                satellite(5, 2, 20, 80, 360, used: false), satellite(6, 7, 33, 20, 5, used: true),
                satellite(6, 255, 33, 20, 5, used: false), satellite(9, 1, 33, 20, 5, used: true),
                satellite(7, 4, 25, 12, 90, used: false)) + pvt.frame
        ).satellites
        #expect(
            satellites == [
                SatelliteInView(
                    constellation: .gps, number: 3, elevation: 45, azimuth: 111, signalStrength: 42, used: true),
                SatelliteInView(
                    constellation: .sbas, number: 123, elevation: 30, azimuth: 200, signalStrength: 30, used: false),
                SatelliteInView(
                    constellation: .glonass, number: 7, elevation: 20, azimuth: 5, signalStrength: 33, used: true),
                SatelliteInView(
                    constellation: .galileo, number: 5, elevation: nil, azimuth: 0, signalStrength: nil, used: false),
                SatelliteInView(
                    constellation: .beidou, number: 21, elevation: 10, azimuth: 359, signalStrength: 38, used: true),
                SatelliteInView(
                    constellation: .qzss, number: 2, elevation: 80, azimuth: 0, signalStrength: 20, used: false),
                SatelliteInView(
                    constellation: .navic, number: 4, elevation: 12, azimuth: 90, signalStrength: 25, used: false),
            ])
    }

    @Test func aListReplacesTheOneBefore() {
        let first = list(satellite(0, 3, 42, 45, 111, used: true), satellite(6, 7, 33, 20, 5, used: true))
        let second = list(satellite(0, 4, 42, 45, 111, used: true))
        #expect(decode(first + pvt.frame + second + pvt.with(\.second, 1).frame).satellites.map(\.number) == [4])
    }

    @Test func aListAndTheSentencesOfTheSameSatellites() {
        let gsv = [UInt8](sentences("GPGSV,1,1,02,03,45,111,40,04,10,020,30,1", "GLGSV,1,1,01,71,20,005,35,1").utf8)
        let list = list(satellite(0, 3, 42, 45, 111, used: true), satellite(6, 7, 33, 20, 5, used: true))
        for input in [gsv + list, list + gsv] {
            let satellites = decode(pvt.frame + input + pvt.with(\.second, 1).frame).satellites
            #expect(satellites.map(\.number) == [3, 4, 7])
            #expect(satellites.map(\.signalStrength) == [42, 30, 35])
        }
    }

    @Test func aListShorterThanItsNumber() {
        let block = satellite(0, 3, 42, 45, 111, used: true)
        let decoded = decode(ubx(0x01_35, [0, 0, 0, 0, 1, 200, 0, 0] + block + [0, 4, 42]) + pvt.frame)
        #expect(decoded.satellites.map(\.number) == [3])
    }

    // MARK: Interference

    /// Returns the report of jamming and spoofing from a receiver that sends these frames.
    private func security(_ frames: [[UInt8]]) -> (jamming: Jamming?, spoofing: Spoofing?) {
        var decoder = NMEADecoder()
        for frame in frames {
            var offset = 0
            while decoder.next(in: frame.span.bytes, at: &offset) != nil {}
        }
        return (decoder.jamming, decoder.spoofing)
    }

    private func jamming(_ frames: [UInt8]...) -> Jamming? { security(frames).jamming }

    private func hardware(_ length: Int, state: UInt8, indicator: UInt8) -> [UInt8] {
        var payload = Payload(length)
        payload.set(22, UInt8(1 | state << 2))
        payload.set(length == 68 ? 53 : 45, indicator)
        return ubx(0x0A_09, payload.bytes)
    }

    @Test(arguments: [60, 68])
    func hardwareStatus(length: Int) {
        #expect(jamming() == nil)
        #expect(jamming(hardware(length, state: 0, indicator: 22)) == Jamming(level: nil, indicator: 22))
        #expect(jamming(hardware(length, state: 1, indicator: 0)) == Jamming(level: Jamming.Level.none, indicator: 0))
        #expect(jamming(hardware(length, state: 2, indicator: 90)) == Jamming(level: .warning, indicator: 90))
        #expect(jamming(hardware(length, state: 3, indicator: 255)) == Jamming(level: .critical, indicator: 255))
        #expect(jamming(ubx(0x0A_09, [UInt8](repeating: 0xFF, count: 59))) == nil)
    }

    private func signalSecurity(version: UInt8, jammed: UInt8, spoofed: UInt8) -> [UInt8] {
        var payload = Payload(version == 1 ? 12 : 4)
        payload.set(0, version)
        if version == 1 {
            payload.set(4, jammed)
            payload.set(8, spoofed)
        } else {
            payload.set(1, UInt8(jammed | spoofed << 3))
        }
        return ubx(0x27_09, payload.bytes)
    }

    @Test(arguments: [1, 2] as [UInt8])
    func signalSecurity(version: UInt8) {
        let states: [(UInt8, Jamming.Level?, Spoofing?)] = [
            (0, nil, nil), (1, Jamming.Level.none, Spoofing.none), (2, .warning, .indicated), (3, .critical, .affirmed),
        ]
        for (state, level, spoofing) in states {
            let found = security([signalSecurity(version: version, jammed: 1 | state << 1, spoofed: 1 | state << 1)])
            #expect(found.jamming == Jamming(level: level, indicator: nil) && found.spoofing == spoofing, "\(state)")
        }
        // A receiver that does not look for interference reports none.
        let unknown = security([signalSecurity(version: version, jammed: 3 << 1, spoofed: 3 << 1)])
        #expect(unknown.jamming == nil && unknown.spoofing == nil)
        #expect(security([ubx(0x27_09, [3, 0xFF, 0, 0])]).spoofing == nil)
        #expect(security([ubx(0x27_09, [1, 0xFF, 0xFF, 0xFF])]).spoofing == nil)
    }

    @Test func theIndicatorAndTheLevelOfTwoKindsOfFramesAreJoined() {
        let level = signalSecurity(version: 1, jammed: 5, spoofed: 0)
        let expected = Jamming(level: .warning, indicator: 90)
        #expect(jamming(level, hardware(60, state: 0, indicator: 90)) == expected)
        #expect(jamming(hardware(60, state: 0, indicator: 90), level) == expected)
    }

    @Test func theStatusReportsSpoofing() {
        func status(_ state: UInt8) -> [UInt8] {
            var payload = Payload(16)
            payload.set(7, UInt8(0xC7 | state << 3))
            return ubx(0x01_03, payload.bytes)
        }
        #expect(security([status(0)]).spoofing == nil)
        #expect(security([status(1)]).spoofing == Spoofing.none)
        #expect(security([status(2)]).spoofing == .indicated)
        #expect(security([status(3)]).spoofing == .affirmed)
        #expect(security([status(2), status(0)]).spoofing == .indicated)
        #expect(security([status(2), status(1)]).spoofing == Spoofing.none)
    }

    @Test func theWorstRadioFrequencyPathCounts() {
        func block(state: UInt8, indicator: UInt8) -> [UInt8] {
            var block = Payload(24)
            block.set(1, UInt8(0xFC | state))
            block.set(16, indicator)
            return block.bytes
        }
        let frame = ubx(0x0A_38, [0, 2, 0, 0] + block(state: 1, indicator: 70) + block(state: 2, indicator: 30))
        #expect(jamming(frame) == Jamming(level: .warning, indicator: 70))
        #expect(
            jamming(ubx(0x0A_38, [0, 9, 0, 0] + block(state: 1, indicator: 7)))
                == Jamming(level: Jamming.Level.none, indicator: 7))
        #expect(jamming(ubx(0x0A_38, [0, 1, 0, 0])) == nil)
    }
}
