/// What a decoder finds in the bytes.
public enum Event: Sendable, Equatable {
    /// A position. The satellites in view at that time are the decoder's `satellites`.
    case epoch(Epoch)
    /// Where the device points. One per sentence that tells it, so up to tens in a second.
    case heading(Heading)
    /// The receiver's answer to a command.
    case acknowledgement(Acknowledgement)
}
