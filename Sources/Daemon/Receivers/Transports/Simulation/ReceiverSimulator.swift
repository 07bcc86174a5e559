import LocationModel
internal import SentenceWriting

/// A simulated GNSS receiver: reports a journey along a route in NMEA 0183, with errors like a real receiver's.
///
/// The sentences are marked as simulated in the same way as by real receivers (GGA quality 8, mode S), so that every
/// reader can mark the positions.
struct ReceiverSimulator {
    /// The speed of a brisk rowing boat or a runner, in metres per second.
    static let defaultSpeed = 3.0
    /// The standard deviation of the errors to the north and to the east, in metres.
    static let horizontalSigma = 3.0
    /// The same for the altitude. It is larger because no satellites are below the receiver.
    static let verticalSigma = 4.5
    /// The correlation time of the errors in seconds: those by the ionosphere and by reflections last about a minute.
    private static let correlationTime = 60.0

    private let route: Route
    /// Metres per second.
    private let speed: Double
    private var random: SeededRandom
    private var north: GaussMarkovNoise
    private var east: GaussMarkovNoise
    private var up: GaussMarkovNoise
    private var sky: SimulatedSky
    private var departure: Timestamp?
    private var last: Timestamp?

    init(route: Route, speed: Double = defaultSpeed, seed: UInt64) {
        self.route = route
        self.speed = speed
        var random = SeededRandom(seed: seed)
        let time = Self.correlationTime
        north = GaussMarkovNoise(sigma: Self.horizontalSigma, correlationTime: time, using: &random)
        east = GaussMarkovNoise(sigma: Self.horizontalSigma, correlationTime: time, using: &random)
        up = GaussMarkovNoise(sigma: Self.verticalSigma, correlationTime: time, using: &random)
        sky = SimulatedSky(using: &random)
        self.random = random
    }

    /// Returns the true position at `time`. The journey begins with the first epoch, and continues between epochs.
    func position(at time: Timestamp) -> Route.Position {
        route.position(after: speed * time.seconds(since: departure ?? time))
    }

    /// Returns the receiver's sentences for the epoch at `time`: one whole cycle.
    mutating func sentences(at time: Timestamp) -> [UInt8] {
        departure = departure ?? time
        let elapsed = max(0, time.seconds(since: last ?? time))
        last = time
        north.advance(bySeconds: elapsed, using: &random)
        east.advance(bySeconds: elapsed, using: &random)
        up.advance(bySeconds: elapsed, using: &random)
        sky.advance(bySeconds: elapsed)

        let position = position(at: time)
        let place = Route.moved(position.place, north: north.value, east: east.value, up: up.value)
        var writer = SentenceWriter()
        writer.add(rmc(time, place, course: position.course))
        writer.add(gga(time, place))
        writer.add(gsa(sky.gps, system: 1))
        writer.add(gsa(sky.galileo, system: 3))
        addGSV(sky.gps, talker: "GP", signal: "1", to: &writer)
        addGSV(sky.galileo, talker: "GA", signal: "7", to: &writer)
        writer.add(gst(time))
        return writer.bytes
    }

    private mutating func rmc(_ time: Timestamp, _ place: Route.Place, course: Double?) -> String {
        // Speed and course come from the Doppler shift: their noise does not wander.
        let knots = max(0, (course == nil ? 0 : speed) + 0.05 * random.normal()) * 3600 / 1852
        let angle = course.map { ($0 + random.normal() + 360).truncatingRemainder(dividingBy: 360) }
        let fields = [
            "GNRMC", SentenceWriter.time(time), "A", SentenceWriter.latitude(place.latitude),
            SentenceWriter.longitude(place.longitude), SentenceWriter.decimal(knots, decimals: 3),
            angle.map { SentenceWriter.decimal($0, decimals: 2) } ?? "", SentenceWriter.date(time), "", "", "S", "V",
        ]
        return fields.joined(separator: ",")
    }

    private func gga(_ time: Timestamp, _ place: Route.Place) -> String {
        let separation = route.geoidSeparation.map { SentenceWriter.decimal($0, decimals: 1) } ?? ""
        let fields = [
            "GNGGA", SentenceWriter.time(time), SentenceWriter.latitude(place.latitude),
            SentenceWriter.longitude(place.longitude), "8", sky.usedCount.padded(to: 2),
            SentenceWriter.decimal(SimulatedSky.hdop, decimals: 2),
            SentenceWriter.decimal(place.altitude, decimals: 1), "M", separation, "M", "", "",
        ]
        return fields.joined(separator: ",")
    }

    /// Returns a GSA sentence. From NMEA 4.10 on, it ends with the number of the system.
    private func gsa(_ satellites: [SimulatedSky.Satellite], system: Int) -> String {
        let used = satellites.filter(\.used).prefix(12).map { $0.number.padded(to: 2) }
        let dilutions = [SimulatedSky.pdop, SimulatedSky.hdop, SimulatedSky.vdop]
        let fields =
            ["GNGSA", "A", "3"] + used + Array(repeating: "", count: 12 - used.count)
            + dilutions.map { SentenceWriter.decimal($0, decimals: 2) } + ["\(system)"]
        return fields.joined(separator: ",")
    }

    private mutating func addGSV(
        _ satellites: [SimulatedSky.Satellite], talker: String, signal: String, to writer: inout SentenceWriter
    ) {
        let total = (satellites.count + 3) / 4
        for number in 0..<total {
            var fields = ["\(talker)GSV", "\(total)", "\(number + 1)", satellites.count.padded(to: 2)]
            for satellite in satellites[(number * 4)..<min(number * 4 + 4, satellites.count)] {
                fields.append(satellite.number.padded(to: 2))
                fields.append(SentenceWriter.decimal(satellite.elevation, decimals: 0, digits: 2))
                let azimuth = Int(satellite.azimuth) % 360
                fields.append(azimuth.padded(to: 3))
                fields.append(SentenceWriter.decimal(satellite.strength + random.normal(), decimals: 0, digits: 2))
            }
            writer.add((fields + [signal]).joined(separator: ","))
        }
    }

    private func gst(_ time: Timestamp) -> String {
        let horizontal = SentenceWriter.decimal(Self.horizontalSigma, decimals: 1)
        let vertical = SentenceWriter.decimal(Self.verticalSigma, decimals: 1)
        let fields = [
            "GNGST", SentenceWriter.time(time), "", horizontal, horizontal, "0.0", horizontal, horizontal, vertical,
        ]
        return fields.joined(separator: ",")
    }
}
