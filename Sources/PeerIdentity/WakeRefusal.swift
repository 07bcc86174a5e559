/// Why an app is not started through its socket: what is wrong, and what to do about it.
public struct WakeRefusal: Error, Equatable, CustomStringConvertible {
    /// Both, with the path.
    public let description: String
    /// A Boolean value indicating whether the line may have arrived nevertheless.
    public let mayHaveArrived: Bool

    /// A refusal with that text.
    public init(description: String, mayHaveArrived: Bool = false) {
        self.description = description
        self.mayHaveArrived = mayHaveArrived
    }
}
