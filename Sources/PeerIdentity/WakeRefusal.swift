/// A reason why an app is not started through its socket.
public struct WakeRefusal: Error, Equatable, CustomStringConvertible {
    /// The problem and its remedy, with the path.
    public let description: String
    /// A Boolean value indicating whether the line may have arrived all the same.
    public let mayHaveArrived: Bool

    /// Creates a refusal with this text.
    public init(description: String, mayHaveArrived: Bool = false) {
        self.description = description
        self.mayHaveArrived = mayHaveArrived
    }
}
