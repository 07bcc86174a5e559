public import LocationModel
public import TimeTransfer

/// An event of a started receiver.
public enum ReceiverEvent: Sendable, Equatable {
    /// The receiver produces fixes. Sent before the first fix after `start()` and before the first fix after each loss.
    case found
    /// The fix of one epoch. Its timestamp is later than that of the previous fix.
    case fix(Fix)
    /// The arrival of the first byte of the epoch of the fix before, or `nil` if it is not known. Only from a receiver at a
    /// serial port that was created with a wall clock.
    case arrival(EpochArrival?)
    /// The receiver has no fix: it has said so of an epoch, or sends nothing else for as long as silence would count
    /// as a loss. Sent again with each such epoch. Only while a report of it is wanted
    /// (`Receiver.setReportContents(_:)`).
    case noFix
    /// What is known of why there is no fix, or what is unusual about the fixes, when that has changed.
    case condition(ReceiverDiagnosis)
    /// The direction in which the device points, from a compass on the same port: one event per sentence that
    /// contains it, so up to tens per second. It may precede `found`: a compass needs no view of the sky.
    case heading(LocationModel.Heading)
    /// The receiver stopped producing fixes, or could not be opened. Sent once per `start()` or `found`, however
    /// often the receiver is retried. A later reason is in `Receiver.state`.
    case lost(ReceiverFailure)
}
