internal import NIOCore
internal import NMEARelay
internal import PeerIdentity

extension PortReaders.Owner {
    /// Returns the owner of a new connection: the user who created the socket at its other end, if that is on this
    /// machine, or else the network that it comes from.
    static func of(_ channel: any Channel) -> Self {
        guard let remote = TCPConnection.End(channel.remoteAddress) else { return .network([]) }
        if let local = TCPConnection.End(channel.localAddress),
            let owner = try? TCPSocketOwner(of: TCPConnection(local: remote, remote: local))
        {
            return .user(owner.uid)
        }
        // Any user of this machine can use any address of 127.0.0.0/8.
        if remote.address.count == 4, remote.address[0] == 127 { return .network([127]) }
        return .network(Array(remote.address.prefix(remote.address.count == 4 ? 4 : 8)))
    }
}

extension TCPConnection.End {
    fileprivate init?(_ address: SocketAddress?) {
        guard let ip = IPAddress(address), let port = address?.port.flatMap(UInt16.init(exactly:)) else { return nil }
        self.init(address: ip.bytes, port: port)
    }
}
