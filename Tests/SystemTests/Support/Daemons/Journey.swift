import Foundation
import LocationModel
import LocationProtocol
import TestSupport

/// A daemon whose receiver follows a journey, as far as a test wants it to go.
///
/// locationctl, as an app that may have the location always, receives all the time, so that every fix counts.
final class Journey {
    let daemon: TestDaemon
    private let wire: Wire
    private let other: RunningProgram
    private var track = Track()

    init() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantCtl(.always)
        self.wire = wire
        self.daemon = daemon
        other = try daemon.startCtl("watch", "--json", "--no-pauses", "--minimum-interval", "10")
    }

    /// Goes on at a speed in metres per second until something has happened.
    func go(at speed: Double, until what: String, _ hasHappened: () async throws -> Bool) async throws {
        try await eventually("\(what): \(other.errors)", interval: .milliseconds(5)) {
            for _ in 0..<5 { wire.offer(track.next(at: speed)) }
            return try await hasHappened()
        }
    }

    /// Goes on for a distance in metres, and no further.
    func drive(_ metres: Double, at speed: Double) async throws {
        let end = track.north + metres
        try await eventually("\(metres) m: \(other.errors)", interval: .milliseconds(5)) {
            for _ in 0..<5 where track.north < end { wire.offer(track.next(at: min(speed, end - track.north))) }
            return track.north >= end
        }
    }

    /// Continues for a time in seconds. Returns a time up to which everything has been delivered to its recipients.
    func go(_ seconds: Double, at speed: Double) async throws -> Timestamp {
        var first: Timestamp?
        var last: Timestamp?
        try await go(at: speed, until: "\(seconds) s to pass") {
            guard let now = newest else { return false }
            let start = first ?? now
            first = start
            last = now
            return now.seconds(since: start) >= seconds
        }
        guard let last else { throw Overdue(what: "a location") }
        return last
    }

    /// The time of the last location that locationctl has received.
    private var newest: Timestamp? {
        other.lines.reversed().lazy.compactMap { line in
            try? JSONDecoder().decode(Update.self, from: Data(line.utf8)).location?.timestamp
        }.first
    }

    /// Returns an app's open streams by their methods, with the number of events that were sent on each.
    func streams(of app: String) async throws -> [String: Int] {
        let sessions = try await daemon.call(ListSessions.self, UserScope()).sessions
        let own = sessions.filter { $0.app == app && $0.pid != nil }
        return Dictionary(own.map { ($0.method, $0.delivered ?? 0) }, uniquingKeysWith: +)
    }

    /// Returns the number of locations and events that an app got in use, or in the background.
    func deliveries(to app: String, inBackground: Bool) async throws -> Int {
        try await daemon.call(GetAccessLog.self, UserScope()).entries
            .filter { $0.app == app && $0.background == inBackground }.reduce(0) { $0 + ($1.deliveries ?? 0) }
    }
}
