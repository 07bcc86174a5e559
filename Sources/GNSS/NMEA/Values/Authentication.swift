/// The proofs of a receiver that its signals are authentic. Their absence says nothing: few receivers look for them.
public struct Authentication: Sendable, Equatable {
    /// The number of satellites whose navigation message is authentic by Galileo's OSNMA, or `nil` if the receiver does
    /// not report that.
    public internal(set) var satellites: Int?
    /// A Boolean value indicating whether the receiver's time agrees with a trusted source.
    public internal(set) var time = false
    /// A Boolean value indicating whether the last position uses only authentic navigation messages.
    public internal(set) var position = false

    /// A Boolean value indicating whether anything was proved.
    public var isPositive: Bool { time || position || satellites ?? 0 > 0 }
}
