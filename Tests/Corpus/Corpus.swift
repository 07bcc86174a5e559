import Foundation

/// Logs of receivers, and the fixes that a decoder must find in them.
public struct Corpus: Sendable {
    /// The generated logs; see `make.py`.
    public static let own = Corpus(folder: URL(filePath: #filePath).deletingLastPathComponent())

    /// Recorded logs from the folder named by the environment variable NMEA_CORPUS, or `nil` if it is not set or empty.
    public static let recorded = ProcessInfo.processInfo.environment["NMEA_CORPUS"].flatMap { $0.isEmpty ? nil : $0 }
        .map { path in
            Corpus(folder: URL(filePath: path))
        }

    /// Recorded logs of receivers that send UBX frames, from the subfolder `ubx` of that folder, or `nil` without it.
    public static let recordedFrames = recorded.map {
        Corpus(folder: $0.folder.appending(path: "ubx"), fileExtension: ".ubx")
    }

    private let folder: URL
    private var fileExtension = ".nmea"

    /// All logs of the folder, sorted by name.
    public var logs: [Log] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "logs").path)) ?? []
        return names.filter { $0.hasSuffix(fileExtension) }.sorted()
            .map { log(String($0.dropLast(fileExtension.count))) }
    }

    /// Returns the log of that name.
    public func log(_ name: String) -> Log {
        Log(name: name, folder: folder, fileExtension: fileExtension)
    }
}

/// The log of a receiver.
public struct Log: Sendable, CustomStringConvertible {
    /// The name of the log's file, without the suffix.
    public let name: String
    let folder: URL
    let fileExtension: String

    /// The name.
    public var description: String { name }

    /// Returns the bytes that the receiver sent.
    public func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "logs/\(name)\(fileExtension)")))
    }

    /// Returns the expected fixes, in order.
    public func fixes() throws -> [ExpectedFix] {
        let lines = try String(contentsOf: folder.appending(path: "expected/\(name).jsonl"), encoding: .utf8)
        return try lines.split(separator: "\n").map { line in
            try JSONDecoder().decode(ExpectedFix.self, from: Data(line.utf8))
        }
    }
}

/// A receiver's data about one moment, in metres, degrees and metres per second. Values that it did not send are
/// `nil`.
public struct ExpectedFix: Sendable, Decodable {
    /// The time as in RFC 3339, or `nil` before the receiver has sent its date.
    public var time: String?
    /// The number of dimensions of the fix, 2 or 3.
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
    /// The horizontal accuracy.
    public var eph: Double?
    /// The vertical accuracy.
    public var epv: Double?

    /// ``time`` in milliseconds since 1970.
    public var millisecondsSince1970: Int64? {
        let formatter = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return time.flatMap { try? formatter.parse($0) }.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }
}
