/// The protocols of receivers that are recognized but not read, so that users learn what a receiver sends.
enum OtherProtocol: CaseIterable {
    case sirf, skyTraq, garmin, rtcm, sbf, novAtelASCII, novAtelBinary, unicoreBinary, json

    /// The name, for users.
    var name: String {
        switch self {
        case .sirf: "SiRF binary"
        case .skyTraq: "SkyTraq binary"
        case .garmin: "Garmin binary"
        case .rtcm: "RTCM 3"
        case .sbf: "Septentrio binary (SBF)"
        case .novAtelASCII: "Unicore (NovAtel) ASCII"
        case .novAtelBinary: "NovAtel binary"
        case .unicoreBinary: "Unicore binary"
        case .json: "JSON"
        }
    }
}

/// Finds a whole message of another protocol in bytes that are neither sentences nor UBX frames.
///
/// A message counts if all of its framing is right: start, length, checksum and end. At a wrong baud rate, that does
/// not happen by chance: of random bytes, one in 2^48 begins a SiRF message.
struct ProtocolRecognizer {
    /// The protocol of the last message that was found, or `nil`.
    private(set) var found: OtherProtocol?
    private var sirf = LengthFraming(first: 0xA0, second: 0xA2, maximumLength: 1023, trailer: 4)
    private var skyTraq = LengthFraming(first: 0xA0, second: 0xA1, maximumLength: 2048, trailer: 3)
    private var rtcm = RTCMFraming()
    private var garmin = GarminFraming()
    private var sbf = SBFFraming()
    private var novAtel = NovAtelFraming()
    private var log = ASCIILogFraming()
    private var json = JSONLineFraming()

    /// Reads the next bytes of the wire.
    mutating func read(_ bytes: RawSpan) {
        for offset in 0..<bytes.byteCount { read(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
    }

    private mutating func read(_ byte: UInt8) {
        if sirf.read(byte), sirf.trailerBytes & 0xFFFF == 0xB0B3, sirf.trailerBytes >> 16 == sirf.sum & 0x7FFF {
            found = .sirf
        }
        if skyTraq.read(byte), skyTraq.trailerBytes & 0xFFFF == 0x0D0A,
            UInt8(truncatingIfNeeded: skyTraq.trailerBytes >> 16) == skyTraq.parity
        {
            found = .skyTraq
        }
        if garmin.read(byte) { found = .garmin }
        if rtcm.read(byte) { found = .rtcm }
        if sbf.read(byte) { found = .sbf }
        if let kind = novAtel.read(byte) { found = kind }
        if log.read(byte) { found = .novAtelASCII }
        if json.read(byte) { found = .json }
    }
}

/// A message that begins with two bytes and its length, and ends with a checksum and more: SiRF (Binary Protocol
/// Reference Manual, "Transport Message") and SkyTraq (Binary Messages, "Message Format").
private struct LengthFraming {
    let first: UInt8
    let second: UInt8
    let maximumLength: Int
    /// The number of bytes after the payload.
    let trailer: Int
    /// The sum and the exclusive or of the payload, and the bytes after it, with the last one lowest.
    private(set) var sum: UInt32 = 0
    private(set) var parity: UInt8 = 0
    private(set) var trailerBytes: UInt32 = 0
    /// The number of bytes of the message so far.
    private var count = 0
    private var length = 0

    init(first: UInt8, second: UInt8, maximumLength: Int, trailer: Int) {
        (self.first, self.second, self.maximumLength, self.trailer) = (first, second, maximumLength, trailer)
    }

    /// Reads a byte. Returns whether it is the last one of a message.
    mutating func read(_ byte: UInt8) -> Bool {
        switch count {
        case 0 where byte == first: count = 1
        case 0: break
        case 1 where byte == second: count = 2
        case 1: count = byte == first ? 1 : 0
        case 2: (count, length) = (3, Int(byte) << 8)
        case 3:
            length += Int(byte)
            (count, sum, parity, trailerBytes) = (length > maximumLength || length == 0 ? 0 : 4, 0, 0, 0)
        case ..<(4 + length):
            sum += UInt32(byte)
            parity ^= byte
            count += 1
        default:
            trailerBytes = trailerBytes << 8 | UInt32(byte)
            count += 1
            guard count == 4 + length + trailer else { return false }
            count = 0
            return true
        }
        return false
    }
}

/// RTCM 10403.3, "Transport Layer": 0xD3, six zero bits, ten bits for the length, the message and a CRC of 24 bits.
private struct RTCMFraming {
    private var count = 0
    private var length = 0
    private var remainder: UInt32 = 0

    mutating func read(_ byte: UInt8) -> Bool {
        if count == 0 {
            guard byte == 0xD3 else { return false }
            remainder = 0
        } else if count == 1 {
            guard byte < 4 else {
                count = 0
                return false
            }
            length = Int(byte) << 8
        } else if count == 2 {
            length += Int(byte)
            // An empty message is a filler, and proves little.
            guard length > 1 else {
                count = 0
                return false
            }
        }
        // CRC-24Q. After a message with its own CRC, it is 0.
        remainder ^= UInt32(byte) << 16
        for _ in 0..<8 { remainder = remainder & 0x80_0000 != 0 ? remainder << 1 ^ 0x186_4CFB : remainder << 1 }
        count += 1
        guard count > 3, count == 3 + length + 3 else { return false }
        count = 0
        return remainder & 0xFF_FFFF == 0
    }
}

/// Garmin Device Interface Specification, "Serial Protocol": DLE, identifier, size, data, checksum, DLE, ETX. A DLE
/// between identifier and end is sent twice.
private struct GarminFraming {
    private static let (dle, etx) = (UInt8(0x10), UInt8(0x03))

    private var count = 0
    private var size = 0
    private var sum: UInt8 = 0
    private var isEscaped = false

    mutating func read(_ byte: UInt8) -> Bool {
        if count == 0 {
            count = byte == Self.dle ? 1 : 0
            return false
        }
        if count == 1 {
            guard byte != Self.dle, byte != Self.etx else {
                count = byte == Self.dle ? 1 : 0
                return false
            }
            (count, sum, isEscaped) = (2, byte, false)
            return false
        }
        // DLE and ETX follow the identifier, the size, the data and the checksum.
        let isAtEnd = count == 4 + size && count > 3
        if byte == Self.dle, !isEscaped {
            isEscaped = true
            return false
        }
        if isEscaped, byte == Self.etx, isAtEnd {
            count = 0
            return sum == 0
        }
        guard isEscaped == (byte == Self.dle), !isAtEnd else {
            // A single DLE begins another message.
            (count, sum, isEscaped) = (isEscaped && byte != Self.etx ? 2 : 0, byte, false)
            return false
        }
        isEscaped = false
        if count == 2 { size = Int(byte) }
        sum &+= byte
        count += 1
        return false
    }
}
