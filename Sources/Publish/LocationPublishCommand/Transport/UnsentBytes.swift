// `linger` is a kernel type, which Swift finds in the first module whose header includes it.
internal import CCurl
internal import Glibc

/// Bytes for a server, buffered by the kernel and not sent.
enum UnsentBytes {
    /// Makes the kernel drop them when the socket is closed.
    ///
    /// Attack: the network is down, and the user revokes the location. The kernel would keep trying for minutes to send
    /// the buffered bytes of the closed connection, and would deliver them once the network is back.
    static func discardOnClose(of socket: CInt) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
