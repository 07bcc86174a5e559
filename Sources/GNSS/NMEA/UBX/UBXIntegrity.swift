// UBX-NAV-PL, UBX-SEC-OSNMA, UBX-ESF-STATUS and the last flags of UBX-NAV-PVT: the guarantees of a receiver for its
// position, and the state of its sensors. ZED-F9R, ZED-X20P and NEO-M8U Interface Descriptions.

extension NMEADecoder {
    /// Reads NAV-PL: the version (0), the risk in percent per epoch, as a coefficient (1) and an exponent of ten (2),
    /// the validity of the position's levels (3), their axes (4: 1 north, east, down; 2 along, across, down; 3 of the
    /// error ellipse), and the levels in mm (16, 20, 24).
    mutating func readProtectionLevel(_ frame: UBXFrame, _ bytes: RawSpan) {
        guard frame.number(0, bytes, as: UInt8.self) == 1 else { return }
        let axes = frame.number(4, bytes, as: UInt8.self)
        guard frame.number(3, bytes, as: UInt8.self) == 1, (1...3).contains(axes) else { return protectionLevel = nil }
        let levels = (
            Double(frame.number(16, bytes, as: UInt32.self)) / 1000,
            Double(frame.number(20, bytes, as: UInt32.self)) / 1000
        )
        protectionLevel = ProtectionLevel(
            // The first axis of an ellipse is the longest one.
            horizontal: axes == 3
                ? max(levels.0, levels.1) : ProtectionLevel.length(levels.0, levels.1),
            vertical: Double(frame.number(24, bytes, as: UInt32.self)) / 1000,
            risk: frame.risk(coefficient: 1, exponent: 2, bytes))
    }

    /// Reads SEC-OSNMA, version 2: whether OSNMA is on (2: bit 0), the number of satellites (16: bits 0 to 5), and for
    /// each of them 4 bytes with the result (bit 15).
    mutating func readMessageAuthentication(_ frame: UBXFrame, _ bytes: RawSpan) {
        guard frame.number(0, bytes, as: UInt8.self) == 2 else { return }
        let isOn = frame.number(2, bytes, as: UInt8.self) & 1 != 0
        let count = min(Int(frame.number(16, bytes, as: UInt8.self) & 63), (frame.length &- 20) / 4)
        var authentic = 0
        for index in 0..<(isOn ? count : 0)
        where frame.number(20 &+ 4 &* index, bytes, as: UInt16.self) & 0x8000 != 0 { authentic &+= 1 }
        authenticSatellites = authentic
    }

    /// Reads the flags of NAV-PVT, if they exist (78): the time agrees with a trusted one (bit 13), and the fix uses
    /// authenticated navigation data only (bit 14), if there is one (21: bit 0).
    @inline(__always)
    mutating func readAuthentication(_ frame: UBXFrame, _ bytes: RawSpan) {
        sentProofs = frame.length < 92 ? 0 : frame.number(78, bytes) & 0x6000 | frame.number(21, bytes) & 1
    }

    /// The receiver's proofs that its signals are authentic.
    public var authentication: Authentication {
        Authentication(
            satellites: authenticSatellites, time: sentProofs & 0x2000 != 0, position: sentProofs & 0x4001 == 0x4001)
    }

    /// Reads ESF-STATUS, version 2 (4): the mode of the fusion (12).
    mutating func readFusionStatus(_ frame: UBXFrame, _ bytes: RawSpan) {
        guard frame.number(4, bytes, as: UInt8.self) == 2 else { return }
        deadReckoning = DeadReckoning(mode: frame.number(12, bytes))
    }
}

extension UBXFrame {
    /// Returns a probability that is sent as a coefficient and an exponent of percent.
    fileprivate func risk(coefficient: Int, exponent: Int, _ bytes: RawSpan) -> Double? {
        let power = Int(number(exponent, bytes, as: Int8.self)) &- 2
        guard (-18...0).contains(power) else { return nil }
        return Double(number(coefficient, bytes, as: UInt8.self)) / Double(FixedPoint.powerOfTen(0 &- power))
    }
}
