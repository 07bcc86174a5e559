internal import Linux

/// A request to the kernel for one TCP socket, and the check of the answer: sock_diag(7), netlink(7), and the kernel's
/// headers linux/sock_diag.h and linux/inet_diag.h.
///
/// The numbers are in the byte order of the machine, except for ports and addresses, which are in network byte order.
package struct SocketQuery {
    /// The socket's connection, from its own end.
    package let connection: TCPConnection
    /// The cookie of the requested socket, or `nil` for any socket with this connection.
    package var cookie: UInt64?
    /// A number that the answer repeats.
    package var sequence: UInt32 = 1

    /// The maximum length of an accepted answer. The kernel's has some hundred bytes.
    package static let maximumAnswerLength = 4096

    // netlink(7), "struct nlmsghdr", and linux/sock_diag.h
    private static let byFamily: UInt16 = 20
    private static let isRequest: UInt16 = 1
    // linux/in.h, linux/tcp_states.h
    private static let tcp: UInt8 = 6
    /// ESTABLISHED, and FIN_WAIT1 and FIN_WAIT2, for a program that sends nothing more and still reads.
    private static let connected: [UInt8] = [1, 4, 5]
    // linux/inet_diag.h: struct inet_diag_msg, and INET_DIAG_CGROUP_ID (Linux 5.8)
    private static let answerLength = 72
    private static let cgroupAttribute: UInt16 = 21
    private static let noCookie = UInt64.max
    // AF_INET, AF_INET6: socket(2)
    private static let ipv4: UInt8 = 2
    private static let ipv6: UInt8 = 10

    /// Creates a request for the socket of a connection, from the socket's own end.
    package init(connection: TCPConnection, cookie: UInt64? = nil) {
        self.connection = connection
        self.cookie = cookie
    }

    /// The address family of the kernel's table that has the connection: AF_INET or AF_INET6.
    private var family: UInt8 { connection.local.address.count == 4 ? Self.ipv4 : Self.ipv6 }

    /// The request: struct nlmsghdr, struct inet_diag_req_v2.
    package var bytes: [UInt8] {
        var body: [UInt8] = [family, Self.tcp, 0, 0]
        body.append(native: UInt32.max)
        body += socketID(\.padded) + [0, 0, 0, 0]
        body.append(native: cookie ?? Self.noCookie)
        return NetlinkMessage.request(
            type: Self.byFamily, flags: Self.isRequest, sequence: sequence, contents: body)
    }

    /// Returns the beginning of struct inet_diag_sockid: ports and addresses, without an interface.
    ///
    /// - Parameter address: Returns the 16 bytes of an end's address.
    private func socketID(_ address: (TCPConnection.End) -> [UInt8]) -> [UInt8] {
        let ends = [connection.local, connection.remote]
        return ends.flatMap { [UInt8($0.port >> 8), UInt8($0.port & 0xFF)] } + ends.flatMap(address)
    }

    /// Returns whether an answer describes the requested socket.
    ///
    /// The kernel finds an IPv4 connection in IPv4's table, and describes its socket in the socket's own family. A
    /// socket of IPv6 that is connected to a v4-mapped address (::ffff:127.0.0.1), as all of Java's are, has v4-mapped
    /// addresses.
    private func isDescribed(by answer: [UInt8]) -> Bool {
        // The interface, which is loopback's or 0, is left out.
        let id = answer[20..<56]
        switch answer[16] {
        case family: return id.elementsEqual(socketID(\.padded))
        case Self.ipv6: return family == Self.ipv4 && id.elementsEqual(socketID(\.mapped))
        default: return false
        }
    }

    /// Returns the socket's owner, or `nil` unless the answer is the kernel's to this request and says that the socket
    /// is connected.
    ///
    /// Attack: the connection comes from another network namespace or another machine, and no socket here has it. The
    /// kernel then answers with an error, or with another program's socket that listens on that address. So the answer
    /// must have the very addresses and ports, and the state of a connection.
    ///
    /// - Parameter port: The address of the netlink socket that sent the request.
    package func owner(in answer: [UInt8], port: UInt32) -> TCPSocketOwner? {
        let attributes = NetlinkMessage.headerLength + Self.answerLength
        guard answer.count >= attributes, answer.count <= Self.maximumAnswerLength,
            answer.native(UInt32.self, at: 0) == UInt32(answer.count),
            answer.native(UInt16.self, at: 4) == Self.byFamily,
            answer.native(UInt32.self, at: 8) == sequence, answer.native(UInt32.self, at: 12) == port,
            isDescribed(by: answer), Self.connected.contains(answer[17]),
            let cgroup = Self.cgroup(in: answer[attributes...])
        else { return nil }
        let cookie = answer.native(UInt64.self, at: 60)
        let inode = answer.native(UInt32.self, at: 84)
        // A socket that is no longer open in any process has no inode.
        guard inode != 0, self.cookie ?? cookie == cookie else { return nil }
        return TCPSocketOwner(
            connection: connection, uid: answer.native(UInt32.self, at: 80), inode: inode, cookie: cookie,
            cgroupID: cgroup)
    }

    /// Returns the only control group among the attributes (struct rtattr, rtnetlink(7)), or `nil` if there is none or
    /// the attributes are malformed.
    private static func cgroup(in attributes: ArraySlice<UInt8>) -> UInt64? {
        let found = NetlinkAttribute.list(attributes)?.filter { $0.type == cgroupAttribute } ?? []
        return found.count == 1 ? found[0].number(UInt64.self) : nil
    }
}

extension TCPConnection.End {
    /// The address in the 16 bytes of struct inet_diag_sockid. An IPv4 address occupies the first four.
    fileprivate var padded: [UInt8] { address + [UInt8](repeating: 0, count: 16 - address.count) }

    /// The IPv4 address as a v4-mapped IPv6 address.
    fileprivate var mapped: [UInt8] { Self.mappedPrefix + address }
}
