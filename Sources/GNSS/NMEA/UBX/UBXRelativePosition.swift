// UBX-NAV-RELPOSNED: ZED-F9P Interface Description, "Relative positioning information in NED frame", version 1.

extension NMEADecoder {
    /// Reads NAV-RELPOSNED: the version (0), the length of the base line in cm (20) with 0.1 mm more (35), its
    /// direction (24) and the accuracy of that (52), both in units of 1e-5°, and the flags (60). Returns whether the
    /// direction is a heading of the device.
    ///
    /// An ordinary rover sends the same message about a base that is kilometres away. So the base has to move and to be
    /// near, as it is if both receivers are on one vehicle. The direction is from the base's antenna to the rover's.
    mutating func readRelativePosition(_ frame: UBXFrame, _ bytes: RawSpan) -> Bool {
        guard frame.length == 64, frame.number(0, bytes, as: UInt8.self) == 1, frame.hasHeading(bytes) else {
            return false
        }
        let length =
            Int64(frame.number(20, bytes, as: Int32.self)) &* 100 &+ Int64(frame.number(35, bytes, as: Int8.self))
        guard BaseLine.lengths.contains(length) else { return false }
        return compass.read(
            Talker(code: 0x4E_47),
            true: FixedPoint(mantissa: Int64(frame.number(24, bytes, as: Int32.self)), scale: 5),
            accuracy: BaseLine.accuracy(FixedPoint(mantissa: Int64(frame.number(52, bytes, as: UInt32.self)), scale: 5))
        )
    }
}

extension UBXFrame {
    /// Returns whether a NAV-RELPOSNED has a fix (bit 0), a valid position (2), resolved ambiguities (3 and 4: 2), a
    /// base that moves (5), and a valid heading (8).
    fileprivate func hasHeading(_ bytes: RawSpan) -> Bool {
        number(60, bytes, as: UInt32.self) & 0b1_0011_1101 == 0b1_0011_0101
    }
}

/// The line between the two antennas of a device.
enum BaseLine {
    /// The possible lengths, in tenths of a millimetre. Below 0.3 m, the direction is no longer exact; more than 20 m
    /// is the distance to another vehicle or to a reference station.
    static let lengths: ClosedRange<Int64> = 3_000...200_000

    /// Returns the accuracy in degrees, or `none` if it is not plausible: the direction is then a guess.
    static func accuracy(_ degrees: FixedPoint) -> FixedPoint {
        guard let value = degrees.scaled(), value > 0, value <= 180 else { return .none }
        return degrees
    }
}
