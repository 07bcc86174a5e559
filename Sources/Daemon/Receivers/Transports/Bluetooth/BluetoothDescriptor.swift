import CLinux
import Glibc

/// The check of a descriptor that BlueZ has passed.
///
/// Attack: a program posing as BlueZ sends the descriptor of a file in a file system that never answers. Such a file is
/// read and closed only on the thread that received it.
enum BluetoothDescriptor {
    /// The check. Returns whether a descriptor is to be read.
    typealias Check = @Sendable (_ descriptor: CInt, BluetoothLink) -> Bool

    /// Returns whether a descriptor is a connection of this kind. For the serial port profile, that is an RFCOMM socket
    /// of the kernel; for Nordic's service, one end of a pair of sockets whose other end BlueZ has (src/gatt-client.c).
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
