internal import Logging
internal import NIOCore

/// Determines which refused connections are logged: one a minute for each user and reason, with a count of the
/// others.
///
/// Attack: a program that cannot be identified keeps connecting. With a line for each connection, it wrote 4,000 lines
/// a second, and the journal dropped other programs' lines.
struct RefusalLog {
    /// The time between two lines about one user and reason.
    static let interval = TimeAmount.minutes(1)
    /// The maximum number of users and reasons that are distinguished. All others share one line a minute: with a
    /// range of subordinate user ids, a user has 65,536 of them.
    static let maximumSubjects = 64

    private struct Subject: Hashable {
        let uid: UInt32?
        let reason: String
    }

    private struct Line {
        let loggedAt: NIODeadline
        var leftOut = 0
    }

    /// The last lines by user and reason. All beyond ``maximumSubjects`` share the one for `nil`.
    private var lines: [Subject?: Line] = [:]
    /// The earliest time when one of ``lines`` may be older than ``interval``.
    private var nextExpiry = NIODeadline.uptimeNanoseconds(0)

    /// Logs that a connection of `client` is refused, or only counts it.
    mutating func report(_ reason: String, _ client: any Client, to log: Logger) {
        report(reason, uid: client.uid, pid: client.pid, to: log)
    }

    /// Logs that a connection is refused, or only counts it.
    ///
    /// - Parameters:
    ///   - uid: The user, or `nil` if not even the user is known.
    ///   - pid: The process, or 0 if it is not known.
    mutating func report(_ reason: String, uid: UInt32?, pid: Int32 = 0, to log: Logger) {
        guard let line = line(for: reason, uid: uid, at: .now()) else { return }
        var metadata: Logger.Metadata = [:]
        if let uid { metadata["UID"] = "\(uid)" }
        if pid > 0 { metadata["PID"] = "\(pid)" }
        log.notice("\(line)", metadata: metadata)
    }

    /// Returns the line to log about a connection that is refused at `now`, or `nil` if it is only counted.
    mutating func line(for reason: String, uid: UInt32?, at now: NIODeadline) -> String? {
        var subject: Subject? = Subject(uid: uid, reason: reason)
        if lines[subject] == nil, lines.count >= Self.maximumSubjects {
            removeExpired(at: now)
            if lines.count >= Self.maximumSubjects { subject = nil }
        }
        if let last = lines[subject], now - last.loggedAt < Self.interval {
            lines[subject]?.leftOut += 1
            return nil
        }
        let leftOut = lines[subject]?.leftOut ?? 0
        lines[subject] = Line(loggedAt: now)
        guard leftOut > 0 else { return "refused a connection: \(reason)" }
        let others = subject == nil ? "other refused connections" : "more like it"
        return "refused a connection: \(reason) (and \(leftOut) \(others) since the last such line)"
    }

    /// Removes the expired lines. Searches only if one may have expired, not at each connection of a user with many
    /// ids.
    private mutating func removeExpired(at now: NIODeadline) {
        guard now >= nextExpiry else { return }
        lines = lines.filter { now - $0.value.loggedAt < Self.interval }
        nextExpiry = (lines.values.map(\.loggedAt).min() ?? now) + Self.interval
    }
}
