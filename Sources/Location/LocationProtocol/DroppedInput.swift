/// Input from a receiver that was not used, for one reason.
public struct DroppedInput: Codable, Sendable, Equatable {
    /// The reason why input is not used.
    public enum Reason: String, Codable, Sendable, CaseIterable {
        /// A sentence with a wrong checksum.
        case wrongChecksum
        /// A sentence without a checksum.
        case missingChecksum
        /// A sentence that is longer than any sentence of the standard.
        case overlong
        /// A sentence with an unreadable field. Its other fields are used.
        case unreadableField
        /// A position outside the globe, or a date far in the future.
        case outOfRange
        /// A position with the time of an epoch that was reported already.
        case repeatedTime
        /// An epoch that is earlier than the previous one.
        case earlierTime
        /// A sentence of a second device on the same port.
        case otherDevice
        /// A sentence whose time differs by hours from sentences with a date.
        case otherClock
        /// A UBX frame of an unsupported kind.
        case unsupportedFrame
        /// A position from gpsd with an impossible time or place.
        case implausible
    }

    /// The reason.
    public var reason: Reason
    /// The number of sentences or positions, at least 1.
    public var count: Int

    /// Creates a count.
    public init(reason: Reason, count: Int) {
        self.reason = reason
        self.count = count
    }
}
