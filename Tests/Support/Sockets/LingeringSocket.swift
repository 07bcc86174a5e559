import CLinux
import CTestSupport
import Foundation

/// A TCP socket whose last close waits for an hour: it lingers (SO_LINGER, socket(7)), and its peer does not read what it has
/// sent.
package final class LingeringSocket {
    private let pair: TCPPair

    package init() throws {
        pair = try TCPPair()
        var time = linger(l_onoff: 1, l_linger: 3600)
        setsockopt(pair.app, SOL_SOCKET, SO_LINGER, &time, socklen_t(MemoryLayout<linger>.size))
        let bytes = [UInt8](repeating: 0, count: 65_536)
        while Glibc.send(pair.app, bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 {}
    }

    /// Sends a byte with the socket over a Unix socket, and closes it here, so that the message has the last reference
    /// unless it was dropped already. Returns 0 or an errno.
    package func handOver(on connection: CInt, flags: CInt = 0) -> CInt {
        defer { pair.closeApp { descriptor_close($0) } }
        return descriptor_send(connection, pair.app, flags)
    }
}
