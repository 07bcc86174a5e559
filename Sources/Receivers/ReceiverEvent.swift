public import LocationModel

/// What happens to a receiver that was started.
public enum ReceiverEvent: Sendable, Equatable {
    /// It gives fixes: comes before the first fix after `start()`, and before the first after each loss.
    case found
    /// One epoch's fix: a later timestamp than the one before it.
    case fix(Fix)
    /// Where the device points, from a compass on the same wire: one per sentence that tells it, so up to tens in a
    /// second. Comes before `found` too: a compass needs no sky.
    case heading(LocationModel.Heading)
    /// It gives no more fixes, or could not be opened: once per `start()` or `found`, however often it is retried.
    /// A later reason is in `Receiver.state`.
    case lost(ReceiverFailure)
}
