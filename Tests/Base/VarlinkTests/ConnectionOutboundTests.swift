import EventLoopSupport
import NIOCore
import Testing

@testable import Varlink

/// The outbound half of a connection, event by event.
struct ConnectionOutboundTests {
    private var outbound = OutboundQueue(Connection.WaitingReplies(maximumBytes: 10))

    private mutating func send(_ text: String, isReplaceable: Bool = false) -> String {
        describe(send(ByteBuffer(string: text), isReplaceable))
    }

    private mutating func send(_ frame: ByteBuffer, _ isReplaceable: Bool) -> Action? {
        outbound.send(frame) { $0.add(frame, isReplaceable: isReplaceable) }
    }

    private mutating func next() -> String { describe(outbound.next()) }

    private mutating func drain() -> String { describe(outbound.drain()) }

    private typealias Action = OutboundQueue<Connection.WaitingReplies>.Action

    private func describe(_ action: Action?) -> String {
        switch action {
        case .write(let frame)?: "write \(String(buffer: frame))"
        case .close?: "close"
        case nil: "wait"
        }
    }

    private mutating func expect(_ actual: String, _ expected: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(actual == expected, sourceLocation: location)
    }

    @Test mutating func aFreeSocketIsWrittenToAtOnce() {
        expect(send("a"), "write a")
        expect(send("b", isReplaceable: true), "write b")
        #expect(outbound.isFlushed)
        expect(next(), "wait")
    }

    @Test mutating func repliesWaitInOrderWhileTheSocketIsFull() {
        outbound.didBlock()
        expect(send("a"), "wait")
        expect(send("b"), "wait")
        expect(next(), "wait")
        outbound.didUnblock()
        #expect(!outbound.isFlushed)
        expect(next(), "write a")
        // A reply that is sent now does not overtake the waiting ones.
        expect(send("c"), "wait")
        outbound.didBlock()
        expect(next(), "wait")
        outbound.didUnblock()
        expect(next(), "write b")
        expect(next(), "write c")
        expect(next(), "wait")
        #expect(outbound.isFlushed)
    }

    @Test mutating func aNewerUpdateReplacesThePendingOne() {
        outbound.didBlock()
        expect(send("a"), "wait")
        expect(send("1", isReplaceable: true), "wait")
        expect(send("b"), "wait")
        expect(send("2", isReplaceable: true), "wait")
        #expect(outbound.waiting.replacedUpdates == 1)
        outbound.didUnblock()
        expect(next(), "write a")
        expect(next(), "write b")
        expect(next(), "write 2")
    }

    @Test mutating func aPendingUpdateIsDropped() {
        outbound.didBlock()
        expect(send("1", isReplaceable: true), "wait")
        let hadOne = outbound.waiting.dropPendingUpdate()
        let hasAnother = outbound.waiting.dropPendingUpdate()
        #expect(hadOne && !hasAnother)
        #expect(outbound.waiting.replacedUpdates == 0)
        outbound.didUnblock()
        expect(next(), "wait")
    }

    /// Attack: a peer reads nothing, so that replies pile up.
    @Test mutating func moreBytesThanMayWaitCloseTheConnection() {
        outbound.didBlock()
        expect(send("12345"), "wait")
        expect(send("1234567", isReplaceable: true), "close")
        // Replacing an update makes room.
        expect(send("12345", isReplaceable: true), "wait")
        expect(send("54321", isReplaceable: true), "wait")
        expect(send("x"), "close")
    }

    @Test mutating func aDrainedConnectionSendsWhatWaitsAndAcceptsNothingMore() {
        outbound.didBlock()
        expect(send("a"), "wait")
        expect(drain(), "wait")
        expect(send("b"), "wait")
        expect(next(), "wait")
        outbound.didUnblock()
        #expect(!outbound.isClosed)
        expect(next(), "write a")
        outbound.didBlock()
        expect(next(), "wait")
        outbound.didUnblock()
        expect(next(), "close")
    }

    @Test mutating func drainingClosesAtOnceIfNothingWaits() {
        expect(drain(), "close")
        expect(send("a"), "wait")
    }

    @Test mutating func aClosedConnectionSendsNothing() {
        outbound.didBlock()
        expect(send("a"), "wait")
        outbound.close()
        #expect(outbound.isClosed)
        outbound.didUnblock()
        expect(next(), "wait")
        expect(send("b"), "wait")
        expect(drain(), "wait")
    }
}
