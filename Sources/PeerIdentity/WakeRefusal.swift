/// Why an app is not started through its socket: what is wrong, and what to do about it.
public struct WakeRefusal: Error, Equatable, CustomStringConvertible {
    /// Both, with the path.
    public let description: String

    /// A refusal with that text.
    public init(description: String) { self.description = description }
}
