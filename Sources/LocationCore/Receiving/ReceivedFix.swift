package import NIOCore
package import Receivers

/// A fix from a receiver, and when it arrived.
package struct ReceivedFix {
    package let fix: Fix
    /// The time of arrival by the loop's clock, which stands still while the machine sleeps.
    let receivedAt: NIODeadline
    /// The time that the machine has slept since the arrival.
    private var slept = TimeAmount.zero

    init(_ fix: Fix, at receivedAt: NIODeadline) {
        self.fix = fix
        self.receivedAt = receivedAt
    }

    /// Returns the same fix after a sleep of the machine.
    func slept(for sleep: TimeAmount) -> ReceivedFix {
        var older = self
        older.slept = slept + sleep
        return older
    }

    /// Returns the time since the arrival.
    package func age(at now: NIODeadline) -> TimeAmount { now - receivedAt + slept }
}
