internal import NIOCore
package import Receivers

/// A fix that a receiver has reported, and the time of its arrival.
package struct ReceivedFix {
    /// The update that contains the fix.
    let update: ReceiverUpdate
    /// The time of arrival, by a clock that goes on while the machine sleeps.
    let receivedAt: NIODeadline

    /// Returns `nil` if the update has no fix.
    init?(_ update: ReceiverUpdate, at receivedAt: NIODeadline) {
        guard update.fix != nil else { return nil }
        self.update = update
        self.receivedAt = receivedAt
    }

    /// The fix.
    package var fix: Fix { update.fix! }
}
