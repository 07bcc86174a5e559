internal import CLinux
internal import Glibc

/// A socket of netlink(7), for requests to the kernel and its messages. Closed with its last reference.
package final class NetlinkSocket: Sendable {
    /// NETLINK_GENERIC of linux/netlink.h.
    package static let generic: CInt = 16
    /// The greatest length of a message, in bytes: the kernel makes the parts of its lists as long as the buffer of
    /// their reader, up to 32 KiB (net/netlink/af_netlink.c, netlink_recvmsg).
    package static let maximumLength = 32_768

    /// Becomes readable with a message. Non-blocking.
    package let descriptor: CInt

    /// Opens a socket of this protocol of linux/netlink.h.
    package init(_ netlinkProtocol: CInt) throws(SystemCallError) {
        descriptor = netlink_open(netlinkProtocol)
        guard descriptor >= 0 else { throw SystemCallError("socket(AF_NETLINK)", -descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Subscribes to the messages of a multicast group. A second subscription changes nothing.
    package func join(_ group: UInt32) throws(SystemCallError) {
        try Self.check("setsockopt(NETLINK_ADD_MEMBERSHIP)", netlink_join(descriptor, group))
    }

    /// Sends a request to the kernel, and so may wait for a lock in it, as the one of a driver.
    package func send(_ request: [UInt8]) throws(SystemCallError) {
        try Self.check("sendto", netlink_send(descriptor, request, request.count))
    }

    /// Returns the address of the socket, which answers repeat.
    package func port() throws(SystemCallError) -> UInt32 {
        var port: UInt32 = 0
        try Self.check("getsockname", netlink_port(descriptor, &port))
        return port
    }

    /// Returns the next message of the kernel, or `nil` if none is waiting. A message that does not count is empty: one
    /// that is longer than ``maximumLength``, and one of another process.
    ///
    /// Attack: a process pretends to be the kernel. The kernel alone has the address 0.
    ///
    /// - Throws: ENOBUFS if the kernel has dropped messages, because they were not received in time.
    package func receive() throws(SystemCallError) -> [UInt8]? {
        var status = 0
        let message = [UInt8](unsafeUninitializedCapacity: Self.maximumLength) { buffer, count in
            status = netlink_receive(descriptor, buffer.baseAddress, buffer.count)
            count = max(0, status)
        }
        guard status < 0 else { return message }
        switch CInt(-status) {
        case EAGAIN: return nil
        case EMSGSIZE, EPROTO: return []
        case let error: throw SystemCallError("recvfrom", error)
        }
    }

    private static func check(_ call: String, _ error: CInt) throws(SystemCallError) {
        guard error == 0 else { throw SystemCallError(call, error) }
    }
}
