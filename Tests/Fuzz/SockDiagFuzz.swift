import PeerIdentity

/// Fuzzes the kernel's answer about a TCP socket, after the header of netlink, which is made to fit.
func fuzzSocketAnswers(_ input: [UInt8]) {
    guard input.count <= SocketQuery.maximumAnswerLength else { return }
    let port: UInt32 = 7
    for address in [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]] {
        let end = TCPConnection.End(address: address, port: 2947)
        var query = SocketQuery(connection: TCPConnection(local: end, remote: end))
        precondition(query.bytes.count == 72)
        let header: [UInt32] = [UInt32(16 + input.count), 20, query.sequence, port]
        let answer = header.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) } + input
        guard let owner = query.owner(in: answer, port: port) else { continue }
        precondition(owner.inode != 0 && owner.connection == query.connection)
        query.cookie = owner.cookie
        precondition(query.owner(in: answer, port: port) == owner)
        query.cookie = owner.cookie &+ 1
        precondition(query.owner(in: answer, port: port) == nil)
        precondition(query.owner(in: answer, port: port + 1) == nil)
    }
}
