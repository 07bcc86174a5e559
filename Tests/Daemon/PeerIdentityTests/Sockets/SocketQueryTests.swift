import TestSupport
import Testing

@testable import PeerIdentity

/// The request for a socket, and the kernel's answer, as Linux 6.18 gave it.
@Suite struct SocketQueryTests {
    private static let ipv4 = SocketQuery(
        connection: TCPConnection(
            local: TCPConnection.End(address: [127, 0, 0, 1], port: 34_798),
            remote: TCPConnection.End(address: [127, 0, 0, 1], port: 2947)))
    private static let ipv6 = SocketQuery(
        connection: TCPConnection(
            local: TCPConnection.End(address: [UInt8](repeating: 0, count: 15) + [1], port: 47_896),
            remote: TCPConnection.End(address: [UInt8](repeating: 0, count: 15) + [1], port: 2947)))
    /// The address of the netlink socket that the answers are for.
    private static let port: UInt32 = 16_408

    private static let ipv4Request = bytes(
        """
        4800000014000100010000000000000002060000ffffffff87ee0b837f0000010000000000000000000000007f000001\
        00000000000000000000000000000000ffffffffffffffff
        """)
    private static let ipv6Request = bytes(
        """
        480000001400010001000000000000000a060000ffffffffbb180b830000000000000000000000000000000100000000\
        00000000000000000000000100000000ffffffffffffffff
        """)
    private static let ipv4Answer = bytes(
        """
        7c0000001400000001000000184000000201000087ee0b837f0000010000000000000000000000007f00000100000000\
        0000000000000000000000000200000000000000000000000000000000000000e8030000a3e313000500080000000000\
        08000f00000000000c00150001000000000000000600160052000000
        """)
    private static let ipv6Answer = bytes(
        """
        7c0000001400000001000000184000000a010000bb180b83000000000000000000000000000000010000000000000000\
        000000000000000100000000030000000000000000000000000000000000000000000000a7e313000500080000000000\
        08000f00000000000c00150001000000000000000600160012000000
        """)

    /// The answer to the request for the connection of ``ipv4`` about a socket of IPv6: the family, and the addresses
    /// as ::ffff:127.0.0.1.
    private static let mappedAnswer: [UInt8] = {
        var answer = ipv4Answer
        answer[16] = 10
        answer.replaceSubrange(24..<56, with: bytes("00000000000000000000ffff7f00000100000000000000000000ffff7f000001"))
        return answer
    }()

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
    }

    /// Returns the answer of IPv4 with other bytes from an index on.
    private static func answer(_ index: Int, _ bytes: [UInt8]) -> [UInt8] {
        var answer = ipv4Answer
        answer.replaceSubrange(index..<index + bytes.count, with: bytes)
        return answer
    }

    @Test func theRequestNamesTheConnection() {
        #expect(Self.ipv4.bytes == Self.ipv4Request)
        #expect(Self.ipv6.bytes == Self.ipv6Request)
    }

    @Test func theRequestNamesTheSocket() {
        var query = Self.ipv4
        query.cookie = 0x0102_0304_0506_0708
        query.sequence = 7
        #expect(query.bytes.suffix(8) == [8, 7, 6, 5, 4, 3, 2, 1])
        #expect(query.bytes[8..<12] == [7, 0, 0, 0])
    }

    @Test func theOwnerOfASocket() throws {
        let owner = try #require(Self.ipv4.owner(in: Self.ipv4Answer, port: Self.port))
        #expect(owner.uid == 1000)
        #expect(owner.inode == 1_303_459)
        #expect(owner.cookie == 2)
        #expect(owner.cgroupID == 1)
        #expect(owner.connection == Self.ipv4.connection)
        let other = try #require(Self.ipv6.owner(in: Self.ipv6Answer, port: Self.port))
        #expect(other.uid == 0)
        #expect(other.inode == 1_303_463)
    }

    /// The socket of a program that connects with IPv6's calls to an IPv4 address, as Java does.
    @Test func aSocketOfIPv6OnAConnectionOfIPv4() throws {
        let owner = try #require(Self.ipv4.owner(in: Self.mappedAnswer, port: Self.port))
        #expect(owner == Self.ipv4.owner(in: Self.ipv4Answer, port: Self.port))
        // Attack: the answer is about a connection of IPv6 that has the same bytes in its addresses, or about another
        // IPv4 address.
        for index in [16, 24, 33, 34, 35, 36, 39, 40, 49, 50, 51, 52, 55] {
            var other = Self.mappedAnswer
            other[index] ^= 1
            #expect(Self.ipv4.owner(in: other, port: Self.port) == nil, "\(index)")
        }
        var unmapped = Self.ipv4Answer
        unmapped[16] = 10
        #expect(Self.ipv4.owner(in: unmapped, port: Self.port) == nil)
        // A connection of IPv6 is not described by a socket of IPv4.
        var answer = Self.ipv6Answer
        answer[16] = 2
        #expect(Self.ipv6.owner(in: answer, port: Self.port) == nil)
    }

    /// Attack: the kernel answers with a socket that listens at the peer's address, or that was closed.
    @Test func onlyAConnectedSocketCounts() {
        // linux/tcp_states.h: all but ESTABLISHED, FIN_WAIT1 and FIN_WAIT2.
        for state in UInt8(0)...255 where ![1, 4, 5].contains(state) {
            #expect(Self.ipv4.owner(in: Self.answer(17, [state]), port: Self.port) == nil)
        }
        for state in [1, 4, 5] as [UInt8] {
            #expect(Self.ipv4.owner(in: Self.answer(17, [state]), port: Self.port) != nil)
        }
        #expect(Self.ipv4.owner(in: Self.answer(84, [0, 0, 0, 0]), port: Self.port) == nil, "no inode")
    }

    /// Attack: the answer is about another socket, or to another request.
    @Test(arguments: [0, 4, 8, 12, 16, 20, 21, 22, 23, 24, 27, 30, 39, 40, 43, 46, 55])
    func anAnswerAboutAnotherSocket(_ index: Int) {
        let answer = Self.answer(index, [Self.ipv4Answer[index] ^ 1])
        #expect(Self.ipv4.owner(in: answer, port: Self.port) == nil)
    }

    @Test func anAnswerToAnotherSocketOfNetlink() {
        #expect(Self.ipv4.owner(in: Self.ipv4Answer, port: Self.port + 1) == nil)
    }

    /// Attack: the socket was closed, and another one has its connection, or the number of its inode.
    @Test func anotherCookieIsAnotherSocket() {
        var query = Self.ipv4
        query.cookie = 2
        #expect(query.owner(in: Self.ipv4Answer, port: Self.port) != nil)
        query.cookie = 3
        #expect(query.owner(in: Self.ipv4Answer, port: Self.port) == nil)
    }

    /// netlink(7): struct nlmsgerr, with ENOENT.
    @Test func anError() {
        let error = Self.bytes("24000000020000000100000018400000feffffff48000000140001000100000000000000")
        #expect(Self.ipv4.owner(in: error, port: Self.port) == nil)
    }

    /// Linux before 5.8 does not say in which control group a socket was created.
    @Test(arguments: [
        // No attributes; only others; the control group twice, too short, and cut off.
        "", "0500080000000000", "0c00150001000000000000000c0015000200000000000000", "0800150001000000", "0c001500",
        "0c0015000100000000000000ff", "00001500", "0300150001000000",
    ])
    func attributesWithoutOneControlGroup(_ attributes: String) {
        var answer = Self.ipv4Answer.prefix(88) + Self.bytes(attributes)
        answer[0] = UInt8(answer.count)
        #expect(Self.ipv4.owner(in: Array(answer), port: Self.port) == nil)
    }

    @Test func cutOff() {
        for length in 0..<Self.ipv4Answer.count {
            var answer = Array(Self.ipv4Answer.prefix(length))
            #expect(Self.ipv4.owner(in: answer, port: Self.port) == nil)
            if length > 0 { answer[0] = UInt8(length) }
            // With a length that agrees, only the last attribute may be missing, or its padding.
            let missing = Self.ipv4Answer.count - length
            #expect((Self.ipv4.owner(in: answer, port: Self.port) != nil) == [8, 2, 1].contains(missing))
        }
        let doubled = Self.ipv4Answer + Self.ipv4Answer
        #expect(Self.ipv4.owner(in: doubled, port: Self.port) == nil)
        #expect(Self.ipv4.owner(in: [UInt8](repeating: 0xFF, count: 70_000), port: Self.port) == nil)
    }

    @Test(arguments: [UInt64(1), 2, 3]) func damagedAnswers(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            var answer = Self.ipv4Answer
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                answer[Int.random(in: 0..<answer.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let owner = Self.ipv4.owner(in: answer, port: Self.port) else { continue }
            #expect(owner.inode != 0 && [1, 4, 5].contains(answer[17]), "seed \(seed)")
        }
    }
}
