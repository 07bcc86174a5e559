import Glibc
import LocationModel
import TestSupport

@testable import Positioning

/// A model of a real GNSS receiver: one fix a second, each with some error, the first ones after opening with more.
///
/// The error wanders (a first-order Gauss-Markov process: 5 m on each axis, correlated over 5 minutes). One fix in a
/// hundred is 60 m off in any direction.
struct ReceiverModel {
    private let day: Day
    private var random: SeededRandom
    private var error: (north: Double, east: Double)
    private var errorTime = 0.0
    private var poorFixes = 0
    /// The time of the next fix, or `nil` if the receiver is closed.
    private(set) var nextFix: Double?
    /// The reported accuracy of the next fix, in metres.
    private(set) var accuracy = 0.0

    private static let sigma = 5.0
    private static let correlationTime = 300.0
    private static let outlierShare = 0.01
    private static let outlierDistance = 60.0
    private static let poorAccuracy = 30.0
    private static let poorSigma = 15.0

    /// - Parameter number: The number of the receiver. Each has errors of its own.
    init(day: Day, number: UInt64 = 1) {
        self.day = day
        random = SeededRandom(seed: day.seed &+ number)
        let (north, east) = random.normals()
        error = (Self.sigma * north, Self.sigma * east)
    }

    mutating func setOpen(_ isOpen: Bool, at now: Double) {
        guard isOpen != (nextFix != nil) else { return }
        nextFix = isOpen ? (now + random.number(in: 1...3)).rounded(.up) : nil
        // A hot start: one or two poor fixes.
        poorFixes = Int(random.number(in: 1...2.99))
        drawAccuracy()
    }

    /// Advances to the next fix, a second later.
    mutating func advance() {
        nextFix = nextFix.map { $0 + 1 }
        poorFixes = max(0, poorFixes - 1)
        drawAccuracy()
    }

    private mutating func drawAccuracy() {
        accuracy = poorFixes > 0 ? Self.poorAccuracy : random.number(in: 6.5...8.5)
    }

    /// Returns the fix for this moment.
    mutating func location(at now: Double) -> Location {
        let (truth, speed) = day.journey.state(at: now)
        let correlation = exp((errorTime - now) / Self.correlationTime)
        let innovation = Self.sigma * (1 - correlation * correlation).squareRoot()
        let (a, b) = random.normals()
        error = (correlation * error.north + innovation * a, correlation * error.east + innovation * b)
        errorTime = now
        var place = Journey.Point(north: truth.north + error.north, east: truth.east + error.east)
        if poorFixes > 0 {
            let (north, east) = random.normals()
            place.north += Self.poorSigma * north
            place.east += Self.poorSigma * east
        }
        if random.unit() < Self.outlierShare {
            place = place.moved(by: Self.outlierDistance, towards: 2 * .pi * random.unit())
        }
        let degrees = day.plane.place(north: place.north, east: place.east)
        var location = Location(
            timestamp: Day.timestamp(now), latitude: degrees.latitude, longitude: degrees.longitude)
        location.horizontalAccuracy = accuracy
        location.speed = (speed + 0.1 * random.normals().0).magnitude
        location.speedAccuracy = 0.1
        return location
    }
}
