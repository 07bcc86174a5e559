import Foundation
import TestSupport

/// A journey to the north and back, as a receiver tells it once a second from 2026-06-01T12:00:00Z on.
///
/// It begins at 47° 30' N 8° 45' E.
struct Track {
    private(set) var sentences = ""
    private(set) var epochs = 0
    /// Metres to the north of the beginning.
    private(set) var north = 0.0

    static let metresPerMinute = 1853.2

    /// Goes on for so many seconds at so many metres a second: to the south where it is negative.
    mutating func go(_ seconds: Int, at speed: Double) {
        for _ in 0..<seconds {
            add(speed: speed.magnitude, east: 0)
            north += speed
        }
    }

    /// Adds an epoch where it has come to, so many metres to the east of the way.
    mutating func add(speed: Double, east: Double, hdop: Double = 0.9, north offset: Double = 0) {
        let second = epochs
        let time = String(120000 + second / 3600 * 10000 + second / 60 % 60 * 100 + second % 60)
        let latitude = Self.angle(47 * 60 + 30 + (north + offset) / Self.metresPerMinute, digits: 2)
        let longitude = Self.angle(8 * 60 + 45 + east / (Self.metresPerMinute * 0.676), digits: 3)
        let knots = String(format: "%.2f", speed * 3600 / 1852)
        sentences += Sentences.sentence("GPRMC,\(time).00,A,\(latitude),N,\(longitude),E,\(knots),0.0,010626,,,A")
        sentences += Sentences.sentence(
            "GPGGA,\(time).00,\(latitude),N,\(longitude),E,1,09,\(hdop),400.0,M,47.0,M,,")
        epochs += 1
    }

    /// Degrees of the latitude that lies so many metres to the north of the beginning.
    static func latitude(north: Double) -> Double { 47.5 + north / metresPerMinute / 60 }

    /// Writes it to a file of `folder`, and returns the file's path.
    func write(to folder: TemporaryFolder, as name: String) throws -> String {
        let path = folder.path + "/" + name
        try sentences.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Minutes as `ddmm.mmmmm`.
    private static func angle(_ minutes: Double, digits: Int) -> String {
        let whole = Int((minutes * 100_000).rounded())
        let degrees = whole / 6_000_000
        let rest = whole % 6_000_000
        return String(format: "%0\(digits)d%02d.%05d", degrees, rest / 100_000, rest % 100_000)
    }
}
