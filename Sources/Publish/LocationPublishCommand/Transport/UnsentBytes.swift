// `linger` is the kernel's, and Swift finds it in the first module whose header includes its own.
internal import CCurl
internal import Glibc

/// The bytes that the kernel has for a server and has not sent.
enum UnsentBytes {
    /// Has the kernel drop them when the socket is closed.
    ///
    /// Attack: the network is down, and the user revokes the location. For minutes, the kernel would go on trying to
    /// send what it has buffered for the closed connection, and would deliver it once the network is back.
    static func discardOnClose(of socket: CInt) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
