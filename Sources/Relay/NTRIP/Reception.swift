package import RTCM

/// The corrections that have arrived on a connection, for the service manager's status line.
///
/// Attack: every user of the machine can read the line, and a distance to a known station is a circle around the
/// machine. So it says of the distance only that it is too great.
package struct Reception: Sendable {
    /// The time between two lines, in seconds.
    static let interval = 5.0
    /// The maximum number of messages' numbers in a line.
    static let maximumNumbers = 16

    /// The greatest distance that permits a fixed solution, in kilometres, if the station is farther away.
    package var exceededLimit: Int?
    private let mount: String
    private var numbers: Set<Int> = []
    private var station: Int?
    private var bytes = 0
    private var since: Double

    /// - Parameter now: The time in seconds, by a monotonic clock.
    package init(of mount: String, at now: Double) { (self.mount, since) = (mount, now) }

    /// Counts a frame for the receiver. Returns the next line if it is due.
    package mutating func add(_ frame: RTCMFrame, length: Int, at now: Double) -> String? {
        numbers.insert(frame.number)
        station = frame.station ?? station
        bytes += length
        guard now - since >= Self.interval else { return nil }
        let rate = Int((Double(bytes) / (now - since)).rounded())
        (bytes, since) = (0, now)
        let messages = numbers.sorted().prefix(Self.maximumNumbers).map(String.init).joined(separator: " ")
        let number = station.map { " from station \($0)" } ?? ""
        let distance = exceededLimit.map { ", more than \($0) km away" } ?? ""
        return "\(CasterStatus.receiving(mount: mount)): messages \(messages)\(number), \(rate) bytes/s\(distance)"
    }
}
