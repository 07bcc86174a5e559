import NIOCore
import Testing

@testable import Varlink

/// The inbound half of a connection, event by event.
struct ConnectionInboundTests {
    private var inbound = Connection.Inbound(maximumFrameSize: 8)

    private mutating func next(repliesAreSent: Bool = true) -> String {
        switch inbound.next(repliesAreSent: repliesAreSent) {
        case .read?: "read"
        case .handle?: "handle"
        case .fail(let error)?: "fail \(error.name)"
        case .finish?: "finish"
        case nil: "wait"
        }
    }

    private mutating func turn() -> String {
        switch inbound.beginTurn() {
        case .call(let frame)?: "call \(String(buffer: frame))"
        case .refuse(let error)?: "refuse \(error.name)"
        case nil: "nothing"
        }
    }

    /// Expects that a call is handled next, and begins its turn.
    private mutating func expectCall(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        expect(next(), "handle", location)
        expect(turn(), "call \(text)", location)
    }

    private mutating func receive(_ text: String) -> Bool {
        inbound.receive(ByteBuffer(string: text))
    }

    private mutating func admit() { _ = inbound.admit() }

    private mutating func expect(_ actual: String, _ expected: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(actual == expected, sourceLocation: location)
    }

    private mutating func expect(_ actual: Bool, _ location: SourceLocation = #_sourceLocation) {
        #expect(actual, sourceLocation: location)
    }

    @Test mutating func nothingIsReadBeforeThePeerIsAdmitted() {
        expect(next(), "wait")
        expect(inbound.admit())
        expect(next(), "read")
        expect(next(), "wait")
        expect(!inbound.admit())
        expect(!inbound.refuse(.permissionDenied))
    }

    @Test mutating func aCallInPieces() {
        admit()
        expect(next(), "read")
        expect(receive("ab"))
        expect(next(), "read")
        expect(receive("c\0"))
        expect(next(), "handle")
        expect(next(), "wait")
        expect(turn(), "call abc")
        // Nothing is read while a call is handled.
        expect(next(), "wait")
        inbound.didEndCall()
        expect(next(), "read")
    }

    @Test mutating func callsAreHandledOneAfterTheOther() {
        admit()
        expect(receive("a\0b\0"))
        expectCall("a")
        expect(next(), "wait")
        inbound.didEndCall()
        expectCall("b")
        expect(turn(), "nothing")
    }

    /// Attack: a peer makes calls and reads no replies.
    @Test mutating func noCallIsHandledAndNothingIsReadWhileRepliesWait() {
        admit()
        expect(receive("a\0"))
        expect(next(repliesAreSent: false), "wait")
        expectCall("a")
        inbound.didEndCall()
        expect(next(repliesAreSent: false), "wait")
        expect(next(), "read")
    }

    @Test mutating func aRefusedPeerGetsTheReasonAtItsFirstCall() {
        expect(inbound.refuse(.permissionDenied))
        expect(next(), "read")
        expect(receive("a\0b\0"))
        expect(next(), "handle")
        expect(turn(), "refuse org.varlink.service.PermissionDenied")
        expect(next(), "wait")
    }

    @Test mutating func aFrameThatIsTooLong() {
        admit()
        expect(receive("12345678"))
        expect(next(), "read")
        expect(receive("9"))
        expect(next(), "fail org.varlink.service.InvalidParameter")
        expect(next(), "wait")
    }

    /// Attack: a peer sends more than a frame while its call is handled.
    @Test mutating func noMoreThanAFrameIsKept() {
        admit()
        expect(receive("a\0"))
        expectCall("a")
        expect(receive("12345678"))
        expect(!receive("9"))
    }

    @Test mutating func theEndComesAfterTheLastReply() {
        admit()
        expect(receive("a\0b\0c"))
        inbound.didReachEnd()
        expectCall("a")
        expect(next(), "wait")
        inbound.didEndCall()
        expectCall("b")
        inbound.didEndCall()
        expect(next(repliesAreSent: false), "wait")
        // The rest is not a whole call.
        expect(next(), "finish")
        expect(next(), "wait")
    }

    @Test mutating func aPeerThatEndsBeforeItIsAdmittedWaitsForThat() {
        inbound.didReachEnd()
        expect(next(), "wait")
        admit()
        expect(next(), "finish")
    }

    @Test mutating func aClosedConnectionHandlesNothing() {
        admit()
        expect(receive("a\0"))
        expect(next(), "handle")
        inbound.close()
        expect(turn(), "nothing")
        expect(receive("b\0"))
        inbound.didEndCall()
        expect(next(), "wait")
    }
}
