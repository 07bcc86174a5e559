import EventLoopSupport
import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// Sockets on a loop of their own. The other end of each may belong to any process.
///
/// A loop that closes a descriptor which lingers for an hour does so beyond the time limit.
@Suite(.timeLimit(.minutes(15))) final class StreamSocketTests {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private var loop: any EventLoop { group.next() }

    /// The events of a socket. Confined to the event loop.
    private final class Owner: StreamSocketDelegate {
        let socket: StreamSocket
        var received = ""
        var hasEnded = false
        var hasSentRest = false
        var isClosed = false
        /// A Boolean value indicating whether everything is received as soon as it comes.
        var receives: Bool

        init(_ socket: StreamSocket, receives: Bool) {
            self.socket = socket
            self.receives = receives
            socket.delegate = self
            socket.start()
            if receives { socket.receive() }
        }

        func didReceive(_ bytes: ByteBuffer) {
            received += String(buffer: bytes)
            if receives { socket.receive() }
        }
        func didReachEnd() { hasEnded = true }
        func didSendRest() { hasSentRest = true }
        func didClose() { isClosed = true }
    }

    private struct Pair: Sendable {
        let owner: NIOLoopBound<Owner>
        let sockets: NIOLoopBound<StreamSockets>
        /// The other end, which the test owns.
        let other: CInt
    }

    /// Makes a pair of Unix sockets.
    private func pair(receives: Bool = true) async throws -> Pair {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let (own, other) = (ends[0], ends[1])
        _ = fcntl(own, F_SETFL, O_NONBLOCK)
        return try await loop.submit { [loop] in
            let sockets = try StreamSockets(on: loop)
            let owner = Owner(StreamSocket(own, in: sockets), receives: receives)
            return Pair(
                owner: NIOLoopBound(owner, eventLoop: loop), sockets: NIOLoopBound(sockets, eventLoop: loop),
                other: other)
        }.get()
    }

    private func on<Value: Sendable>(_ pair: Pair, _ body: @escaping @Sendable (Owner) -> Value) async throws -> Value {
        try await loop.submit { body(pair.owner.value) }.get()
    }

    private func wait(_ pair: Pair, for what: String, _ condition: @escaping @Sendable (Owner) -> Bool) async throws {
        try await eventually(what) { try await on(pair, condition) }
    }

    private func end(_ pair: Pair) async throws {
        closeEverywhere(pair.other)
        try await loop.submit { pair.owner.value.socket.close() }.get()
        try await wait(pair, for: "the end") { $0.isClosed }
        try await loop.submit { pair.sockets.value.stop() }.get()
        try await group.shutdownGracefully()
    }

    private func send(_ text: String, on pair: Pair) {
        #expect(Glibc.send(pair.other, text, text.utf8.count, CInt(MSG_NOSIGNAL)) == text.utf8.count)
    }

    // MARK: Receiving and sending

    @Test func whatIsSentIsReceived() async throws {
        let pair = try await pair()
        send("hello", on: pair)
        try await wait(pair, for: "the text") { $0.received == "hello" }
        send(" again", on: pair)
        try await wait(pair, for: "the text") { $0.received == "hello again" }
        shutdown(pair.other, CInt(SHUT_WR))
        try await wait(pair, for: "the end of the input") { $0.hasEnded }
        #expect(try await !on(pair) { $0.isClosed })
        try await end(pair)
    }

    @Test func nothingIsReceivedUnlessItIsAskedFor() async throws {
        let pair = try await pair(receives: false)
        send("hello", on: pair)
        shutdown(pair.other, CInt(SHUT_WR))
        // An event of the same socket that comes later.
        _ = try await on(pair) { $0.socket.send(ByteBuffer(repeating: 0, count: 1 << 22)) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        try await eventually("the rest to be sent") {
            while recv(pair.other, &bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 {}
            return try await on(pair) { $0.hasSentRest }
        }
        #expect(try await on(pair) { $0.received == "" && !$0.hasEnded })
        try await on(pair) { $0.socket.receive() }
        try await wait(pair, for: "the text") { $0.received == "hello" }
        try await on(pair) { $0.socket.receive() }
        try await wait(pair, for: "the end of the input") { $0.hasEnded }
        try await end(pair)
    }

    @Test func anEndWithoutInputIsReportedAlthoughNothingIsReceived() async throws {
        let pair = try await pair(receives: false)
        shutdown(pair.other, CInt(SHUT_WR))
        try await wait(pair, for: "the end of the input") { $0.hasEnded }
        try await end(pair)
    }

    @Test func aPeerThatIsGoneClosesASocketThatReceivesNothing() async throws {
        let pair = try await pair(receives: false)
        send("unread", on: pair)
        closeEverywhere(pair.other)
        try await wait(pair, for: "the end") { $0.isClosed }
        try await loop.submit { pair.sockets.value.stop() }.get()
        try await group.shutdownGracefully()
    }

    // MARK: Descriptors

    /// Attack: a byte is sent with a descriptor that waits when it is closed. Any process that receives or closes it
    /// waits too.
    @Test(arguments: [0, CInt(MSG_OOB)], ["", "before"])
    func aPeerThatSendsADescriptorIsDisconnected(_ flags: CInt, _ before: String) async throws {
        let pair = try await pair()
        if !before.isEmpty { send(before, on: pair) }
        let lingering = try LingeringSocket()
        #expect(lingering.handOver(on: pair.other, flags: flags) == 0)
        try await wait(pair, for: "the end") { $0.isClosed }
        #expect(try await on(pair) { !$0.received.contains("x") })
        try await end(pair)
    }

    /// Attack: the connection ends while the descriptor waits in it: the peer's end, or ours.
    @Test(arguments: [true, false])
    func aDescriptorThatIsNeverReceivedIsNotClosedOnTheLoop(_ peerLeaves: Bool) async throws {
        let pair = try await pair(receives: false)
        let lingering = try LingeringSocket()
        #expect(lingering.handOver(on: pair.other) == 0)
        if peerLeaves {
            closeEverywhere(pair.other)
            try await wait(pair, for: "the end") { $0.isClosed }
            try await loop.submit { pair.sockets.value.stop() }.get()
            try await group.shutdownGracefully()
        } else {
            try await end(pair)
        }
    }

    /// Attack: so many descriptors linger that the descriptors of other connections are never closed.
    @Test func whatLingersIsInterrupted() async throws {
        let closer = DescriptorCloser()
        for _ in 0..<200 {
            var ends: [CInt] = [-1, -1]
            try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
            for _ in 0..<3 { #expect(try LingeringSocket().handOver(on: ends[1]) == 0) }
            closeEverywhere(ends[1])
            closer.close(ends[0])
        }
        try await eventually("200 sockets to be closed") { !closer.isBusy }
        closer.stop()
        try await group.shutdownGracefully()
    }

    // MARK: Listening

    /// Connects to a path, sends a descriptor, and returns the result of send(2).
    private func hand(over flags: CInt = 0, to path: String) throws -> (connection: RawSocket, status: CInt) {
        let connection = try RawSocket(path)
        return (connection, try LingeringSocket().handOver(on: connection.descriptor, flags: flags))
    }

    /// Attack: a connection made before the socket listens contains a descriptor.
    @Test func descriptorsThatWaitInAConnectionDoNotStopTheListener() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let listener = try Listener(path)
        let early = try (0..<8).map { try hand(over: $0 % 2 == 0 ? 0 : CInt(MSG_OOB), to: path) }
        #expect(early.allSatisfy { $0.status == 0 })
        let descriptor = dup(listener.descriptor)
        let server = try await loop.submit { [loop] in
            NIOLoopBound(try Server(descriptor, on: loop), eventLoop: loop)
        }.get()
        try await eventually("the early connections to be closed") {
            try await self.loop.submit { server.value.owners.count { $0.isClosed } == 8 }.get()
        }
        // If the kernel can refuse descriptors, the processes that send them get an error now.
        let late = try hand(to: path)
        #expect(late.status == 0 || late.status == EPERM)
        // Some of them stay in the backlog when the socket is closed.
        let last = try (0..<8).map { _ in try hand(to: path) }
        try await loop.submit {
            server.value.listener?.close()
            for owner in server.value.owners { owner.socket.close() }
        }.get()
        try await eventually("the last connections to be closed") {
            try await self.loop.submit { server.value.owners.allSatisfy { $0.isClosed } }.get()
        }
        try await loop.submit { server.value.sockets.stop() }.get()
        withExtendedLifetime((early, late, last, listener, folder)) {}
        try await group.shutdownGracefully()
    }

    private final class Server {
        let sockets: StreamSockets
        var listener: StreamListener?
        var owners: [Owner] = []

        init(_ descriptor: CInt, on loop: any EventLoop) throws {
            sockets = try StreamSockets(on: loop)
            listener = StreamListener(descriptor, backlog: 16, in: sockets) { [unowned self] in
                owners.append(Owner(StreamSocket($0, in: sockets), receives: true))
            }
        }
    }
}
