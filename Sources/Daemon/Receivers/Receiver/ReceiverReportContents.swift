/// The optional parts of a report. Parts that no subscription requests are not collected.
public struct ReceiverReportContents: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates contents from their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The satellites in view, the dilutions of precision and the receiver's own error estimate.
    public static let satellites = ReceiverReportContents(rawValue: 1)
    /// The accepted sentences.
    public static let sentences = ReceiverReportContents(rawValue: 2)
    /// The received bytes, unchanged.
    public static let bytes = ReceiverReportContents(rawValue: 4)
}
