import Glibc
import LocationModel
import TestSupport

@testable import Positioning

/// A journey with its access points, and a receiver that is slow or finds nothing indoors.
struct RadioDay {
    struct Stay {
        let name: String
        let begin: Double
        let end: Double
        let place: Journey.Point
    }

    let journey: Journey
    let stays: [Stay]
    let points: [RadioModel.AccessPoint]
    let seed: UInt64
    /// The share of the openings indoors that find no fix.
    var indoorFailures = 0.15
    /// The time before which the receiver finds no fix.
    var blindUntil = 0.0
    var length: Double { journey.now }

    /// Returns the stay at a time, or `nil` while the device is on the way.
    func stay(at time: Double) -> Stay? { stays.first { $0.begin <= time && time <= $0.end } }
}

/// The events of a day with significant changes and visits, with stillness or without.
struct RadioDayResult {
    /// The seconds with an open receiver, and the number of openings.
    var openSeconds = 0.0
    var openings: [Double] = []
    var visits: [(visit: Visit, deliveredAt: Double)] = []
    var changes: [(location: Location, at: Double)] = []
    /// The seconds when the device counted as still.
    var stillSeconds = 0.0
    var stillness = Stillness()
    /// The times of the reports of the surroundings, and of the timers of stillness.
    var reports: [Double] = []
    var timers: [Double] = []
}

extension RadioDay {
    private static let plane = LocalPlane(latitude: 47.4, longitude: 8.5)

    /// Lives the day, as the daemon would.
    ///
    /// - Parameter usesSurroundings: `false` for a daemon without NetworkManager.
    func live(usesSurroundings: Bool, from stillness: Stillness = Stillness()) -> RadioDayResult {
        var result = RadioDayResult()
        result.stillness = stillness
        var (radio, random) = (RadioModel(points, seed: seed), SeededRandom(seed: seed))
        var (cycle, change, detector) = (DutyCycle(), SignificantChange(), VisitDetector())
        var firstFix: Double?
        var (isOpen, lastOpen) = (false, -Double.infinity)
        let moving = ReceiverPlan.significantChanges.merged(with: .visits)
        var now = 0.0
        while now < length {
            let place = journey.state(at: now).place
            if usesSurroundings {
                if let report = radio.report(at: place, now) {
                    result.stillness.observe(report, at: now)
                    result.reports.append(now)
                }
                if let deadline = result.stillness.deadline(after: now - 0.5), deadline <= now {
                    result.stillness.advance(to: now)
                    result.timers.append(now)
                }
                if result.stillness.isStill { result.stillSeconds += 1 }
                if let stay = result.stillness.stay {
                    let visits = detector.extendStay(
                        from: stay.from, until: stay.until, certainUntil: stay.certainUntil, beginsThen: true)
                    result.visits += visits.map { ($0, now) }
                }
            }
            cycle.follow(
                usesSurroundings ? result.stillness.plan(at: now) { demand($0, change) } : moving, at: now)
            cycle.advance(to: now)
            if cycle.isOpen != isOpen {
                isOpen = cycle.isOpen
                if isOpen { result.openings.append(now) }
                firstFix = isOpen ? now + timeToFix(at: now, closedFor: now - lastOpen, &random) : nil
            }
            if isOpen { lastOpen = now }
            if let firstFix, now >= firstFix {
                let location = location(at: now, place, &random)
                if cycle.admit(accuracy: location.horizontalAccuracy, at: now) {
                    result.visits += detector.observe(location).map { ($0, now) }
                    if change.admits(location) { result.changes.append((location, now)) }
                    if usesSurroundings { result.stillness.observe(location, at: now) }
                }
            }
            // The fix that ends a search closes the receiver at once.
            if cycle.isOpen { result.openSeconds += 1 }
            now += 1
        }
        return result
    }

    /// Returns the plan of significant changes and visits, as the daemon's.
    private func demand(_ motion: Stillness.Motion, _ change: SignificantChange) -> ReceiverPlan {
        switch motion {
        case .unknown: .significantChanges.merged(with: .visits)
        case .moving: .significantChanges.merged(with: .visitsOnTheWay)
        case .settling, .still: change.lastDelivered == nil ? .significantChanges : .off
        }
    }

    /// Returns the seconds from opening the receiver to its first good fix. Orbits hold for some hours.
    private func timeToFix(at now: Double, closedFor seconds: Double, _ random: inout SeededRandom) -> Double {
        let isIndoors = stay(at: now) != nil
        if now < blindUntil || isIndoors && random.unit() < indoorFailures { return .infinity }
        let orbits = seconds > 2 * 3600 ? random.number(in: 5...15) : 0
        return (isIndoors ? random.number(in: 8...25) : random.number(in: 2...6)) + orbits
    }

    private func location(at now: Double, _ place: Journey.Point, _ random: inout SeededRandom) -> Location {
        let isIndoors = stay(at: now) != nil
        let (north, east) = random.normals()
        let sigma = isIndoors ? 12.0 : 4
        let degrees = Self.plane.place(north: place.north + sigma * north, east: place.east + sigma * east)
        var location = Location(
            timestamp: Day.timestamp(now), latitude: degrees.latitude, longitude: degrees.longitude)
        location.horizontalAccuracy = isIndoors ? random.number(in: 18...45) : random.number(in: 5...9)
        location.speed = journey.state(at: now).speed
        return location
    }
}

/// Builds a day leg by leg, with access points where it leads.
struct RadioDayBuilder {
    var journey = Journey()
    private(set) var stays: [RadioDay.Stay] = []
    private(set) var points: [RadioModel.AccessPoint] = []
    var random: SeededRandom
    private var nextID: UInt64 = 1000

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Adds access points around a place.
    mutating func add(_ count: Int, around place: Journey.Point, within radius: Double, isOwn: Bool = false) {
        for index in 0..<count {
            nextID += 1
            let point = place.moved(by: radius * random.unit().squareRoot(), towards: 2 * .pi * random.unit())
            points.append(
                .init(id: nextID, place: point, range: random.number(in: 35...65), isOwn: isOwn && index == 0))
        }
    }

    mutating func add(_ point: RadioModel.AccessPoint) { points.append(point) }

    /// Stays, and moves about within some metres of the place now and then.
    mutating func stay(_ name: String, seconds: Double, roaming metres: Double = 0, every period: Double = 3600) {
        let (begin, place) = (journey.now, journey.place)
        while metres > 0, journey.now + period + 600 < begin + seconds {
            journey.rest(seconds: period)
            journey.walk(to: place.moved(by: metres, towards: 2 * .pi * random.unit()), speed: 1)
            journey.rest(seconds: 400)
            journey.walk(to: place, speed: 1)
        }
        journey.rest(seconds: max(0, begin + seconds - journey.now))
        stays.append(.init(name: name, begin: begin, end: journey.now, place: place))
    }

    /// Walks along a street with an access point every 40 m.
    mutating func walk(to goal: Journey.Point, spacing: Double = 40) {
        line(to: goal, spacing: spacing)
        journey.walk(to: goal, speed: 1.4)
    }

    mutating func drive(to goal: Journey.Point) {
        line(to: goal, spacing: 80)
        journey.drive(to: goal, speed: 8...14, wait: 10...40, using: &random)
    }

    private mutating func line(to goal: Journey.Point, spacing: Double) {
        let from = journey.place
        let length = from.distance(to: goal)
        let direction = atan2(goal.east - from.east, goal.north - from.north)
        for metres in stride(from: 60, to: length - 60, by: spacing) {
            add(1, around: from.moved(by: metres, towards: direction), within: 25)
        }
    }

    func day(seed: UInt64) -> RadioDay { RadioDay(journey: journey, stays: stays, points: points, seed: seed) }
}
