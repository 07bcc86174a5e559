/// In which protocol a receiver on a serial port is told how often to give a fix, and to stand by when nobody asks.
///
/// Only the owner of the machine knows what is at the other end of a port: nothing is written to one without this.
public enum ReceiverPower: String, Sendable, Hashable, CaseIterable {
    /// u-blox, generations 6 to M10, by UBX-CFG-RATE and UBX-RXM-PMREQ. Stands by on a UART only: USB keeps it awake.
    case ublox
    /// MediaTek and its descendants, by PMTK220 and PMTK161.
    case mtk
}
