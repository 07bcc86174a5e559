import Devices
import LocationModel
import NMEA
import TestSupport
import Testing

@testable import Receivers

struct SimulationTests {
    private static let walk = """
        <gpx><trk><trkseg>
        <trkpt lat="10" lon="20"><ele>7</ele></trkpt>
        <trkpt lat="10" lon="21"><ele>7</ele></trkpt>
        </trkseg></trk></gpx>
        """

    @Test(arguments: [(0.0, 0.0), (59.3293, 18.0686), (-90, 180), (90, -180), (-41.5, 174.25)])
    func aPlaceGivesFixesThereAtRest(latitude: Double, longitude: Double) throws {
        let simulation = try Simulation(latitude: latitude, longitude: longitude)
        var simulator = ReceiverSimulator(route: simulation.route, speed: simulation.speed, seed: 2)
        var decoder = NMEADecoder()
        var epochs: [Epoch] = []
        for second in 0..<20 {
            let bytes = simulator.sentences(
                at: Timestamp(
                    millisecondsSince1970: Journey.departure.millisecondsSince1970 + Int64(second) * 1000))
            var offset = 0
            while let event = decoder.next(in: bytes.span.bytes, at: &offset) {
                if case .epoch(let epoch) = event { epochs.append(epoch) }
            }
        }
        #expect(epochs.count >= 18)
        for epoch in epochs {
            #expect(epoch.simulated)
            let place = Route.Place(latitude: latitude, longitude: longitude, altitude: 0)
            let told = Route.Place(latitude: epoch.latitude, longitude: epoch.longitude, altitude: 0)
            #expect(Route.distance(place, told) < 20)
            #expect((0..<0.3).contains(try #require(epoch.speed)))
        }
    }

    @Test func aPlaceThroughTheReceiver() async throws {
        let clock = SteppedClock(milliseconds: [0, 1000])
        let probe = try await ReceiverProbe(
            try Simulation(latitude: -41.5, longitude: 174.25), clock: { clock.read() })
        try await withReceiver(probe) { probe in
            let fixes = try await probe.wait(for: "2 fixes") { $0.fixes(2) }
            for location in fixes.map(\.location) {
                #expect(abs(location.latitude + 41.5) < 0.001)
                #expect(abs(location.longitude - 174.25) < 0.001)
                #expect(location.simulated)
                #expect(location.receiver == "demand")
            }
            #expect(fixes[1].location.timestamp.seconds(since: fixes[0].location.timestamp) == 1)
            let (specification, timeScale) = try await probe.with { ($0.specification, $0.timeScale) }
            #expect(specification == .simulated(route: nil))
            #expect(timeScale == 1)
        }
    }

    @Test(arguments: [(nil, 3.0), (0.1, 0.1), (25, 25), (1000, 1000)] as [(Double?, Double)])
    func aRouteIsGoneAlongAtTheSpeedThatIsWanted(speed: Double?, expected: Double) throws {
        let simulation = try Simulation(gpx: Self.walk, speed: speed)
        var simulator = ReceiverSimulator(route: simulation.route, speed: simulation.speed, seed: 1)
        _ = simulator.sentences(at: Journey.departure)
        let later = Timestamp(millisecondsSince1970: Journey.departure.millisecondsSince1970 + 60_000)
        let position = simulator.position(at: later)
        let start = Route.Place(latitude: 10, longitude: 20, altitude: 7)
        #expect(abs(Route.distance(start, position.place) - 60 * expected) < 0.01 * 60 * expected)
        #expect(position.place.altitude == 7)
        var decoder = NMEADecoder()
        let bytes = simulator.sentences(at: later)
        var offset = 0
        let event = decoder.next(in: bytes.span.bytes, at: &offset) ?? decoder.flush()
        guard case .epoch(let epoch) = event else {
            Issue.record("no epoch")
            return
        }
        #expect(abs(try #require(epoch.speed) - expected) < 0.3)
    }

    @Test(arguments: [
        (90.1, 0.0, "latitude 90.1 is out of range: -90 to 90 degrees"), (-91, 0, "-90 to 90 degrees"),
        (.nan, 0, "latitude nan"), (.infinity, 0, "latitude inf"),
        (0, 180.5, "longitude 180.5 is out of range: -180 to 180 degrees"), (0, -.infinity, "longitude -inf"),
        (0, .nan, "longitude nan"),
    ])
    func anImpossiblePlaceIsRefused(latitude: Double, longitude: Double, message: String) {
        let failure = #expect(throws: ReceiverFailure.self) {
            try Simulation(latitude: latitude, longitude: longitude)
        }
        #expect(failure?.reason == .unusable)
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }

    @Test(
        arguments: [
            (walk, 0.0999, "speed 0.0999 is out of range: 0.1 to 1000 m/s are allowed"), (walk, 1000.1, "speed 1000.1"),
            (walk, .nan, "speed nan"), (walk, .infinity, "speed inf"), (walk, -3, "speed -3.0"),
            ("", nil, "line 1 of the GPX file: there is no <gpx> element"),
            ("<gpx>\n</gpx>", nil, "line 2 of the GPX file: there is no <trkpt>, <rtept> or <wpt>"),
            ("<gpx>\n\n<wpt lat='91' lon='0'/></gpx>", nil, "line 3 of the GPX file: lat=\"91\""),
        ] as [(String, Double?, String)])
    func aRouteThatCannotBeUsedIsRefused(gpx: String, speed: Double?, message: String) {
        let failure = #expect(throws: ReceiverFailure.self) { try Simulation(gpx: gpx, speed: speed) }
        #expect(failure?.reason == .unusable)
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }
}
