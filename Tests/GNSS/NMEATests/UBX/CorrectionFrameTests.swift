import TestSupport
import Testing

@testable import NMEA

/// The frames of receivers with corrections: UBX-NAV-HPPOSLLH, UBX-RXM-RTCM and UBX-RXM-COR.
@Suite struct CorrectionFrameTests {
    private let pvt = NavigationPosition()

    /// The position of a `NavigationPosition` with further digits.
    private struct Precise {
        var version: UInt8 = 0
        var flags: UInt8 = 0
        var timeOfWeek: UInt32 = 0
        var longitude: Int32 = 85_652_474
        var latitude: Int32 = 472_852_112
        var furtherLatitude: Int8 = 34
        var horizontalAccuracy: UInt32 = 139
        var verticalAccuracy: UInt32 = 204
        var length = 36

        var frame: [UInt8] {
            var payload = Payload(36)
            payload.set(0, version)
            payload.set(3, flags)
            payload.set(4, timeOfWeek)
            payload.set(8, longitude)
            payload.set(12, latitude)
            payload.set(16, Int32(547_600))
            payload.set(20, Int32(499_600))
            payload.set(24, Int8(-12))
            payload.set(25, furtherLatitude)
            payload.set(26, Int8(5))
            payload.set(27, Int8(-6))
            payload.set(28, horizontalAccuracy)
            payload.set(32, verticalAccuracy)
            return ubx(0x01_14, Array(payload.bytes.prefix(length)))
        }

        func with<Value>(_ field: WritableKeyPath<Precise, Value>, _ value: Value) -> Precise {
            var copy = self
            copy[keyPath: field] = value
            return copy
        }
    }

    private func epochs(_ pieces: [UInt8]...) -> [Epoch] { decode(pieces.flatMap { $0 }).epochs }

    // MARK: Positions

    /// pyubx2 reads the same numbers from the frame.
    @Test func theFurtherDigitsCountInAnyOrder() throws {
        for epochs in [epochs(pvt.frame, Precise().frame), epochs(Precise().frame, pvt.frame)] {
            try #require(epochs.count == 1)
            #expect(epochs[0].latitude == 47.285211234 && epochs[0].longitude == 8.565247388)
            #expect(epochs[0].ellipsoidalAltitude == 547.6005 && epochs[0].altitude == 499.5994)
            #expect(epochs[0].geoidSeparation == 48.0011)
            #expect(epochs[0].horizontalAccuracy == 0.0139 && epochs[0].verticalAccuracy == 0.0204)
            #expect(epochs[0].speed == 5.25 && epochs[0].satellitesUsed == 11)
        }
    }

    @Test func otherFramesChangeNothing() throws {
        let precise = Precise()
        let frames = [
            precise.with(\.flags, 1), precise.with(\.version, 1), precise.with(\.timeOfWeek, 1000),
            precise.with(\.timeOfWeek, .max), precise.with(\.latitude, 472_852_112 + 11),
            precise.with(\.longitude, 85_652_474 - 11), precise.with(\.latitude, .max), precise.with(\.longitude, .min),
            precise.with(\.length, 35),
        ]
        let plain = epochs(pvt.frame)
        for (index, frame) in frames.enumerated() {
            #expect(epochs(pvt.frame, frame.frame) == plain, "\(index)")
            #expect(epochs(frame.frame, pvt.frame) == plain, "\(index)")
        }
    }

    @Test func anInvalidFrameReplacesAValidOne() {
        #expect(epochs(Precise().frame, pvt.frame, Precise().with(\.flags, 1).frame) == epochs(pvt.frame))
    }

    @Test func unknownAccuraciesAreThoseOfTheOtherFrame() throws {
        let precise = Precise().with(\.horizontalAccuracy, .max).with(\.verticalAccuracy, .max)
        let epoch = try #require(epochs(pvt.frame, precise.frame).first)
        #expect(epoch.latitude == 47.285211234)
        #expect(epoch.horizontalAccuracy == 1.234 && epoch.verticalAccuracy == 2.345)
    }

    @Test func aPoleIsTheLimit() throws {
        let pole = pvt.with(\.latitude, 900_000_000)
        let beyond = Precise().with(\.latitude, 900_000_000)
        #expect(epochs(pole.frame, beyond.frame).first?.latitude == 90)
        let before = beyond.with(\.furtherLatitude, -34)
        #expect(epochs(pole.frame, before.frame).first?.latitude == 89.999999966)
    }

    /// Returns the frames of a second, and whether the one with further digits is among them.
    private func second(_ second: Int, isPrecise: Bool = true) -> [UInt8] {
        let time = UInt32(second * 1000)
        return pvt.with(\.second, UInt8(second)).with(\.timeOfWeek, time).frame
            + (isPrecise ? Precise().with(\.timeOfWeek, time).frame : [])
    }

    @Test func anEpochWaitsForTheFrameAndEndsWithIt() {
        var decoder = NMEADecoder()
        var counts: [Int] = []
        for second in 0..<6 {
            let events = decoder.events(in: self.second(second))
            counts.append(events.count)
            for case .epoch(let epoch) in events { #expect(epoch.latitude == 47.285211234) }
        }
        #expect(counts == [0, 1, 1, 2, 1, 1])
    }

    /// The frame is switched on while epochs end with NAV-PVT.
    @Test func theFirstFrameAfterTheEndIsLate() {
        var input: [UInt8] = []
        for second in 0..<20 { input += self.second(second, isPrecise: second >= 6) }
        let decoded = decode(input)
        #expect(decoded.counts.lateSentences == 1)
        #expect(decoded.epochs.map { $0.latitude == 47.285211234 } == (0..<20).map { $0 > 6 })
    }

    // MARK: Corrections

    private func input(_ frames: [UInt8]...) -> CorrectionInput? {
        var decoder = NMEADecoder()
        for frame in frames { #expect(decoder.events(in: frame).isEmpty) }
        #expect(decoder.counts.frames == UInt64(frames.count))
        return decoder.correctionInput
    }

    private func rtcm(
        version: UInt8 = 2, _ flags: UInt8, station: UInt16 = 2003, number: UInt16 = 1077
    ) -> [UInt8] {
        var payload = Payload(8)
        payload.set(0, version)
        payload.set(1, flags)
        payload.set(4, station)
        payload.set(6, number)
        return ubx(0x02_32, payload.bytes)
    }

    private func correction(_ status: UInt32, version: UInt8 = 1, number: UInt16 = 1077) -> [UInt8] {
        var payload = Payload(12)
        payload.set(0, version)
        payload.set(4, status)
        payload.set(8, number)
        return ubx(0x02_34, payload.bytes)
    }

    @Test func theFramesAsPyubx2WritesThem() {
        #expect(rtcm(4) == [0xB5, 0x62, 2, 0x32, 8, 0, 2, 4, 0, 0, 0xD3, 7, 0x35, 4, 0x55, 0x89])
        #expect(correction(0x020F_A721).suffix(2) == [0x55, 0xBD])
    }

    @Test func measurementsAreUsedOrNot() {
        #expect(input(rtcm(4)) == CorrectionInput(station: 2003, isUsed: true))
        #expect(input(rtcm(2)) == CorrectionInput(station: 2003, isUsed: false))
        #expect(input(rtcm(0)) == CorrectionInput(station: 2003))
        #expect(input(rtcm(6)) == CorrectionInput(station: 2003))
        #expect(input(rtcm(version: 1, 4)) == CorrectionInput(station: 2003))
        #expect(input(rtcm(4, station: 4096)) == CorrectionInput(isUsed: true))
        #expect(input(correction(0x020F_A721)) == CorrectionInput(station: 2003, isUsed: true))
        #expect(input(correction(0x020F_A6A1)) == CorrectionInput(station: 2003, isUsed: false))
    }

    /// Other messages are used from time to time only, and name no station.
    @Test func measurementsAloneDecide() {
        #expect(input(rtcm(4), rtcm(2, station: 0, number: 1230)) == CorrectionInput(station: 2003, isUsed: true))
        #expect(input(rtcm(4, number: 1019)) == CorrectionInput())
        #expect(input(correction(0x000F_A721)) == CorrectionInput())
        #expect(input(correction(0x020F_A721, number: 1029)) == CorrectionInput())
    }

    @Test func damagedMessagesAreCounted() {
        #expect(input(rtcm(4), rtcm(1), rtcm(3)) == CorrectionInput(station: 2003, isUsed: true, faulty: 2))
        #expect(input(correction(0x020F_A741)) == CorrectionInput(faulty: 1))
    }

    @Test func reportsOnOtherCorrectionsDoNotCount() {
        // SPARTN.
        #expect(input(correction(0x020F_A722)) == nil)
        #expect(input(correction(0x020F_A721, version: 2)) == nil)
        let short = Array(rtcm(4)[6..<13])
        var decoder = NMEADecoder()
        #expect(decoder.events(in: ubx(0x02_32, short)).isEmpty && decoder.correctionInput == nil)
        #expect(decoder.unreadFrames.map(\.name) == ["RXM-RTCM"])
    }

    // MARK: Recordings

    private func moved(_ bytes: [UInt8], isAnonymous: Bool = false) -> [UInt8] {
        var stream = ShiftedStream(isAnonymous: isAnonymous) { _ in
            PositionShift(latitude: -20_000, longitude: 80_001, weeks: 100)
        }
        return stream.move(bytes) + stream.finish()
    }

    @Test(arguments: [false, true]) func aPreciseRecordingIsMoved(isAnonymous: Bool) throws {
        let bytes = moved(pvt.frame + Precise().frame, isAnonymous: isAnonymous)
        let epoch = try #require(decode(bytes).epochs.first)
        #expect(epoch.latitude == 37.285211234 && epoch.longitude == 48.565747388)
        #expect(epoch.altitude == 499.5994)
        #expect(epoch.ellipsoidalAltitude == (isAnonymous ? 499.5994 : 547.6005))
    }

    /// Attack: before the first fix, or for a place that is not one, the frame has the place of the last run.
    @Test func aPositionThatIsNotAFixIsRemoved() {
        for input in [Precise().frame, pvt.frame + Precise().with(\.flags, 1).frame] {
            let payload = moved(input).suffix(36 + 2).dropFirst(8)
            #expect(payload.prefix(8).allSatisfy { $0 == 0 } && payload.dropFirst(16).prefix(2) == [0, 0])
        }
    }

    /// Attack: the place of a reference station is public, and the receiver is near.
    @Test func theStationIsRemoved() {
        for frame in [rtcm(4), correction(0x020F_A721)] {
            #expect(moved(frame).dropFirst(6).dropLast(2).allSatisfy { $0 == 0 })
        }
    }
}
