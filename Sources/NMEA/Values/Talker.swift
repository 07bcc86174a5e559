/// The two letters that name the kind of device that a sentence comes from: `GP` for GPS, `GN` for several
/// systems, `II` for integrated instrumentation. `P` stands for a proprietary sentence.
public struct Talker: Sendable, Hashable, CustomStringConvertible {
    /// The letters' ASCII codes, the first one in the low byte.
    public let code: UInt16

    /// The talker with that code: the first letter's ASCII code in the low byte, the second one's in the high.
    public init(code: UInt16) {
        self.code = code
    }

    /// The letters.
    public var description: String {
        let letters = [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)]
        return String(decoding: letters.filter { $0 != 0 }, as: UTF8.self)
    }
}
