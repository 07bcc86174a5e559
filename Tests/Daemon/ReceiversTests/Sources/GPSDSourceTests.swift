import Corpus
import Devices
import LocationModel
import NMEA
import TestSupport
import Testing

@testable import Receivers

/// The source with the real gpsd.
@Suite(.enabled(if: GPSDaemon.isInstalled, "gpsd is not installed"))
struct GPSDSourceTests {
    /// Sends a log into a serial port and into gpsd. Returns the fixes of both. gpsd may hold back the last one.
    private func fixes(_ log: [UInt8]) async throws -> (port: [Fix], gpsd: [Fix]) {
        let (direct, indirect) = (try Wire(), try Wire())
        let daemon = try GPSDaemon(on: try ReservedPort(), wires: [indirect])
        let count = decoded(log).count
        var result: (port: [Fix], gpsd: [Fix]) = ([], [])
        try await withReceiver(.serial(path: direct.path, baudRate: 9600)) { port in
            try await withReceiver(.gpsd(host: "127.0.0.1", port: daemon.port)) { gpsd in
                try await port.waitUntilOpen()
                try await gpsd.waitUntilOpen()
                try await send(log, to: port, through: direct)
                try await GPSDPlayer(indirect, port: daemon.port).play(log)
                try await port.wait(for: "the fixes of the port") { _ in port.fixes.count >= count ? () : nil }
                try await gpsd.wait(for: "the fixes of gpsd") { _ in gpsd.fixes.count >= count - 1 ? () : nil }
                result = (port.fixes, gpsd.fixes)
            }
        }
        return result
    }

    /// Sends a log epoch by epoch, each when the fixes of the earlier ones have arrived. So the port has room for it,
    /// and a pause of the sender falls between two epochs. Within a sentence, it would damage the sentence.
    private func send(_ log: [UInt8], to receiver: ReceiverProbe, through wire: Wire) async throws {
        var decoder = NMEADecoder()
        var (start, offset, count) = (0, 0, 0)
        while let event = decoder.next(in: log.span.bytes, at: &offset) {
            guard case .epoch(let epoch) = event else { continue }
            try await wire.send(log[start..<offset])
            try await receiver.wait(for: "\(count) fixes") { $0.fixes(count) }
            start = offset
            if Fix(epoch, receiver: "log") != nil { count += 1 }
        }
        try await wire.send(log[start...])
    }

    /// Returns the fixes of a log that is decoded at once: those of its epochs that have a date.
    private func decoded(_ log: [UInt8]) -> [Fix] {
        var decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        var offset = 0
        var fixes: [Fix] = []
        while let event = decoder.next(in: log.span.bytes, at: &offset) ?? decoder.flush() {
            if case .epoch(let epoch) = event, let fix = Fix(epoch, receiver: "log") { fixes.append(fix) }
        }
        return fixes
    }

    /// Expects the same times and places. Returns the pairs of fixes. gpsd may lack one of them, either while it does
    /// not know the receiver yet or at the end.
    @discardableResult
    private func expectSame(_ others: [Fix], _ gpsd: [Fix]) throws -> [(other: Fix, gpsd: Fix)] {
        // Before the date is known, the arrivals count.
        let (others, gpsd) = (others.filter { $0.dating == .receiver }, gpsd.filter { $0.dating == .receiver })
        #expect((0...1).contains(others.count - gpsd.count))
        let pairs = try gpsd.map { fix in
            (other: try #require(others.first { $0.location.timestamp == fix.location.timestamp }), gpsd: fix)
        }
        for (a, b) in pairs {
            #expect(abs(a.location.latitude - b.location.latitude) <= 2e-7)
            #expect(abs(a.location.longitude - b.location.longitude) <= 2e-7)
        }
        return pairs
    }

    @Test func theSameLogThroughGpsdAndThroughThePortGivesTheSameFixes() async throws {
        let journey = Journey(count: 40)
        let (port, gpsd) = try await fixes(journey.bytes)
        #expect(port.map(\.location.timestamp) == journey.timestamps)
        try expectSame(port, gpsd)
        // At the port, an epoch ends early if its sender is delayed within it. So everything else is compared with
        // the log, decoded at once.
        let pairs = try expectSame(decoded(journey.bytes), gpsd)
        #expect(Set(gpsd.map(\.location.receiver)) == ["gpsd"])
        // gpsd reports the first epoch before it has read the sentence that marks it as simulated.
        #expect(Set(gpsd.dropFirst().map(\.location.simulated)) == [true])
        for (a, b) in pairs.dropFirst(2) {
            #expect(a.location.altitude == b.location.altitude)
            #expect(a.location.quality == b.location.quality)
            #expect(abs((a.location.speed ?? 0) - (b.location.speed ?? 9)) < 0.01)
        }
        // If it is delayed, gpsd may report the error estimate of the previous epoch, or of a part of this one.
        let alike = pairs.filter { log, gpsd in
            abs((log.location.horizontalAccuracy ?? 0) - (gpsd.location.horizontalAccuracy ?? 99)) < 0.1
        }
        #expect(alike.count >= pairs.count / 2)
    }

    /// The logs that gpsd reads in the same way. It also accepts the positions of a plotter beside the receiver, and
    /// sentences without a checksum. Of logs from before 2017 the dates count as none on a machine whose clock is set.
    private static let logs =
        ["leap-day", "old-receiver", "southwest", "ten-hertz", "tunnel", "ublox", "week-rollover"]
        .map { Corpus.own.log($0) }
        + [
            "ais-nmea", "gp-320fw-2019-03-28", "gpsdf", "nmea-fuzzy-cases", "nmea-rtk", "quectel-l76k-nmea",
            "st-teseo-liv3f",
            "telit-he910", "ublox-8", "ublox-neo-m9n-nmea",
        ].compactMap { Corpus.recorded?.log($0) }

    @Test(arguments: logs)
    func aLogThroughGPSDAndThroughThePortGivesTheSameFixes(_ log: Log) async throws {
        let (port, gpsd) = try await fixes(try log.bytes())
        try expectSame(port, gpsd)
    }

    @Test func gpsdMayBeKilledAndStartedAgain() async throws {
        let journey = Journey(count: 60)
        let wire = try Wire()
        let port = try ReservedPort()
        let daemon = try GPSDaemon(on: port, wires: [wire])
        try await withReceiver(.gpsd(host: "localhost", port: port.number)) { probe in
            try await probe.waitUntilOpen()
            try await GPSDPlayer(wire, port: port.number).play(journey.epochs[..<30].joined())
            _ = try await probe.waitForFix()
            try await eventually("15 satellites") { try await probe.with { $0.status.satellites.count } == 15 }
            // gpsd may not have been listening yet at the first attempt.
            probe.forget()
            try await daemon.kill()
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected)
            probe.forget()

            let other = try GPSDaemon(on: port, wires: [wire])
            try await probe.waitUntilOpen()
            try await GPSDPlayer(wire, port: port.number).play(journey.epochs[30...].joined())
            _ = try await probe.waitForFix()
            #expect(probe.events.contains(.found))
            // Otherwise the name might be looked up again while the event loop ends.
            try await probe.stop()
            try await other.kill()
        }
    }
}
