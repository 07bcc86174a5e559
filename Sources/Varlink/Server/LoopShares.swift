import NIOCore

/// How much of the event loop's time the calls of each user have taken in the current period.
///
/// Attack: a user has hundreds of connections with a call ready on each, as expensive as calls can be; whoever else is
/// served by the loop waits until all of them are handled. So a user has a share of each period, and the loop is left to
/// others for the rest of it.
struct LoopShares {
    /// How long a period lasts.
    static let period = TimeAmount.milliseconds(5)
    /// How much of a period one user's calls may take. The call that exceeds it is finished.
    static let share = TimeAmount.milliseconds(1)

    private var periodEnd = NIODeadline.uptimeNanoseconds(0)
    private var spent: [UInt32: TimeAmount] = [:]

    /// Returns whether a call of user `uid` may be handled now; if not, it may after ``end``.
    mutating func admit(_ uid: UInt32, at now: NIODeadline) -> Bool {
        if now >= periodEnd {
            periodEnd = now + Self.period
            spent.removeAll(keepingCapacity: true)
        }
        return spent[uid, default: .zero] < Self.share
    }

    /// Adds the time that a call of user `uid` has taken.
    mutating func spend(_ time: TimeAmount, of uid: UInt32) {
        spent[uid, default: .zero] += time
    }

    /// When the current period ends.
    var end: NIODeadline { periodEnd }
}
