/// The CRC of 24 bits of RTCM 3 (RTCM 10403.3, section 4.2): polynomial 0x1864CFB, no initial value, no reflection.
enum CRC24Q {
    private static let table: [UInt32] = (0..<256).map { byte in
        var remainder = UInt32(byte) << 16
        for _ in 0..<8 { remainder = remainder & 0x80_0000 == 0 ? remainder << 1 : remainder << 1 ^ 0x186_4CFB }
        return remainder & 0xFF_FFFF
    }

    /// Returns the CRC of the bytes from `start` to before `end`. It is 0 for a frame with its CRC.
    static func remainder(of bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt32 {
        let table = table
        var remainder: UInt32 = 0
        for offset in start..<end {
            remainder = remainder << 8 & 0xFF_FFFF ^ table[Int((remainder >> 16) ^ UInt32(bytes[offset]))]
        }
        return remainder
    }
}
