import NIOCore
import Testing

@testable import Varlink

/// The outbound half of a connection, event by event.
struct ConnectionOutboundTests {
    private var outbound = Connection.Outbound(maximumWaitingBytes: 10)

    private mutating func send(_ text: String, isReplaceable: Bool = false) -> String {
        describe(outbound.send(ByteBuffer(string: text), isReplaceable: isReplaceable))
    }

    private mutating func next() -> String { describe(outbound.next()) }

    private mutating func drain() -> String { describe(outbound.drain()) }

    private func describe(_ action: Connection.Outbound.Action?) -> String {
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
        #expect(outbound.replacedUpdates == 1)
        outbound.didUnblock()
        expect(next(), "write a")
        expect(next(), "write b")
        expect(next(), "write 2")
    }

    @Test mutating func aPendingUpdateIsDropped() {
        outbound.didBlock()
        expect(send("1", isReplaceable: true), "wait")
        let hadOne = outbound.dropPendingUpdate()
        let hasAnother = outbound.dropPendingUpdate()
        #expect(hadOne && !hasAnother)
        #expect(outbound.replacedUpdates == 0)
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
