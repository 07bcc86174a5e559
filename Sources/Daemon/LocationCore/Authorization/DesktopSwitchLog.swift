internal import EventLoopSupport
internal import Logging
internal import NIOCore

/// Logs that a desktop has turned its user's location services off or on: the first change at once, all others of the
/// same minute in one line at its end.
///
/// Attack: a program registers as the agent of a desktop and changes its level ten times a second. With a line for each
/// change, the journal drops other programs' lines. Confined to the event loop.
final class DesktopSwitchLog {
    /// The time over which further changes are collected.
    static let interval = TimeAmount.minutes(1)
    /// The maximum number of users that have lines of their own at a time. A user with a range of subordinate user ids
    /// has 65,536 of them.
    static let maximumUsers = 64

    /// The changes of one user that have not been logged yet.
    private struct Changes {
        var isOn: Bool
        var count = 0
    }

    private var users: [UInt32: Changes] = [:]
    private var changesOfOthers = 0
    private let timer: LoopTimer
    private let log: Logger

    init(on loop: any EventLoop, log: Logger) {
        timer = LoopTimer(on: loop)
        self.log = log
    }

    /// Logs a change, now or later.
    func report(isOn: Bool, for uid: UInt32) {
        if users[uid] != nil {
            users[uid]?.isOn = isOn
            users[uid]?.count += 1
        } else if users.count < Self.maximumUsers {
            users[uid] = Changes(isOn: isOn)
            write("a desktop turns its user's location services \(isOn ? "on again" : "off")", uid)
        } else {
            changesOfOthers += 1
        }
        if !timer.isSet { timer.set(in: Self.interval) { self.collect() } }
    }

    /// Stops logging: the service is stopping.
    func stop() { timer.cancel() }

    private func collect() {
        users = users.filter { $0.value.count > 0 }
        for (uid, changes) in users {
            write(
                "a desktop has turned its user's location services off or on within a minute "
                    + "(changes: \(changes.count)): they are \(changes.isOn ? "on" : "off")", uid)
            users[uid]?.count = 0
        }
        if changesOfOthers > 0 { write("desktops have turned location services off or on for more users", nil) }
        changesOfOthers = 0
        if !users.isEmpty { timer.set(in: Self.interval) { self.collect() } }
    }

    private func write(_ line: String, _ uid: UInt32?) {
        log.info("\(line)", metadata: uid.map { ["UID": "\($0)"] })
    }
}
