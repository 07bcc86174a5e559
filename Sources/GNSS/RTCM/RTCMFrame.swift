/// The description of an intact frame of RTCM 3, without its bytes.
///
/// A frame consists of 0xD3, six bits that are 0, the length of the payload (10 bits), the payload and a CRC of three
/// bytes. Numbers are big-endian (RTCM 10403.3, section 4.1).
package struct RTCMFrame: Sendable, Equatable {
    /// A kind of message that a receiver needs for corrections.
    package enum Kind: Sendable, Equatable {
        /// Measurements of a constellation's satellites at one moment. A moment may have several frames of a number.
        case observations(time: Int)
        /// The antenna's place: 1005 and 1006.
        case referencePoint
        /// Names of the antenna and the receiver, and GLONASS's biases.
        case station
        /// The orbit of a satellite.
        case ephemeris(satellite: Int)
    }

    static let preamble: UInt8 = 0xD3
    static let headerLength = 3
    static let checksumLength = 3
    /// The maximum length of a payload, in bytes.
    static let maximumPayload = 1023
    /// The maximum length of a frame, in bytes.
    package static let maximumLength = headerLength + maximumPayload + checksumLength
    /// The minimum length of a payload: a number and one other field.
    private static let minimumPayload = 4

    /// The number of the message: 12 bits.
    package let number: Int
    /// The kind, or `nil` if the message is not on the list of those that may reach a receiver.
    package let kind: Kind?
    /// The reference station's number, or `nil` if the message has none.
    package let station: Int?

    /// Describes the frame in `bytes`, which begin with it.
    ///
    /// - Parameter length: The length of the payload.
    init(_ bytes: Span<UInt8>, payloadLength length: Int) {
        guard length >= Self.minimumPayload else {
            (number, kind, station) = (0, nil, nil)
            return
        }
        number = bytes.bits(0, 12)
        kind = Self.kind(of: number, bytes, length)
        switch kind {
        case nil, .ephemeris: station = nil
        case .observations, .referencePoint, .station: station = bytes.bits(12, 12)
        }
    }

    /// Returns the kind of a message, or `nil` if it is not on the list.
    ///
    /// Attack: a caster sends text (1029), proprietary messages or a moving base (4072) to make a receiver do something
    /// else than correct its position.
    private static func kind(of number: Int, _ bytes: Span<UInt8>, _ length: Int) -> Kind? {
        switch number {
        // RTCM 10403.3, tables 3.5-1 and 3.5-6: the time follows the station's number.
        case 1001...1004: length >= 8 ? .observations(time: bytes.bits(24, 30)) : nil
        case 1009...1012: length >= 8 ? .observations(time: bytes.bits(24, 27)) : nil
        // MSM of seven constellations, 1 to 7 in each (table 3.5-78).
        case 1071...1137 where (1...7).contains(number % 10):
            length >= 22 ? .observations(time: bytes.bits(24, 30)) : nil
        case 1005: length == 19 ? .referencePoint : nil
        case 1006: length == 21 ? .referencePoint : nil
        case 1007, 1008, 1013, 1033, 1230: .station
        case 1019, 1020, 1041, 1042, 1045, 1046: .ephemeris(satellite: bytes.bits(12, 6))
        case 1044: .ephemeris(satellite: bytes.bits(12, 4))
        default: nil
        }
    }
}

extension Span<UInt8> {
    /// Returns bits of the payload of the frame at the beginning, at most 56 of them.
    func bits(_ offset: Int, _ count: Int) -> Int {
        var value = 0
        let first = 8 * RTCMFrame.headerLength + offset
        for bit in first..<first + count { value = value << 1 | Int(self[bit >> 3] >> UInt8(7 - bit & 7) & 1) }
        return value
    }
}
