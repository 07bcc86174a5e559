/// What comes next on a stream.
package enum StreamStep<Element: Sendable>: Sendable {
    /// What it is for.
    case element(Element)
    /// Nothing comes any more, with the reason where it is not that the stream came to its natural end or was cancelled.
    case ended(LocationError?)
}
