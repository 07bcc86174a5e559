import Foundation
import TestSupport

/// A journey north and back, as reported by a receiver from 2026-06-01T12:00:00Z on.
///
/// It begins at 47° 30' N 8° 45' E.
struct Track {
    /// The seconds from one epoch to the next.
    let interval: Int
    private(set) var sentences = ""
    /// The seconds from the beginning to the next epoch.
    private var second = 0
    /// The metres north of the beginning.
    private(set) var north = 0.0

    static let metresPerMinute = 1853.2

    init(every interval: Int = 1) { self.interval = interval }

    /// Moves for some seconds at a speed in metres per second, to the south if it is negative.
    mutating func go(_ seconds: Int, at speed: Double) {
        for _ in 0..<seconds / interval {
            add(speed: speed.magnitude, east: 0)
            north += speed * Double(interval)
        }
    }

    /// Moves for a second, and returns the sentences of its epoch: for a wire, where the journey continues as far as a
    /// test wants it to. They are not kept for ``write(to:as:)``.
    mutating func next(at speed: Double) -> String {
        sentences = ""
        go(1, at: speed)
        return sentences
    }

    /// Adds an epoch at the current position, offset by metres to the east and to the north.
    mutating func add(speed: Double, east: Double, hdop: Double = 0.9, north offset: Double = 0) {
        let time = String(120000 + second / 3600 * 10000 + second / 60 % 60 * 100 + second % 60)
        let latitude = Self.angle(47 * 60 + 30 + (north + offset) / Self.metresPerMinute, digits: 2)
        let longitude = Self.angle(8 * 60 + 45 + east / (Self.metresPerMinute * 0.676), digits: 3)
        let hundredths = Int((speed * 3600 / 18.52).rounded())
        let knots = "\(hundredths / 100).\(Self.number(hundredths % 100, digits: 2))"
        sentences += Sentences.sentence("GPRMC,\(time).00,A,\(latitude),N,\(longitude),E,\(knots),0.0,010626,,,A")
        sentences += Sentences.sentence(
            "GPGGA,\(time).00,\(latitude),N,\(longitude),E,1,09,\(hdop),400.0,M,47.0,M,,")
        second += interval
    }

    /// Returns the latitude in degrees this many metres north of the beginning.
    static func latitude(north: Double) -> Double { 47.5 + north / metresPerMinute / 60 }

    /// Writes the track to a file in `folder`, and returns the file's path.
    func write(to folder: TemporaryFolder, as name: String) throws -> String {
        let path = folder.path + "/" + name
        try sentences.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Returns minutes as `ddmm.mmmmm`.
    private static func angle(_ minutes: Double, digits: Int) -> String {
        let whole = Int((minutes * 100_000).rounded())
        let degrees = whole / 6_000_000
        let rest = whole % 6_000_000
        return number(degrees, digits: digits) + number(rest / 100_000, digits: 2) + "."
            + number(rest % 100_000, digits: 5)
    }

    /// Returns a number with leading zeros. Formats are much slower, and tracks are long.
    private static func number(_ number: Int, digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
