/// The next step of a stream.
package enum StreamStep<Element: Sendable>: Sendable {
    /// The next element.
    case element(Element)
    /// The end of the stream, with the error unless the stream ended naturally or was cancelled.
    case ended(LocationError?)
}
