internal import NMEA

/// A message that may be an answer, with a correct checksum.
enum ReceiverMessage: Equatable {
    /// A frame of u-blox: class and identifier, payload.
    case ubx(UInt16, [UInt8])
    /// A sentence of NMEA 0183: the address, then the fields.
    case sentence([String])
    /// A frame of CASIC: class and identifier, payload.
    case casic(UInt16, [UInt8])
    /// A frame of SkyTraq: the message's number and its contents.
    case skytraq([UInt8])

    /// Returns whether the message reports a position: `true` for a fix, `false` for the lack of one, `nil` if it is
    /// about something else.
    var isFix: Bool? {
        switch self {
        case .ubx(0x01_07, let payload) where payload.count > 20: (1...4).contains(payload[20])
        case .sentence(let fields) where fields[0].hasSuffix("RMC") && fields.count > 2: fields[2] == "A"
        case .sentence(let fields) where fields[0].hasSuffix("GGA") && fields.count > 6:
            fields[6] != "0" && !fields[6].isEmpty
        default: nil
        }
    }
}

/// Finds the messages in the bytes of a receiver while an answer is awaited.
///
/// It keeps at most the bytes of one message. Longer ones are noise: the longest answer that is read has 364 bytes
/// (UBX-MON-VER with ten extensions).
struct MessageScanner {
    private static let maximumPayload = 512
    /// The longest sentence of the dialects, in bytes (Quectel, "PAIR packet").
    private static let maximumSentence = 255

    private var buffer: [UInt8] = []

    private enum Scan {
        case message(ReceiverMessage, length: Int)
        case cutOff
        case absent
    }

    /// Returns the messages that end in the bytes.
    mutating func messages(in bytes: RawSpan) -> [ReceiverMessage] {
        var messages: [ReceiverMessage] = []
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
        var offset = 0
        search: while offset < buffer.count {
            switch Self.scan(buffer[offset...]) {
            case .message(let message, let length):
                offset += length
                messages.append(message)
            case .cutOff: break search
            case .absent: offset += 1
            }
        }
        buffer.removeFirst(offset)
        return messages
    }

    private static func scan(_ bytes: ArraySlice<UInt8>) -> Scan {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xB5, nil), (0xBA, nil), (0xA0, nil): .cutOff
        case (0xB5, 0x62): frame(bytes, lengthAt: 4, header: 6, trailer: 2)
        case (0xBA, 0xCE): frame(bytes, lengthAt: 2, header: 6, trailer: 4)
        case (0xA0, 0xA1): frame(bytes, lengthAt: 2, header: 4, trailer: 3)
        case (UInt8(ascii: "$"), _): sentence(bytes)
        default: .absent
        }
    }

    private static func frame(_ slice: ArraySlice<UInt8>, lengthAt: Int, header: Int, trailer: Int) -> Scan {
        guard slice.count >= header else { return .cutOff }
        let start = slice.startIndex
        let (first, second) = (Int(slice[start + lengthAt]), Int(slice[start + lengthAt + 1]))
        let isBigEndian = slice.first == 0xA0
        let length = isBigEndian ? first << 8 | second : second << 8 | first
        guard length <= maximumPayload else { return .absent }
        guard slice.count >= header + length + trailer else { return .cutOff }
        let bytes = Array(slice.prefix(header + length + trailer))
        let payload = Array(bytes[header..<header + length])
        let message: ReceiverMessage
        switch slice.first {
        case 0xB5: message = .ubx(UInt16(bytes[2]) << 8 | UInt16(bytes[3]), payload)
        case 0xBA: message = .casic(UInt16(bytes[4]) << 8 | UInt16(bytes[5]), payload)
        default: message = .skytraq(payload)
        }
        return message.frame == bytes ? .message(message, length: bytes.count) : .absent
    }

    private static func sentence(_ bytes: ArraySlice<UInt8>) -> Scan {
        guard let end = bytes.prefix(maximumSentence).firstIndex(of: UInt8(ascii: "\n")) else {
            return bytes.count > maximumSentence ? .absent : .cutOff
        }
        let length = end + 1 - bytes.startIndex
        guard length <= maximumSentence, length >= 10 else { return .absent }
        var text = bytes.dropFirst().prefix(length - 2)
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        guard text.allSatisfy({ (0x20...0x7E).contains($0) }) else { return .absent }
        let body = text.dropLast(3)
        let sent = String(decoding: text.suffix(3), as: UTF8.self)
        guard sent == "*" + body.reduce(0, ^).twoDigits else { return .absent }
        let fields = String(decoding: body, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
        return .message(.sentence(fields.map(String.init)), length: length)
    }
}
