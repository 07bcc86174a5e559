package import LocationModel
package import NIOCore
internal import Positioning
package import Receivers

/// The reasons to doubt the receivers' fixes.
extension ReceiverControl {
    package func receiver(_ receiver: Receiver, judge fix: Fix, at now: NIODeadline) -> FixDoubts? {
        guard let member = member(of: receiver) else { return nil }
        let hasOwnTime = fix.dating == .receiver
        let timestamp = fix.location.timestamp
        let doubts = monitor.judge(
            fix.location, of: member.id, warning: receiver.warning, isRecording: receiver.isRecording,
            at: steadySeconds(now)
        ) {
            hasOwnTime && abs(clock().seconds(since: timestamp)) > IntegrityMonitor.greatestClockDifference
                && synchronization?.isSynchronized == true
        }
        record(doubts, of: member)
        return doubts
    }

    package func receiverFoundNoFix(_ receiver: Receiver) {
        guard let member = member(of: receiver) else { return }
        record(monitor.noteAbsence(of: member.id, warning: receiver.warning, at: steadySeconds(loop.now)), of: member)
        delegate?.receiverFoundNoFix()
    }

    /// Returns a moment of the loop's clock plus the machine's time asleep, in seconds.
    private func steadySeconds(_ moment: NIODeadline) -> Double { Double(time.steady(moment).uptimeNanoseconds) / 1e9 }

    private func record(_ doubts: FixDoubts?, of member: Member) {
        guard member.setDoubts(doubts) else { return }
        log.record(doubts, of: member.receiver.name)
        changes.report(.receivers)
        changes.report(.indicator)
    }
}
