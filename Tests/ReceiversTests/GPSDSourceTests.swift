import Foundation
import Positioning
import Testing

@testable import Receivers

/// Against the real gpsd.
@Suite(.enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct GPSDSourceTests {
    private static let corpus = ProcessInfo.processInfo.environment["NMEA_CORPUS"]

    /// Sends a log into a serial port and into gpsd, and gives the fixes of both. gpsd may hold the last one back.
    private func fixes(_ log: [UInt8]) async throws -> (port: [Fix], gpsd: [Fix]) {
        let (direct, indirect) = (try Wire(), try Wire())
        let daemon = try GPSDaemon(port: try GPSDaemon.freePort(), wires: [indirect])
        var result: (port: [Fix], gpsd: [Fix]) = ([], [])
        try await withReceiver(.serial(path: direct.path, baudRate: nil)) { port in
            try await withReceiver(.gpsd(host: "127.0.0.1", port: daemon.port)) { gpsd in
                try await gpsd.waitUntilOpen()
                try await direct.send(log)
                try await indirect.play(log)
                try await gpsd.wait(for: "fixes") { _ in
                    let count = port.fixes.count
                    return count > 1 && gpsd.fixes.count >= count - 1 ? () : nil
                }
                result = (port.fixes, gpsd.fixes)
            }
        }
        return result
    }

    /// Expects the same times and places; gives the pairs. gpsd may lack one, while it does not know the receiver yet or
    /// at the end.
    @discardableResult
    private func expectSame(_ port: [Fix], _ gpsd: [Fix]) throws -> [(port: Fix, gpsd: Fix)] {
        #expect((0...1).contains(port.count - gpsd.count))
        let pairs = try gpsd.map { fix in
            (port: try #require(port.first { $0.location.timestamp == fix.location.timestamp }), gpsd: fix)
        }
        for (a, b) in pairs {
            #expect(abs(a.location.latitude - b.location.latitude) <= 2e-7)
            #expect(abs(a.location.longitude - b.location.longitude) <= 2e-7)
        }
        return pairs
    }

    @Test func `the same log through gpsd and through the port gives the same fixes`() async throws {
        let journey = Journey(count: 40)
        let (port, gpsd) = try await fixes(journey.bytes)
        #expect(port.map(\.location.timestamp) == journey.timestamps)
        let pairs = try expectSame(port, gpsd)
        #expect(Set(gpsd.map(\.location.receiver)) == ["gpsd"])
        // gpsd reports the first epoch before it has read the sentence that says so.
        #expect(Set(gpsd.dropFirst().map(\.location.simulated)) == [true])
        for (a, b) in pairs.dropFirst(2) {
            #expect(a.location.altitude == b.location.altitude)
            #expect(a.quality == b.quality)
            #expect(abs((a.location.speed ?? 0) - (b.location.speed ?? 9)) < 0.01)
            // gpsd may report the error estimate of the epoch before.
            #expect(abs((a.location.horizontalAccuracy ?? 0) - (b.location.horizontalAccuracy ?? 99)) < 0.1)
        }
    }

    @Test(
        .enabled(if: corpus != nil, "NMEA_CORPUS is not set"),
        arguments: [
            "ais-nmea", "gp-320fw-2019-03-28", "gpsdf", "nmea-fuzzy-cases", "nmea-rtk", "quectel-l76k-nmea", "rx210",
            "st-teseo-liv3f", "telit-he910", "ublox-8", "ublox-neo-m9n-nmea",
        ])
    func `a recorded log through gpsd and through the port gives the same fixes`(name: String) async throws {
        let path = "\(try #require(Self.corpus))/logs/\(name).nmea"
        let (port, gpsd) = try await fixes([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        try expectSame(port, gpsd)
    }

    @Test func `gpsd may be killed and started again`() async throws {
        let journey = Journey(count: 60)
        let wire = try Wire()
        let port = try GPSDaemon.freePort()
        let daemon = try GPSDaemon(port: port, wires: [wire])
        try await withReceiver(.gpsd(host: "localhost", port: port)) { probe in
            try await probe.waitUntilOpen()
            try await wire.play(journey.epochs[..<30].joined())
            _ = try await probe.waitForFix()
            #expect(try await probe.with { $0.satellites.count } == 15)
            // gpsd may not have been there yet at the first attempt.
            probe.forget()
            let killed = ContinuousClock.now
            daemon.kill()
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected)
            #expect(ContinuousClock.now - killed < .seconds(5))

            let other = try GPSDaemon(port: port, wires: [wire])
            try await probe.waitUntilOpen()
            probe.forget()
            try await wire.play(journey.epochs[30...].joined())
            _ = try await probe.waitForFix()
            #expect(probe.events.contains(.found))
            other.kill()
        }
    }
}
