/// The settings of a serial port: baud rate and framing.
public struct SerialSettings: Sendable, Hashable, CustomStringConvertible {
    /// The framing of a character: data bits, parity, stop bits.
    public enum Framing: String, Sendable, Hashable, CaseIterable {
        /// The framing that NMEA 0183 prescribes and nearly every receiver uses.
        case eightN1 = "8N1"
        /// The framing of old receivers that send seven data bits.
        case sevenN2 = "7N2"
        /// The framing of receivers that add even parity.
        case eightE1 = "8E1"
    }

    /// The baud rate in bits per second, one of `ReceiverSpecification.baudRates`.
    public var bitsPerSecond: Int
    /// The framing of a character.
    public var framing: Framing

    /// Creates settings from a baud rate and a framing.
    public init(_ bitsPerSecond: Int, _ framing: Framing = .eightN1) {
        self.bitsPerSecond = bitsPerSecond
        self.framing = framing
    }

    /// The form `9600` or `4800 7N2`: the usual framing is omitted.
    public var description: String {
        framing == .eightN1 ? "\(bitsPerSecond)" : "\(bitsPerSecond) \(framing.rawValue)"
    }

    /// The baud rates, the likeliest first: the default of u-blox receivers up to generation 8 (UBX-13003221, "UART
    /// ports"); of NMEA 0183; of u-blox 9 and 10 (and of NMEA 0183-HS); of MediaTek's successors and many receivers on
    /// separate boards; then rates that owners set. The highest serve high fix rates and correction services.
    static let likelyBaudRates = [9600, 4800, 38_400, 115_200, 57_600, 19_200, 230_400, 460_800, 921_600]

    /// All settings to try, the likeliest first.
    static let all = Framing.allCases.flatMap { framing in likelyBaudRates.map { SerialSettings($0, framing) } }
}
