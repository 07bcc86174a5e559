/// An event that a decoder finds in the bytes.
public enum Event: Sendable, Equatable {
    /// A fix. The satellites in view at that time are the decoder's `satellites`.
    case epoch(Epoch)
    /// A direction in which the device points. There is one event for each sentence with a heading, so up to tens a
    /// second.
    case heading(Heading)
    /// The receiver's answer to a command.
    case acknowledgement(Acknowledgement)
}
