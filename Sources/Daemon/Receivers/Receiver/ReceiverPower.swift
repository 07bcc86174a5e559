/// The protocol for setting the fix interval of a serial receiver, and for sending it to standby when its fixes are not
/// needed.
///
/// Only the owner of the machine knows which device is connected to a port. Without this setting, nothing is written to
/// it.
public enum ReceiverPower: String, Sendable, Hashable, CaseIterable {
    /// u-blox, generations 6 to 9: UBX-CFG-RATE and UBX-RXM-PMREQ of 8 bytes, which an M10 ignores. Standby works on a
    /// UART only: USB keeps the receiver awake.
    case ublox
    /// MediaTek and its descendants: PMTK220 and PMTK161.
    case mtk
}
