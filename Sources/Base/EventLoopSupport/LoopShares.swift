package import NIOCore

/// The time on the event loop that the calls of each user have taken in the current period.
///
/// Attack: a user opens hundreds of connections, each with a call that is as expensive as possible. All other clients
/// of the loop wait until these calls have been handled. So each user has a share of every period, and the rest of the
/// period is left to the others.
package struct LoopShares {
    /// The length of a period.
    package static let period = TimeAmount.milliseconds(5)
    /// The part of a period that the calls of one user may take. A call that exceeds it is still completed.
    package static let share = TimeAmount.milliseconds(1)

    /// The end of the current period.
    package private(set) var end = NIODeadline.uptimeNanoseconds(0)
    private var spent: [UInt32: TimeAmount] = [:]

    /// Creates unused shares.
    package init() {}

    /// Returns whether a call of user `uid` may be handled now. If not, it may be handled after ``end``.
    package mutating func admit(_ uid: UInt32, at now: NIODeadline) -> Bool {
        if now >= end {
            end = now + Self.period
            spent.removeAll(keepingCapacity: true)
        }
        return spent[uid, default: .zero] < Self.share
    }

    /// Adds the duration of a call of user `uid`.
    package mutating func spend(_ time: TimeAmount, of uid: UInt32) {
        spent[uid, default: .zero] += time
    }
}
