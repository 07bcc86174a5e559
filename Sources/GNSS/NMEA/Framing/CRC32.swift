/// The CRC of 32 bits of NovAtel (OEM7 Commands and Logs, "32-Bit CRC"): Ethernet's, without its inversions. Unicore's
/// logs have it, too.
package struct CRC32 {
    package private(set) var remainder: UInt32 = 0

    package init() {}

    package mutating func add(_ byte: UInt8) {
        remainder ^= UInt32(byte)
        for _ in 0..<8 { remainder = remainder & 1 != 0 ? remainder &>> 1 ^ 0xEDB8_8320 : remainder &>> 1 }
    }
}
