import CLinux
import Glibc

/// The check of a descriptor that BlueZ has handed over.
///
/// Attack: a program that BlueZ was taken for sends the descriptor of a file in a file system that never answers. That
/// is neither read nor closed anywhere but on the thread on which it was received.
enum BluetoothDescriptor {
    /// The check. Returns whether a descriptor is read.
    typealias Check = @Sendable (_ descriptor: CInt, BluetoothLink) -> Bool

    /// Returns whether a descriptor is a connection of this kind: by the serial port profile an RFCOMM socket of the
    /// kernel; with Nordic's service one end of a pair of sockets whose other end BlueZ has (src/gatt-client.c).
    @Sendable static func isAcceptable(_ descriptor: CInt, for link: BluetoothLink) -> Bool {
        var (family, type) = (CInt(0), CInt(0))
        guard socket_kind(descriptor, &family, &type) == 0 else { return false }
        return isAcceptable(family: family, type: type, for: link)
    }

    static func isAcceptable(family: CInt, type: CInt, for link: BluetoothLink) -> Bool {
        switch link {
        case .serialPort: socket_is_rfcomm(family, type) == 1
        case .nordicUART: family == AF_UNIX && type == CInt(SOCK_SEQPACKET.rawValue)
        }
    }
}
