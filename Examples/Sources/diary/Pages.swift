import CoreLocation

/// The file of the diary: a line for each place, with time, degrees north, degrees east and metres of accuracy.
final class Pages {
    /// The least distance between two places, in metres.
    private static let step = 500.0

    private let file: FileHandle
    private var last: CLLocation?

    init(_ path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(filePath: path))
        }
        file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
    }

    /// Writes a line for a location, if it is exact and far enough from the one before.
    func add(_ location: CLLocation) {
        guard (0...1000).contains(location.horizontalAccuracy) else { return }
        if let last {
            // An event from before the start may arrive after a newer location.
            guard location.timestamp > last.timestamp, location.distance(from: last) >= Self.step else { return }
        }
        last = location
        let line = String(
            format: "%@,%.5f,%.5f,%.0f\n", location.timestamp.ISO8601Format(), location.coordinate.latitude,
            location.coordinate.longitude, location.horizontalAccuracy)
        file.write(Data(line.utf8))
    }
}
