import Glibc
import LocationModel
import TestSupport

@testable import Positioning

/// The common parts of the attacks on reduced accuracy: randomness, a receiver's noise, distances, and the bounds of
/// chance.
enum ReductionTrial {
    /// Monday, 2026-03-02T00:00:00Z.
    static let start = Timestamp(millisecondsSince1970: 1_772_409_600_000)

    /// Returns the moment this many seconds after the start.
    static func moment(_ seconds: Double) -> Timestamp {
        Timestamp(millisecondsSince1970: start.millisecondsSince1970 + Int64((seconds * 1000).rounded()))
    }

    /// Returns the distance between two places in degrees, in metres.
    static func metres(_ a: (latitude: Double, longitude: Double), _ b: (latitude: Double, longitude: Double)) -> Double
    {
        Ellipsoid.wgs84.distance(
            fromLatitude: a.latitude, longitude: a.longitude, toLatitude: b.latitude, longitude: b.longitude)
    }

    static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    /// Returns the greatest number of hits that chance explains. More than that has a probability of less than 1 %.
    static func chanceBound(trials: Int, probability: Double) -> Int {
        var term = pow(1 - probability, Double(trials))
        var sum = term
        var hits = 0
        while sum < 0.99 {
            term *= Double(trials - hits) / Double(hits + 1) * probability / (1 - probability)
            hits += 1
            sum += term
        }
        return hits
    }

    /// Returns kilometres with two decimals.
    static func kilometres(_ metres: Double) -> String {
        let hundredths = Int((metres / 10).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) km"
    }
}

extension ReductionTrial {
    /// The error of a receiver's position: a Gauss-Markov process of 5 m in each direction, with a correlation time
    /// of 300 s.
    struct Noise {
        private var north = 0.0
        private var east = 0.0
        private var last: Double?

        /// Returns the error in metres at a time in seconds.
        mutating func next(at seconds: Double, _ chance: inout SeededRandom) -> (north: Double, east: Double) {
            let kept = last.map { exp(-(seconds - $0) / 300) } ?? 0
            let fresh = 5 * (1 - kept * kept).squareRoot()
            north = kept * north + fresh * chance.normal()
            east = kept * east + fresh * chance.normal()
            last = seconds
            return (north, east)
        }
    }

    /// A plane around a place, for the construction of journeys.
    struct Plane {
        let latitude: Double
        let longitude: Double
        private let metresPerDegreeEast: Double
        private static let metresPerDegreeNorth = 111_200.0

        init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
            metresPerDegreeEast = Self.metresPerDegreeNorth * cos(latitude * .pi / 180)
        }

        /// Returns the place at a point, in degrees.
        func place(_ point: Point) -> (latitude: Double, longitude: Double) {
            (
                latitude + point.north / Self.metresPerDegreeNorth,
                remainder(longitude + point.east / metresPerDegreeEast, 360)
            )
        }

        /// Returns the point at a place, given in degrees.
        func point(_ place: (latitude: Double, longitude: Double)) -> Point {
            Point(
                north: (place.latitude - latitude) * Self.metresPerDegreeNorth,
                east: remainder(place.longitude - longitude, 360) * metresPerDegreeEast)
        }
    }

    /// A displacement from the origin of a plane, in metres.
    struct Point {
        var north: Double
        var east: Double

        static func + (a: Point, b: Point) -> Point { Point(north: a.north + b.north, east: a.east + b.east) }
        static func - (a: Point, b: Point) -> Point { Point(north: a.north - b.north, east: a.east - b.east) }
        static func * (a: Point, factor: Double) -> Point { Point(north: a.north * factor, east: a.east * factor) }
        var length: Double { hypot(north, east) }
    }

    /// A device with a noisy receiver, and the reducer of its machine.
    struct Device {
        var reducer: AccuracyReducer
        var chance: SeededRandom
        let secret: [UInt8]
        private var noise = Noise()

        init(seed: UInt64) {
            chance = SeededRandom(seed: seed)
            secret = chance.secret()
            reducer = AccuracyReducer(secret: secret, state: nil)
        }

        /// Returns the receiver's fix at a point, this many seconds after the start.
        mutating func fix(_ plane: Plane, _ point: Point, at seconds: Double) -> Location {
            let error = noise.next(at: seconds, &chance)
            let place = plane.place(point + Point(north: error.north, east: error.east))
            var location = Location(
                timestamp: moment(seconds), latitude: place.latitude, longitude: place.longitude)
            location.horizontalAccuracy = 5
            return location
        }

        /// Passes the fix at a point to the reducer. Returns the update, if there is one.
        mutating func observe(_ plane: Plane, _ point: Point, at seconds: Double) -> Location? {
            let location = fix(plane, point, at: seconds)
            return reducer.reduce(location)
        }
    }
}

extension SeededRandom {
    mutating func between(_ low: Double, _ high: Double) -> Double { number(in: low...high) }

    /// Returns a random number of mean 0 and variance 1.
    mutating func normal() -> Double {
        (-2 * log(between(1e-12, 1))).squareRoot() * cos(between(0, 2 * .pi))
    }

    mutating func secret() -> [UInt8] {
        (0..<32).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

extension AccuracyReducer {
    /// Consumes a fix that arrives at the moment of its timestamp.
    mutating func reduce(_ location: Location) -> Location? { reduce(location, at: location.timestamp) }
}
