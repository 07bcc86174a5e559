package import NIOCore
package import Receivers

/// A fix that came from a receiver.
package struct ReceivedFix {
    package let fix: Fix
    /// By the loop's clock, which stands still while the machine sleeps.
    let receivedAt: NIODeadline
    /// How long the machine has slept since.
    private var slept = TimeAmount.zero

    init(_ fix: Fix, at receivedAt: NIODeadline) {
        self.fix = fix
        self.receivedAt = receivedAt
    }

    /// The same after the machine slept.
    func slept(for sleep: TimeAmount) -> ReceivedFix {
        var older = self
        older.slept = slept + sleep
        return older
    }

    /// How long ago it came.
    package func age(at now: NIODeadline) -> TimeAmount { now - receivedAt + slept }
}
