import NMEA
import TestSupport
import Testing

/// Guarantees and proofs of receivers: UBX-NAV-PL, PQTMPL, UBX-SEC-OSNMA, NAV-PVT's flags, UBX-ESF-STATUS, PAIRSPF.
@Suite struct IntegrityMessageTests {
    /// The state of a decoder after all of the input.
    private struct State {
        var level: ProtectionLevel?
        var authentication: Authentication
        var deadReckoning: DeadReckoning?
        var jamming: Jamming?
    }

    private func state(_ pieces: [[UInt8]]) -> State {
        var decoder = NMEADecoder()
        for piece in pieces {
            #expect(decoder.events(in: piece).allSatisfy { if case .epoch = $0 { true } else { false } })
        }
        return State(
            level: decoder.protectionLevel, authentication: decoder.authentication,
            deadReckoning: decoder.deadReckoning, jamming: decoder.jamming)
    }

    private func state(_ bodies: String...) -> State { state(bodies.map { Array(sentence($0).utf8) }) }

    // MARK: Protection levels

    /// Levels of 3, 4 and 7.5 m with a risk of 0.005 % for each epoch. pyubx2 reads these values from the frame.
    private struct Level {
        var version: UInt8 = 1
        var coefficient: UInt8 = 5
        var exponent: Int8 = -3
        var isValid: UInt8 = 1
        var axes: UInt8 = 1
        var levels: [UInt32] = [3000, 4000, 7500]

        var frame: [UInt8] {
            var payload = Payload(52)
            payload.set(0, version)
            payload.set(1, coefficient)
            payload.set(2, exponent)
            payload.set(3, isValid)
            payload.set(4, axes)
            for (index, level) in levels.enumerated() { payload.set(16 + 4 * index, level) }
            return ubx(0x01_62, payload.bytes)
        }
    }

    private func level(_ change: (inout Level) -> Void) -> ProtectionLevel? {
        var level = Level()
        change(&level)
        return state([Level().frame, level.frame]).level
    }

    @Test func theFrameOfProtectionLevels() {
        // As pyubx2 writes it.
        #expect(Level().frame.suffix(2) == [0x77, 0xCD])
        let levels: [(UInt8, Double)] = [(1, 5), (2, 5), (3, 4)]
        for (axes, horizontal) in levels {
            let level = level { $0.axes = axes }
            #expect(level?.horizontal == horizontal && level?.vertical == 7.5 && level?.risk == 0.000_05, "\(axes)")
        }
        #expect(state([]).level == nil)
    }

    @Test(arguments: [(1, 1), (1, 1_000_000_000), (999_999_999, 1), (123_456, 654_321)] as [(UInt32, UInt32)])
    func theLevelsOfTwoAxesAreCombined(north: UInt32, east: UInt32) throws {
        let level = try #require(level { $0.levels = [north, east, 1] })
        let (a, b) = (Double(north) / 1000, Double(east) / 1000)
        #expect(abs(level.horizontal / (a * a + b * b).squareRoot() - 1) < 1e-15)
    }

    @Test func aLevelThatIsNotGuaranteedIsGone() {
        #expect(level { $0.isValid = 0 } == nil)
        #expect(level { $0.axes = 0 } == nil)
        #expect(level { $0.axes = 4 } == nil)
        #expect(level { $0.levels = [0, 0, 7500] } == nil)
        #expect(level { $0.levels = [3000, 4000, 0] } == nil)
        #expect(level { $0.levels = [.max, .max, .max] } == nil)
        // Another version does not count at all.
        #expect(level { $0.version = 2 } != nil)
        #expect(state([ubx(0x01_62, [UInt8](repeating: 1, count: 51))]).level == nil)
    }

    @Test(arguments: [(0, -3), (101, 0), (5, 3), (5, -128), (5, 127)] as [(UInt8, Int8)])
    func anImplausibleRiskIsUnknown(coefficient: UInt8, exponent: Int8) throws {
        let level = level {
            $0.coefficient = coefficient
            $0.exponent = exponent
        }
        #expect(try #require(level).risk == nil)
    }

    @Test func quectelsProtectionLevels() {
        // pynmeagps reads these values as pul, plposn, plpose and plposd.
        let level = state("PQTMPL,1,55045200,5.00,,,3000,4000,7500,3344,4079,9507,,,0").level
        #expect(level?.horizontal == 5 && level?.vertical == 7.5 && level?.risk == 0.05)
    }

    @Test(
        arguments: [
            "PQTMPL,1,55045200,5.00,,,,,,,,,,,", "PQTMPL,1,55045200,5.00,,,-3000,4000,7500,,,,,,",
            "PQTMPL,1,55045200,5.00,,,3000,4000,0,,,,,,", "PQTMPL,1,55045200,5.00,,,nan,inf,7500,,,,,,",
            "PQTMPL,1,55045200,5.00,,,99999999999,4000,7500,,,,,,", "PQTMPL,1,55045200,5.00,,,1e16,1e16,1e16,,,,,,",
            "PQTMPL,1",
        ])
    func quectelsLevelIsGone(body: String) {
        #expect(state("PQTMPL,1,55045200,5.00,,,3000,4000,7500,3344,4079,9507,,,0", body).level == nil)
    }

    @Test(arguments: ["PQTMPL", "PQTMPL,2,55045200,5.00,,,3000,4000,7500,,,,,,", "PQTMPL,ERROR,1"])
    func otherAnswersDoNotCount(body: String) {
        #expect(state(body).level == nil)
        #expect(state("PQTMPL,1,5,,,,3000,4000,7500,,,,,,", body).level?.risk == .some(nil))
    }

    // MARK: Authenticity

    private func osnma(version: UInt8 = 2, isOn: UInt8 = 1, count: UInt8? = nil, _ results: [UInt16]) -> [UInt8] {
        var payload = Payload(20 + 4 * results.count)
        payload.set(0, version)
        payload.set(2, UInt8(isOn | 3 << 1))
        payload.set(16, UInt16(count ?? UInt8(results.count)) | 2 << 6)
        for (index, result) in results.enumerated() { payload.set(20 + 4 * index, UInt16(0x0C4D | result << 15)) }
        return ubx(0x27_0A, payload.bytes)
    }

    private func satellites(_ frame: [UInt8]) -> Int? { state([frame]).authentication.satellites }

    @Test func satellitesWithAuthenticMessages() {
        // pyubx2 reads authSVs 3 and authStatus 1, 0 and 1.
        #expect(satellites(osnma([1, 0, 1])) == 2)
        #expect(state([osnma([1])]).authentication.isPositive)
        #expect(satellites(osnma([])) == 0)
        #expect(!state([osnma([0])]).authentication.isPositive)
        #expect(satellites(osnma(isOn: 0, [1, 1])) == 0)
        #expect(satellites(osnma(count: 63, [1, 1])) == 2)
        #expect(satellites(osnma(version: 1, [1, 1])) == nil)
        #expect(satellites(ubx(0x27_0A, [2, 0, 1])) == nil)
        #expect(state([osnma([1, 1]), osnma([0, 0])]).authentication.satellites == 0)
    }

    @Test func theFlagsOfAPosition() {
        func proofs(_ position: NavigationPosition) -> Authentication { state([position.frame]).authentication }
        let position = NavigationPosition()
        #expect(!proofs(position).isPositive && proofs(position).satellites == nil)
        // pyubx2 reads authTime and nmaFixStatus.
        let both = position.with(\.moreFlags, 0x6000)
        #expect(proofs(both).time && proofs(both).position)
        #expect(proofs(position.with(\.moreFlags, 0x2000)).time)
        #expect(!proofs(position.with(\.moreFlags, 0x2000)).position)
        #expect(!proofs(both.with(\.flags, 0)).position)
        #expect(!proofs(both.with(\.length, 84)).isPositive)
        // The mark is only about the last epoch.
        #expect(!state([both.frame, position.with(\.second, 1).frame]).authentication.isPositive)
    }

    // MARK: Sensors, interference

    @Test(
        arguments: [
            (2, 0, .initializing), (2, 1, .active), (2, 2, .suspended), (2, 3, .disabled), (2, 4, nil), (2, 255, nil),
            (1, 1, nil),
        ] as [(UInt8, UInt8, DeadReckoning?)])
    func theFusionWithSensors(version: UInt8, mode: UInt8, expected: DeadReckoning?) {
        var payload = Payload(16)
        payload.set(4, version)
        payload.set(12, mode)
        #expect(state([ubx(0x10_10, payload.bytes)]).deadReckoning == expected)
        #expect(state([ubx(0x10_10, Array(payload.bytes.prefix(15)))]).deadReckoning == nil)
    }

    @Test(
        arguments: [
            ("PAIRSPF,1", Jamming.Level.none), ("PAIRSPF,2", .warning), ("PAIRSPF,3", .critical), ("PAIRSPF,0", nil),
        ] as [(String, Jamming.Level?)])
    func airohasJamming(body: String, level: Jamming.Level?) {
        #expect(state(body).jamming == Jamming(level: level, indicator: nil))
    }

    @Test(arguments: ["PAIRSPF", "PAIRSPF,", "PAIRSPF,4", "PAIRSPF,-1", "PAIRSPF,99999999999", "PAIRSPF,x"])
    func unreadableJamming(body: String) {
        #expect(state(body).jamming == nil)
        #expect(state("PAIRSPF,2", body).jamming?.level == .warning)
    }

    /// In a recording with moved dates, the week of OSNMA's key and the issues of the ephemerides are gone.
    @Test func movedRecordingsHideTheDate() {
        var stream = ShiftedStream(isAnonymous: false) { _ in PositionShift(latitude: 2, longitude: 2, weeks: 1) }
        let moved = stream.move(osnma([1, 0, 1])) + stream.finish()
        #expect(satellites(moved) == 2)
        #expect(moved[26] == 0 && moved[27] == 0x80)
    }
}
