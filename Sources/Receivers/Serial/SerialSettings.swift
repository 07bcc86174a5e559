/// How the bytes of a serial line are sent: its speed and the shape of a character.
public struct SerialSettings: Sendable, Hashable, CustomStringConvertible {
    /// The shape of a character: data bits, parity, stop bits.
    public enum Framing: String, Sendable, Hashable, CaseIterable {
        /// What NMEA 0183 prescribes, and nearly every receiver sends.
        case eightN1 = "8N1"
        /// Old receivers that send seven bits.
        case sevenN2 = "7N2"
        /// Receivers that add even parity.
        case eightE1 = "8E1"
    }

    /// Bits per second, one of `ReceiverSpecification.baudRates`.
    public var bitsPerSecond: Int
    /// The shape of a character.
    public var framing: Framing

    /// Those settings.
    public init(_ bitsPerSecond: Int, _ framing: Framing = .eightN1) {
        self.bitsPerSecond = bitsPerSecond
        self.framing = framing
    }

    /// As in `9600`, and `4800 7N2`: the usual framing is not told.
    public var description: String {
        framing == .eightN1 ? "\(bitsPerSecond)" : "\(bitsPerSecond) \(framing.rawValue)"
    }

    /// The speeds, the likeliest first: what u-blox receivers up to generation 8 start with (UBX-13003221, "UART ports"),
    /// that of NMEA 0183, that of u-blox 9 and 10 (and of NMEA 0183-HS), that of MediaTek's successors and of many receivers
    /// on a board of their own; then what owners set. The fastest are those of high rates and of correction services.
    static let likelySpeeds = [9600, 4800, 38_400, 115_200, 57_600, 19_200, 230_400, 460_800, 921_600]

    /// Every setting that is tried, the likeliest first.
    static let all = Framing.allCases.flatMap { framing in likelySpeeds.map { SerialSettings($0, framing) } }
}
