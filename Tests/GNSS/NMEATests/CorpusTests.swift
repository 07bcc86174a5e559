import Corpus
import NMEA
import Testing

/// Whole logs, and the fixes in them.
struct CorpusTests {
    private static let logs = Corpus.own.logs + (Corpus.recorded?.logs ?? [])

    /// 2017-01-01, the daemon's `Plausibility.earliestLiveDate`: in one log, the receiver's date is 1024 weeks off.
    private static let earliestDate: Int64 = 1_483_228_800_000

    @Test(arguments: Corpus.own.logs)
    func everyFixIsFoundAndNoOther(_ log: Log) throws {
        let epochs = decode(try log.bytes(), earliestDate: Self.earliestDate).epochs
        let fixes = try log.fixes()
        #expect(!fixes.isEmpty)
        #expect(epochs.map(\.millisecondsSince1970) == fixes.map(\.millisecondsSince1970))
        for (epoch, fix) in zip(epochs, fixes) { expect(epoch, fix) }
    }

    private func expect(_ epoch: Epoch, _ fix: ExpectedFix) {
        let time = fix.time ?? "before the first date"
        // Half of the last digit of a receiver that writes four decimals of minutes.
        #expect(abs(epoch.latitude - fix.lat) < 1e-6 && abs(epoch.longitude - fix.lon) < 1e-6, "\(time)")
        #expect(epoch.dimension == fix.mode.map { $0 == 2 ? .two : .three }, "\(time)")
        #expect(isNear(epoch.altitude, fix.altMSL, 1e-6), "\(time)")
        #expect(isNear(epoch.ellipsoidalAltitude, fix.altHAE, 1e-6), "\(time)")
        #expect(isNear(epoch.speed, fix.speed, 1e-3), "\(time)")
        #expect(isNear(epoch.course, fix.track, 1e-6), "\(time)")
        #expect(isNear(epoch.hdop, fix.hdop, 1e-6), "\(time)")
    }

    /// Returns whether the values differ by less than `limit`, or are both absent.
    private func isNear(_ a: Double?, _ b: Double?, _ limit: Double) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return abs(a - b) < limit
    }

    @Test(.enabled(if: Corpus.recorded != nil, "NMEA_CORPUS is not set"))
    func nearlyAllFixesOfRecordedLogsAreFound() throws {
        var found = 0
        var all = 0
        for log in Corpus.recorded?.logs ?? [] {
            let epochs = decodeOnce(try log.bytes()).epochs
            for fix in try log.fixes() {
                guard let time = fix.millisecondsSince1970 else { continue }
                all += 1
                guard let epoch = epochs.first(where: { abs(($0.millisecondsSince1970 ?? .min / 2) - time) <= 10 })
                else { continue }
                found += 1
                if let altitude = epoch.altitude, let expected = fix.altMSL {
                    #expect(abs(altitude - expected) < 0.15, "\(log) at \(time)")
                }
            }
        }
        #expect(all > 0)
        #expect(Double(found) >= 0.999 * Double(all), "\(found) of \(all)")
    }

    /// Checks the values read from frames, alone and together with sentences.
    @Test(arguments: Corpus.recordedFrames?.logs ?? [])
    func recordedFrames(_ log: Log) throws {
        let decoded = decode(try log.bytes())
        let fixes = Dictionary(grouping: try log.fixes()) { $0.millisecondsSince1970 }
        for epoch in decoded.epochs {
            guard let all = fixes[epoch.millisecondsSince1970], let fix = all.last else { continue }
            let time = fix.time ?? ""
            let isAtOne = all.contains { abs(epoch.latitude - $0.lat) < 2e-7 && abs(epoch.longitude - $0.lon) < 2e-7 }
            #expect(isAtOne, "\(time)")
            // Of the two, the frame's figure counts, and is not rounded.
            #expect(all.contains { isNear(epoch.altitude, $0.altMSL, 0.06) || $0.altMSL == nil }, "\(time)")
            guard decoded.counts.sentences < 2 else { continue }
            #expect(isNear(epoch.horizontalAccuracy, fix.eph, 0.001), "\(time)")
            if epoch.dimension == .three { #expect(isNear(epoch.verticalAccuracy, fix.epv, 0.001), "\(time)") }
        }
        let found = Set(decoded.epochs.compactMap(\.millisecondsSince1970))
        let missing = fixes.keys.filter { !found.contains($0 ?? 0) }
        // That receiver has hardly any satellites, and says of most positions that they exceed the limits set in it.
        #expect(log.name == "ublox-glo" ? missing.count == 275 && found.count == 16 : missing.isEmpty, "\(missing)")
    }

    @Test(arguments: logs)
    func aLogIsReadTheSameHoweverItIsCut(_ log: Log) throws {
        let decoded = decode(try log.bytes())
        let times = decoded.epochs.compactMap(\.millisecondsSince1970)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 != $1 })
        #expect(decoded.counts.epochs == decoded.epochs.count)
    }

    /// Checks that no position is invented: each latitude and longitude occurs in the log.
    @Test(arguments: logs)
    func everyPositionIsOneOfTheLog(_ log: Log) throws {
        let bytes = try log.bytes()
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
        var written: Set<Int64> = []
        for (number, hemisphere) in zip(fields, fields.dropFirst()) {
            guard ["N", "S", "E", "W"].contains(hemisphere), let value = Double(number) else { continue }
            let degrees = (value / 100).rounded(.down)
            let angle = degrees + (value - 100 * degrees) / 60
            written.insert(Int64((angle * 1e7).rounded()) * (["N", "E"].contains(hemisphere) ? 1 : -1))
        }
        for epoch in decodeOnce(bytes).epochs {
            for angle in [epoch.latitude, epoch.longitude] {
                let near = Int64((angle * 1e7).rounded())
                #expect((near - 1...near + 1).contains { written.contains($0) }, "\(angle)")
            }
        }
    }
}
