/// The satellites that a simulated receiver sees: GPS and Galileo, at seeded places of the sky through which they drift.
struct SimulatedSky {
    struct Satellite {
        var number: Int
        var elevation: Double
        var azimuth: Double
        /// Carrier to noise density on average, dB-Hz.
        var strength: Double
        /// Degrees of azimuth a second; a real one takes a few hours from horizon to horizon.
        var drift: Double
        /// Low ones are tracked and not used.
        var used: Bool { elevation >= 10 }
    }

    static let hdop = 0.9
    static let vdop = 1.4
    static let pdop = 1.66

    private(set) var gps: [Satellite]
    private(set) var galileo: [Satellite]

    init(using random: inout SeededRandom) {
        gps = Self.draw(9, of: 32, using: &random)
        galileo = Self.draw(6, of: 36, using: &random)
    }

    var usedCount: Int { gps.count(where: \.used) + galileo.count(where: \.used) }

    mutating func advance(bySeconds seconds: Double) {
        Self.turn(&gps, seconds)
        Self.turn(&galileo, seconds)
    }

    private static func draw(_ count: Int, of numbers: Int, using random: inout SeededRandom) -> [Satellite] {
        (1...numbers).shuffled(using: &random).prefix(count).sorted().enumerated().map { index, number in
            // Spread evenly over the elevations, so that there is always one low and one high.
            let elevation = 5 + 80 * (Double(index) + Double.random(in: 0..<1, using: &random)) / Double(count)
            return Satellite(
                number: number, elevation: elevation, azimuth: Double.random(in: 0..<360, using: &random),
                strength: 28 + 18 * elevation / 90, drift: Bool.random(using: &random) ? 0.006 : -0.006)
        }
    }

    private static func turn(_ satellites: inout [Satellite], _ seconds: Double) {
        for index in satellites.indices {
            let azimuth = (satellites[index].azimuth + satellites[index].drift * seconds)
                .truncatingRemainder(dividingBy: 360)
            satellites[index].azimuth = azimuth < 0 ? azimuth + 360 : azimuth
        }
    }
}
