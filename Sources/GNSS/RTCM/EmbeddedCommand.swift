/// A command to a receiver inside a frame of RTCM 3.
///
/// Attack: a caster hides a command in the payload of an intact frame. A receiver that does not speak RTCM, or has lost
/// a byte of the frame, reads on at the command.
enum EmbeddedCommand {
    /// The shortest text that counts as a command. A shorter one occurs among measurements by chance.
    private static let minimumText = 6
    /// The bytes of an UBX frame besides its payload: UBX's checksum is over all but the first and last two.
    private static let overhead = 8
    /// The maximum length of a frame that receivers accept: their input buffer's.
    private static let longest = 4096

    /// Returns whether the bytes contain a frame of UBX, or a line of text, as in NMEA 0183, PMTK and AT commands.
    static func isPresent(in bytes: Span<UInt8>) -> Bool {
        var text = 0
        for offset in bytes.indices {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\n"), offset > 0, bytes[offset - 1] == UInt8(ascii: "\r"), text >= minimumText {
                return true
            }
            if byte == 0xB5, isUBX(bytes, offset) { return true }
            if byte != UInt8(ascii: "\r") { text = (0x20...0x7E).contains(byte) ? text + 1 : 0 }
        }
        return false
    }

    /// Returns whether a frame of UBX begins at an offset (u-blox F9 Interface Description, "UBX frame").
    ///
    /// Attack: the command ends in the next frame, whose bytes the caster chooses, too. So a frame that does not end
    /// here counts if it may configure (class 0x06) or overwrite (0x09) the receiver.
    private static func isUBX(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        guard start + 2 < bytes.count, bytes[start + 1] == 0x62 else { return false }
        let changes = bytes[start + 2] == 0x06 || bytes[start + 2] == 0x09
        guard bytes.count - start >= overhead else { return changes }
        let end = start + 6 + (Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8)
        guard end + 2 <= bytes.count else { return changes && end - start <= longest }
        var (a, b) = (UInt8(0), UInt8(0))
        for offset in start + 2..<end {
            a &+= bytes[offset]
            b &+= a
        }
        return bytes[end] == a && bytes[end + 1] == b
    }
}
