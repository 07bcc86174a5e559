import Bus
import LocationModel
import Testing

@testable import GeoClueFront

@Suite struct ThresholdsTests {
    /// An update is held back if the distance, or the time, to the last one that was announced is too small.
    @Test(arguments: [
        (Thresholds(), 0.0, 0.0, true), (Thresholds(distance: 100), 99.0, 1e6, false),
        (Thresholds(distance: 100), 101, 0, true), (Thresholds(time: 60), 1e6, 59.9, false),
        (Thresholds(time: 60), 0, 60, true), (Thresholds(time: 60), 0, -60, true),
        (Thresholds(time: 60), 0, -59, false), (Thresholds(distance: 100, time: 60), 101, 59, false),
        (Thresholds(distance: 100, time: 60), 99, 61, false), (Thresholds(distance: 100, time: 60), 101, 61, true),
        (Thresholds(distance: .max, time: .max), 1e6, 1e6, false),
    ])
    func bothLimitsHaveToBeMet(_ thresholds: Thresholds, _ metres: Double, _ seconds: Double, _ isAdmitted: Bool) {
        let moved = Location.berne.moved(north: metres.truncatingRemainder(dividingBy: 1e6), after: seconds)
        #expect(thresholds.admit(moved, after: .berne) == isAdmitted)
        #expect(thresholds.admit(moved, after: nil), "the first one")
    }

    @Test func slowStepsCount() {
        var scene = Scene()
        scene.authorizations[1] = .granted
        let path = scene.makeLabelledClient()
        scene.set("DistanceThreshold", .uint32(100), path)
        scene.start(path)
        scene.deliver()
        _ = scene.take()
        for step in 1...9 { scene.deliver(.berne.moved(north: Double(step) * 11)) }
        #expect(scene.take().isEmpty)
        scene.deliver(.berne.moved(north: 110))
        #expect(scene.take().count == 2)
    }

    /// A program that has started its client again waits for a location, wherever the machine was before.
    @Test func theFirstLocationAfterEachStartPasses() {
        var scene = Scene()
        scene.authorizations[1] = .granted
        let path = scene.makeLabelledClient()
        scene.set("DistanceThreshold", .uint32(50_000), path)
        for isStopped in [false, true, false] {
            if isStopped { scene.stop(path) }
            scene.start(path)
            _ = scene.take()
            scene.deliver()
            #expect(scene.take().count == 2)
            scene.deliver(.berne.moved(north: 40_000))
            #expect(scene.take().isEmpty)
        }
    }

    /// A clearly better accuracy is no reason for a signal, unlike in a subscription of our own interface.
    @Test func aBetterAccuracyDoesNotCount() {
        var poor = Location.berne
        poor.horizontalAccuracy = 100
        var good = poor
        good.horizontalAccuracy = 1
        #expect(!Thresholds(distance: 10).admit(good, after: poor))
    }

    @Test func theyHoldFromTheNextLocationOn() {
        var scene = Scene()
        scene.authorizations[1] = .granted
        let path = scene.makeLabelledClient()
        scene.start(path)
        scene.deliver()
        scene.set("TimeThreshold", .uint32(10), path)
        _ = scene.take()
        scene.deliver(.berne.moved(after: 9))
        #expect(scene.take().isEmpty)
        scene.set("TimeThreshold", .uint32(0), path)
        _ = scene.take()
        scene.deliver(.berne.moved(after: 9.5))
        #expect(scene.take().count == 2)
    }
}
