/// Frames of RTCM 3, made by the standard's own words instead of by the tested code.
package enum RTCMFrames {
    /// The standard's example of message 1005: station 2003 (RTCM 10403.3, section 4.2).
    package static let referencePoint: [UInt8] = [
        0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD, 0x62, 0xAC, 0x09,
        0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
    ]

    /// Returns message 1005 of a station at a place in metres from the centre of the Earth (RTCM 10403.3, table 3.5-3).
    package static func referencePoint(
        station: Int = 7, isComputed: Bool = false, x: Double, y: Double, z: Double
    ) -> [UInt8] {
        let units = [x, y, z].map { Int(($0 * 10_000).rounded()) }
        let fields = [
            (1005, 12), (station, 12), (4, 9), (isComputed ? 1 : 0, 1), (units[0], 38), (0, 2), (units[1], 38), (0, 2),
            (units[2], 38),
        ]
        var bits: [Int] = []
        for (value, count) in fields { bits += (0..<count).map { value >> (count - 1 - $0) & 1 } }
        return frame(
            stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
            })
    }

    /// Returns a frame with a payload.
    package static func frame(_ payload: [UInt8]) -> [UInt8] {
        let bytes = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        let crc = crc24Q(bytes)
        return bytes + [UInt8(crc >> 16), UInt8(crc >> 8 & 0xFF), UInt8(crc & 0xFF)]
    }

    /// Returns a frame of a number, with a station, a time of measurements, and further bytes.
    package static func message(
        _ number: Int, station: Int = 7, time: Int = 0, content: [UInt8] = [UInt8](repeating: 0, count: 20)
    ) -> [UInt8] {
        let head = number << 44 | station << 32 | time << 2
        return frame((0..<7).map { UInt8(truncatingIfNeeded: head >> (48 - 8 * $0)) } + content)
    }

    /// Returns the CRC, bit by bit.
    package static func crc24Q(_ bytes: [UInt8]) -> Int {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ Int(byte) << 16) { crc, _ in
                crc & 0x80_0000 == 0 ? crc << 1 : (crc << 1 ^ 0x186_4CFB) & 0xFF_FFFF
            }
        }
    }
}
