import AuthorizationPolicy
import Glibc
import LocationModel
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import GPSDFront
@testable import LocationCore

/// A channel that has written, or has closed, before its `writeAndFlush` returns, as NIO's may have.
@Suite(.timeLimit(.minutes(10))) struct ReentranceTests {
    /// A connection whose socket is full, so that everything is left to its channel.
    private final class FullConnection {
        let connection: GPSDConnection
        let channel: EmbeddedChannel
        private let sockets: [CInt]

        init(_ server: GPSDServer) throws {
            var pair: [CInt] = [-1, -1]
            guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0 else { throw Overdue(what: "sockets") }
            let filling = [UInt8](repeating: 0, count: 65_536)
            while send(pair[0], filling, filling.count, CInt(MSG_DONTWAIT)) > 0 {}
            while send(pair[0], filling, 1, CInt(MSG_DONTWAIT)) > 0 {}
            sockets = pair
            channel = EmbeddedChannel()
            connection = GPSDConnection(
                channel: channel, descriptor: pair[0], peer: try ConnectionPeer(of: pair[0]), server: server)
        }

        deinit { for socket in sockets { close(socket) } }

        /// Returns the kinds of the lines that were sent.
        func sentKinds() throws -> [String] {
            channel.embeddedEventLoop.run()
            var kinds: [String] = []
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
                kinds += bytes.lines.map { String($0.dropFirst(#"{"class":""#.count).prefix { $0 != "\"" }) }
            }
            return kinds
        }
    }

    /// Closes the connection in the midst of a write.
    private final class Closer: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private let connection: GPSDConnection

        init(_ connection: GPSDConnection) { self.connection = connection }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            connection.didDisconnect()
            connection.server.disconnected(connection)
            promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    /// Returns a connection that was admitted.
    private func connection(to front: TestFront) async throws -> NIOLoopBound<FullConnection> {
        var admitted: NIOLoopBound<FullConnection>?
        try await eventually("admission") {
            let bound = try await front.server { server in
                let full = try FullConnection(server)
                server.admit(full.connection)
                return NIOLoopBound(full, eventLoop: server.eventLoop)
            }
            var isRefused = false
            try await eventually("an answer") {
                let state = try await front.server { _ in
                    bound.value.channel.embeddedEventLoop.run()
                    return (bound.value.connection.conversation != nil, bound.value.connection.isClosed)
                }
                isRefused = state.1
                return state.0 || state.1
            }
            admitted = isRefused ? nil : bound
            return admitted != nil
        }
        guard let admitted else { throw Overdue(what: "admission") }
        return admitted
    }

    private static let requests = #"?WATCH={"enable":true,"json":true};?VERSION;"#

    /// The second request is not handled between the replies to the first one.
    @Test func repliesStayInTheirOrder() async throws {
        let front = try await TestFront()
        let bound = try await connection(to: front)
        var kinds = try await front.server { _ in try bound.value.sentKinds() }
        #expect(kinds == ["VERSION"])
        try await front.server { _ in bound.value.connection.didReceive(ByteBuffer(string: Self.requests)) }
        kinds = []
        try await eventually("the replies") {
            kinds += try await front.server { _ in try bound.value.sentKinds() }
            return kinds.contains("VERSION")
        }
        #expect(kinds == ["DEVICES", "WATCH", "TPV", "VERSION"])
        try await front.server { server in
            bound.value.connection.didDisconnect()
            server.disconnected(bound.value.connection)
        }
        try await front.stop()
    }

    /// Attack: a client closes its connection while it is sent the replies to a WATCH, and the receivers are open for
    /// its subscription for ever.
    @Test func nothingIsOpenedForAConnectionThatIsClosed() async throws {
        let front = try await TestFront()
        let bound = try await connection(to: front)
        // Keeps the app known while the other one closes.
        let other = try await front.connect()
        try await front.decide(Decision(level: .whenInUse, accuracy: .full))
        try await front.server { _ in
            let full = bound.value
            full.channel.embeddedEventLoop.run()
            try full.channel.pipeline.syncOperations.addHandler(Closer(full.connection))
            full.connection.didReceive(ByteBuffer(string: Self.requests))
        }
        try await eventually("the end of the connection") {
            try await front.server { _ in bound.value.connection.isClosed }
        }
        let subscriptions = try await front.core { $0.peers.apps.values.map(\.subscriptions.count) }
        #expect(subscriptions == [0])
        other.send("?VERSION;")
        #expect(try await other.line()?.contains("VERSION") == true)
        try await front.stop()
    }
}
