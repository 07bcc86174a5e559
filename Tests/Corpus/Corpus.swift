import Foundation

/// Logs of receivers, and the fixes that a reader is to find in them.
public struct Corpus: Sendable {
    /// The logs of our own making: see `make.py`.
    public static let own = Corpus(folder: URL(filePath: #filePath).deletingLastPathComponent())

    /// Recorded logs, from the folder that the environment variable NMEA_CORPUS names.
    public static let recorded = ProcessInfo.processInfo.environment["NMEA_CORPUS"].map { path in
        Corpus(folder: URL(filePath: path))
    }

    private let folder: URL

    /// All logs of the folder, by name.
    public var logs: [Log] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "logs").path)) ?? []
        return names.filter { $0.hasSuffix(".nmea") }.sorted().map { log(String($0.dropLast(5))) }
    }

    /// The log of that name.
    public func log(_ name: String) -> Log {
        Log(name: name, folder: folder)
    }
}

/// The log of a receiver.
public struct Log: Sendable, CustomStringConvertible {
    /// The name of its file, without the suffix.
    public let name: String
    let folder: URL

    /// The name.
    public var description: String { name }

    /// What the receiver sent.
    public func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "logs/\(name).nmea")))
    }

    /// The fixes in it, in order.
    public func fixes() throws -> [ExpectedFix] {
        let lines = try String(contentsOf: folder.appending(path: "expected/\(name).jsonl"), encoding: .utf8)
        return try lines.split(separator: "\n").map { line in
            try JSONDecoder().decode(ExpectedFix.self, from: Data(line.utf8))
        }
    }
}

/// What a receiver said about one moment: metres, degrees and metres per second; `nil` where it did not.
public struct ExpectedFix: Sendable, Decodable {
    /// RFC 3339; `nil` before the receiver has told its date.
    public var time: String?
    /// 2 or 3 dimensions.
    public var mode: Int?
    /// The latitude.
    public var lat: Double
    /// The longitude.
    public var lon: Double
    /// The altitude above mean sea level.
    public var altMSL: Double?
    /// The altitude above the ellipsoid.
    public var altHAE: Double?
    /// The speed over ground.
    public var speed: Double?
    /// The course over ground, from true north.
    public var track: Double?
    /// The horizontal dilution of precision.
    public var hdop: Double?

    /// ``time`` in milliseconds since 1970.
    public var millisecondsSince1970: Int64? {
        let formatter = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return time.flatMap { try? formatter.parse($0) }.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }
}
