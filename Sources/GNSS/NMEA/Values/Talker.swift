/// The two letters that identify the kind of device that a sentence comes from: `GP` for GPS, `GN` for several systems,
/// `II` for integrated instrumentation. Values from a proprietary sentence, which has no talker, get the talker of the
/// followed device.
public struct Talker: Sendable, Hashable, CustomStringConvertible {
    /// The ASCII codes of the letters, the first one in the low byte.
    public let code: UInt16

    /// Creates a talker from its code, with the first letter's ASCII code in the low byte and the second letter's in
    /// the high byte.
    public init(code: UInt16) {
        self.code = code
    }

    /// The two letters.
    public var description: String {
        let letters = [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)]
        return String(decoding: letters.filter { $0 != 0 }, as: UTF8.self)
    }
}
