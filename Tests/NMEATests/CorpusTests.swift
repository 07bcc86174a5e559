import Foundation
import NMEA
import Testing

/// Recorded receivers and the fixes in them, where the environment variable NMEA_CORPUS names their folder.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["NMEA_CORPUS"] != nil))
struct CorpusTests {
    private struct Expected: Decodable {
        var time: Date?
        var altMSL: Double?
    }

    private static let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["NMEA_CORPUS"] ?? ".")

    private static var logs: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "logs").path)) ?? []
        return names.filter { $0.hasSuffix(".nmea") }.map { String($0.dropLast(5)) }.sorted()
    }

    private func log(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.folder.appending(path: "logs/\(name).nmea")))
    }

    private func expected(_ name: String) throws -> [Int64: Expected] {
        let formatter = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { try formatter.parse($0.singleValueContainer().decode(String.self)) }
        let lines = try String(contentsOf: Self.folder.appending(path: "expected/\(name).jsonl"), encoding: .utf8)
        var fixes: [Int64: Expected] = [:]
        for line in lines.split(separator: "\n") {
            let fix = try decoder.decode(Expected.self, from: Data(line.utf8))
            if let time = fix.time { fixes[Int64((time.timeIntervalSince1970 * 1000).rounded())] = fix }
        }
        return fixes
    }

    @Test(arguments: logs)
    func isReadTheSameHoweverItIsCut(_ name: String) throws {
        let decoded = decode(try log(name))
        let times = decoded.epochs.compactMap(\.millisecondsSince1970)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 != $1 })
        #expect(decoded.counts.epochs == decoded.epochs.count)
    }

    @Test func nearlyAllExpectedFixesAreFound() throws {
        var found = 0
        var all = 0
        for name in Self.logs {
            let epochs = decode(try log(name)).epochs
            for (time, fix) in try expected(name) {
                all += 1
                guard let epoch = epochs.first(where: { abs(($0.millisecondsSince1970 ?? .min / 2) - time) <= 10 })
                else { continue }
                found += 1
                if let altitude = epoch.altitude, let told = fix.altMSL {
                    #expect(abs(altitude - told) < 0.15, "\(name) at \(time)")
                }
            }
        }
        #expect(all > 0)
        #expect(Double(found) >= 0.999 * Double(all), "\(found) of \(all)")
    }

    /// Nothing is invented: each latitude and longitude stands in the log.
    @Test(arguments: logs)
    func everyPositionIsOneOfTheLog(_ name: String) throws {
        let bytes = try log(name)
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
        var written: Set<Int64> = []
        for (number, hemisphere) in zip(fields, fields.dropFirst()) {
            guard ["N", "S", "E", "W"].contains(hemisphere), let value = Double(number) else { continue }
            let degrees = (value / 100).rounded(.down)
            let angle = degrees + (value - 100 * degrees) / 60
            written.insert(Int64((angle * 1e7).rounded()) * (["N", "E"].contains(hemisphere) ? 1 : -1))
        }
        for epoch in decode(bytes).epochs {
            for angle in [epoch.latitude, epoch.longitude] {
                let near = Int64((angle * 1e7).rounded())
                #expect((near - 1...near + 1).contains { written.contains($0) }, "\(angle)")
            }
        }
    }
}
