import Bus
import EventLoopSupport
import LocationModel
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import Beacons

/// The scanner with simulated beacons, which need no bus.
@Suite struct BeaconScannerTests {
    private let loop = EmbeddedEventLoop()
    private let scanner: BeaconScanner
    private let pattern = BeaconSamples.pattern()

    init() throws {
        let bus = Bus(address: "unix:path=/nonexistent", poller: try DescriptorPoller(on: loop), on: loop)
        scanner = BeaconScanner(on: bus, loop: loop) { Timestamp(millisecondsSince1970: 1_800_000_000_000) }
        let beacon = try #require(
            SimulatedBeacon(BeaconConstraint(uuid: BeaconSamples.uuid, major: 1, minor: 2), distance: 1))
        scanner.simulate([beacon])
    }

    /// Attack: a local program switches the adapter on and off all the time, or an app opens and closes streams.
    @Test func reportsComeOnceASecondHoweverOftenTheyAreRequested() {
        var reports = 0
        scanner.onReport = { reports += 1 }
        scanner.follow(ranged: [pattern], watched: [])
        for _ in 0..<100 {
            loop.advanceTime(by: .milliseconds(100))
            scanner.reportSoon()
        }
        #expect((9...10).contains(reports))
    }

    @Test func withoutDemandNothingIsReported() {
        var reports = 0
        scanner.onReport = { reports += 1 }
        scanner.follow(ranged: [pattern], watched: [])
        scanner.follow(ranged: [], watched: [])
        loop.advanceTime(by: .seconds(60))
        #expect(reports == 0)
    }

    /// Attack: a machine is carried away while it sleeps, in which the loop's clock stands still.
    @Test func afterASleepNothingIsInRange() {
        let watch = BeaconWatch(pattern)
        scanner.follow(ranged: [pattern], watched: [watch])
        loop.advanceTime(by: .seconds(3))
        #expect(scanner.beacons(matching: pattern).count == 1)
        #expect(scanner.state(of: watch) == .inside)
        scanner.woke()
        #expect(scanner.beacons(matching: pattern).isEmpty)
        #expect(scanner.state(of: watch) == .unknown)
        // Then it is heard again.
        loop.advanceTime(by: .seconds(2))
        #expect(scanner.beacons(matching: pattern).count == 1)
        #expect(scanner.state(of: watch) == .inside)
    }
}
