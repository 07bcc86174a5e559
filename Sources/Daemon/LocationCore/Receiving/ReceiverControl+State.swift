package import LocationModel
package import NIOCore
package import Positioning
package import Receivers

/// The state of the receivers, for observers that do not control them.
extension ReceiverControl {
    /// The present receivers.
    package var receivers: [Receiver] { members.map(\.receiver) }

    /// The receiver whose fixes count, by its number, and the reason.
    package var choice: ReceiverChoice { selection.choice }

    /// The reasons to doubt the fixes that count, or `nil` if there are none.
    package var doubts: FixDoubts? { members.first { $0.id == choice.current }?.doubts }

    /// The plan that is in effect.
    package var plan: ReceiverPlan { selection.plan }

    /// A Boolean value indicating whether every receiver was tried and none produces fixes.
    var isUnavailable: Bool { selection.isUnavailable }

    /// A Boolean value indicating whether the receivers are closed until the next fix is due.
    package var isPortClosedBetweenFixes: Bool { plan != .off && !selection.isOpen }

    /// A Boolean value indicating whether there is no demand, and all receivers are closed.
    var isClosed: Bool { plan == .off && !selection.isOpen }

    /// A Boolean value indicating whether any receiver has a compass: `false` without receivers, or `nil` if that is
    /// not known of each.
    var hasCompass: Bool? {
        if members.contains(where: { $0.receiver.hasCompass == true }) { return true }
        return members.allSatisfy { $0.receiver.hasCompass == false } ? false : nil
    }

    /// A Boolean value indicating whether the locations are this machine's, rather than invented or a recording's.
    var measures: Bool { !isSimulating && !members.contains { $0.receiver.isRecording } }

    /// The time since the last fix that counted, in seconds of the receivers' own time, or `nil` if there was none.
    var ageOfLastFix: Double? { lastFix.map { time.seconds(age(of: $0)) } }

    /// The time that open receivers have found no fix for, in seconds of their own time: 0 while they are closed.
    var searchSeconds: Double {
        guard let openedAt else { return 0 }
        return min(now - openedAt, ageOfLastFix ?? .infinity)
    }

    /// Returns the time since the arrival of a fix.
    package func age(of fix: LastFix) -> TimeAmount { time.steady(loop.now) - fix.receivedAt }

    /// Returns the time of `clock` or, while a recording is played, the recording's.
    func time(by clock: () -> Timestamp) -> Timestamp { time.time(by: clock, after: lastFix, at: loop.now) }
}
