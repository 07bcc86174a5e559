/// The satellites in view of a simulated receiver: GPS and Galileo, drifting from seeded positions in the sky.
struct SimulatedSky {
    struct Satellite {
        var number: Int
        var elevation: Double
        var azimuth: Double
        /// The mean carrier-to-noise density in dB-Hz.
        var strength: Double
        /// Degrees of azimuth per second. A real satellite takes a few hours from horizon to horizon.
        var drift: Double
        /// A Boolean value indicating whether the fix uses the satellite. Low satellites are tracked but not used.
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
            // Elevations are spread evenly, so that there is always one low and one high satellite.
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
