import Glibc
import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct ReducedRadiusTests {
    /// Attack: if the radius does not always hold, its failure reveals that the true position lies beyond it. 60
    /// journeys of 100 quarters, settled alternately at the beginning and in the middle of a quarter. Half of the
    /// journeys are near a pole or the 180th meridian, on foot or at the greatest plausible speed. The fix is up to as
    /// late as counts, and has the greatest error that its accuracy allows for.
    @Test func theTruePositionIsAlwaysInside() {
        var greatest = 0.0
        var updates = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            var device = ReductionTrial.Device(seed: seed)
            var place = start(seed, &device.chance)
            let speed = seed % 2 == 0 ? device.chance.between(0, 20) : device.chance.between(0, 360)
            var course = device.chance.between(0, 2 * .pi)
            for tick in 0..<100 {
                let moment = tick % 2 == 0 ? 0.0 : 450
                let delay = device.chance.between(0, LateFixes.clockToleranceSeconds)
                var (latitude, longitude) = moved(place, speed * delay, course)
                (latitude, longitude) = moved((latitude, longitude), 200, device.chance.between(0, 2 * .pi))
                var fix = Location(
                    timestamp: ReductionTrial.moment(Double(tick) * 900 + moment + delay), latitude: latitude,
                    longitude: longitude)
                fix.speed = speed
                fix.horizontalAccuracy = 40
                if let told = device.reducer.reduce(fix) {
                    updates += 1
                    #expect(told.timestamp == ReductionTrial.moment(Double(tick) * 900))
                    let distance = ReductionTrial.metres(place, (told.latitude, told.longitude))
                    greatest = max(greatest, distance)
                    #expect(told.horizontalAccuracy == AccuracyReducer.horizontalAccuracy)
                    #expect(distance <= AccuracyReducer.horizontalAccuracy, "seed \(seed), tick \(tick), \(place)")
                }
                place = moved(place, speed * 900, course)
                course += device.chance.between(-1, 1)
            }
        }
        #expect(updates == 6000)
        print("radius: \(updates) positions on the globe, the farthest \(ReductionTrial.kilometres(greatest)) off")
    }

    private func start(_ seed: UInt64, _ chance: inout SeededRandom) -> (latitude: Double, longitude: Double) {
        switch seed % 6 {
        case 0: (chance.between(89.8, 90), chance.between(-180, 180))
        case 1: (chance.between(-90, -89.8), chance.between(-180, 180))
        case 2: (chance.between(-70, 70), remainder(180 + chance.between(-0.1, 0.1), 360))
        default: (asin(chance.between(-1, 1)) * 180 / .pi, chance.between(-180, 180))
        }
    }

    /// Moves along a great circle of a sphere, which works at the poles. The sphere is so large that no distance on
    /// the ellipsoid is longer than intended.
    private func moved(_ from: (latitude: Double, longitude: Double), _ metres: Double, _ course: Double) -> (
        latitude: Double, longitude: Double
    ) {
        let angle = metres / 6_400_000
        let (sine, cosine) = (sin(from.latitude * .pi / 180), cos(from.latitude * .pi / 180))
        let sineTo = max(-1, min(1, sine * cos(angle) + cosine * sin(angle) * cos(course)))
        let east = atan2(sin(course) * sin(angle) * cosine, cos(angle) - sine * sineTo)
        return (asin(sineTo) * 180 / .pi, remainder(from.longitude + east * 180 / .pi, 360))
    }
}
