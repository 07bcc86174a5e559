/// The proofs of a receiver that its signals are authentic. Their absence says nothing: few receivers look for them.
public struct Authentication: Sendable, Equatable {
    /// The number of satellites whose navigation message is authentic by Galileo's OSNMA, or `nil` if the receiver does
    /// not report that.
    public let satellites: Int?
    /// A Boolean value indicating whether the receiver's time agrees with a trusted source.
    public let time: Bool
    /// A Boolean value indicating whether the last position uses only authentic navigation messages.
    public let position: Bool

    /// A Boolean value indicating whether anything was proved.
    public var isPositive: Bool { time || position || satellites ?? 0 > 0 }
}
