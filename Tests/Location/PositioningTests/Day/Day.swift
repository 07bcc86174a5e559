import Glibc
import LocationModel
import TestSupport

@testable import Positioning

/// A day from midnight to midnight, with its true positions: at home, on foot and by bus to the office, on foot and
/// by car back home.
struct Day {
    /// A stay of several hours at one place.
    struct Stay {
        let place: Journey.Point
        let begin: Double
        let end: Double
    }

    static let length = 86_400.0

    let journey: Journey
    /// The stays at home, at the office, and at home.
    let stays: [Stay]
    /// The point half way along the bus ride.
    let halfway: Journey.Point
    /// The plane with its origin at home.
    let plane: LocalPlane
    let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        // Places all over the earth, some of them on the antimeridian or close to a pole.
        plane = LocalPlane(
            latitude: [random.number(in: -70...70), 89.95, -34, 0][Int(seed % 4)],
            longitude: seed % 3 == 0 ? 179.98 : random.number(in: -180...180))

        let direction = random.number(in: 0...(2 * .pi))
        let pace = random.number(in: 1.3...1.6)
        let home = Journey.Point()
        let busStop = home.moved(by: 900, towards: direction - 1)
        let lastStop = busStop.moved(by: 9000, towards: direction)
        let office = lastStop.moved(by: 300, towards: direction + random.number(in: -1.5...1.5))
        let carPark = office.moved(by: 200, towards: direction + random.number(in: -3...3))
        let detour = busStop.moved(by: 5000, towards: direction).moved(by: 3300, towards: direction + .pi / 2)
        let garage = home.moved(by: 100, towards: direction + random.number(in: -1...1))

        var journey = Journey()
        journey.rest(seconds: 7 * 3600 + random.number(in: 0...60))
        let leftHome = journey.now
        journey.walk(to: busStop, speed: pace)
        // Four minutes at the stop: waiting, a walk to the timetable and back, waiting.
        journey.rest(seconds: 110)
        journey.walk(to: busStop.moved(by: 18, towards: 0), speed: 1.2)
        journey.walk(to: busStop, speed: 1.2)
        journey.rest(seconds: 100)
        journey.drive(to: lastStop, speed: 8...14, wait: 10...50, using: &random)
        journey.walk(to: office, speed: pace)
        let cameToOffice = journey.now
        journey.rest(seconds: 8 * 3600)
        let leftOffice = journey.now
        journey.walk(to: carPark, speed: pace)
        journey.rest(seconds: 40)
        journey.drive(to: detour, speed: 10...20, wait: 5...80, using: &random)
        journey.drive(to: garage, speed: 10...20, wait: 5...80, using: &random)
        journey.rest(seconds: 20)
        journey.walk(to: home, speed: pace)
        let cameHome = journey.now
        journey.rest(seconds: Self.length - cameHome)

        self.journey = journey
        halfway = busStop.moved(by: 4500, towards: direction)
        stays = [
            Stay(place: home, begin: 0, end: leftHome), Stay(place: office, begin: cameToOffice, end: leftOffice),
            Stay(place: home, begin: cameHome, end: Self.length),
        ]
    }

    /// Returns the true distance of the device from a point at a time, in metres.
    func distance(from point: Journey.Point, at time: Double) -> Double {
        journey.state(at: time).place.distance(to: point)
    }

    /// Returns a region around a point of the day.
    func region(_ identifier: String, around point: Journey.Point, radius: Double) -> CircularRegion {
        let centre = plane.place(north: point.north, east: point.east)
        return CircularRegion(
            identifier: identifier, latitude: centre.latitude, longitude: centre.longitude, radius: radius)
    }

    /// Returns the timestamp for seconds since midnight.
    static func timestamp(_ seconds: Double) -> Timestamp {
        Timestamp(millisecondsSince1970: 1_750_032_000_000 + Int64((seconds * 1000).rounded()))
    }

    /// Returns the seconds since midnight for a timestamp.
    static func seconds(_ timestamp: Timestamp) -> Double { timestamp.seconds(since: Self.timestamp(0)) }
}
