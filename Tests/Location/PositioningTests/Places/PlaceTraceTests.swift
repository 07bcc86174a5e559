import Glibc
import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// The accuracy of remembered places in made-up towns: how often the device is within the stated radius.
@Suite struct PlaceTraceTests {
    private struct Result {
        var (given, within, known, knownGiven) = (0, 0, 0, 0)
    }

    private static let plane = LocalPlane(latitude: 47.4, longitude: 8.5)

    /// Returns a town with a home, an office and a café, and neighbours with access points of their own all over it.
    private func town(seed: UInt64) -> (points: [RadioModel.AccessPoint], places: [Journey.Point]) {
        var builder = RadioDayBuilder(seed: seed)
        let places = [
            Journey.Point(), Journey.Point(north: 900, east: 400), Journey.Point(north: 1010, east: 400),
        ]
        for (place, count) in zip(places, [9, 22, 6]) {
            builder.add(count, around: place, within: 70, isOwn: count != 6)
            for step in 1...6 {
                builder.add(3, around: place.moved(by: 60 * Double(step), towards: Double(step)), within: 40)
            }
        }
        return (builder.points, places)
    }

    private func location(_ place: Journey.Point, _ time: Double, _ random: inout SeededRandom) -> Location {
        let (north, east) = random.normals()
        let degrees = Self.plane.place(north: place.north + 8 * north, east: place.east + 8 * east)
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: Int64(time * 1000)), latitude: degrees.latitude,
            longitude: degrees.longitude)
        location.horizontalAccuracy = random.number(in: 7...19)
        return location
    }

    /// Spends ten minutes at each place behind a window. Then the machine is started forty times without a fix: in
    /// another room of a place, or, one time in four, somewhere around it.
    private func result(seed: UInt64) -> Result {
        let (points, places) = town(seed: seed)
        var (memory, random, result, now) = (PlaceMemory(), SeededRandom(seed: seed), Result(), 0.0)
        for (index, place) in places.enumerated() {
            memory.pause()
            var radio = RadioModel(points, seed: seed &* 10 &+ UInt64(index))
            for second in stride(from: 0.0, to: 600, by: 1) {
                if let report = radio.report(at: place, second) { memory.observe(report, at: now + second) }
                if second.truncatingRemainder(dividingBy: 10) == 0 {
                    memory.observe(location(place, second, &random), at: now + second, day: 1)
                }
            }
            now += 10_000
        }
        for start in 0..<40 {
            memory.pause()
            let isKnown = start % 4 > 0
            let reach: ClosedRange<Double> = isKnown ? 0...30 : 60...300
            let place = places[start % places.count].moved(
                by: random.number(in: reach), towards: 2 * .pi * random.unit())
            var radio = RadioModel(points, seed: seed &* 1000 &+ UInt64(start))
            // The first list of the surroundings.
            guard let report = radio.report(at: place, 0) else { continue }
            memory.observe(report, at: now)
            if isKnown { result.known += 1 }
            let given = memory.location(
                at: now, timestamp: Timestamp(millisecondsSince1970: 0), day: 1, after: nil)
            now += 10_000
            guard let given, let radius = given.horizontalAccuracy else { continue }
            let degrees = Self.plane.place(north: place.north, east: place.east)
            let truth = Location(timestamp: given.timestamp, latitude: degrees.latitude, longitude: degrees.longitude)
            result.given += 1
            if isKnown { result.knownGiven += 1 }
            if given.distance(to: truth) <= radius { result.within += 1 }
        }
        return result
    }

    @Test func theDeviceIsWithinTheStatedRadius() {
        var sum = Result()
        for seed in 1...50 as ClosedRange<UInt64> {
            let result = result(seed: seed)
            sum.given += result.given
            sum.within += result.within
            sum.known += result.known
            sum.knownGiven += result.knownGiven
        }
        print(
            "remembered places: within the radius in \(sum.within) of \(sum.given), given by the first list in "
                + "\(sum.knownGiven) of \(sum.known) starts at a known place")
        #expect(Double(sum.within) >= 0.95 * Double(sum.given))
        #expect(Double(sum.knownGiven) >= 0.8 * Double(sum.known))
    }
}
