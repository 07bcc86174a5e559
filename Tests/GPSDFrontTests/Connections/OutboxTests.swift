import NIOCore
import Testing

@testable import GPSDFront

@Suite struct OutboxTests {
    private func buffer(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    /// An outbox whose socket is full.
    private var blocked: Outbox {
        var outbox = Outbox()
        #expect(outbox.send(report: buffer("first")) == .write(buffer("first")))
        outbox.didBlock()
        return outbox
    }

    @Test func aSocketWithRoom() {
        var outbox = Outbox()
        #expect(outbox.send(reply: buffer("a")) == .write(buffer("a")))
        #expect(outbox.send(report: buffer("b")) == .write(buffer("b")))
        #expect(outbox.isFlushed && outbox.next() == nil)
    }

    /// A client that does not read gets the newest report, after the replies.
    @Test func theNewestReportWaits() {
        var outbox = blocked
        for text in ["old", "older", "newest"] { #expect(outbox.send(report: buffer(text)) == nil) }
        #expect(outbox.send(reply: buffer("reply,")) == nil)
        #expect(outbox.send(reply: buffer("another")) == nil)
        #expect(outbox.next() == nil && !outbox.isFlushed)
        outbox.didUnblock()
        #expect(outbox.next() == .write(buffer("reply,another")))
        #expect(outbox.next() == .write(buffer("newest")))
        #expect(outbox.next() == nil && outbox.isFlushed && outbox.replacedReports == 2)
    }

    /// Attack: a grant is revoked, and what was waiting is read afterwards.
    @Test func aDroppedReportIsNotSent() {
        var outbox = blocked
        #expect(outbox.send(report: buffer("secret")) == nil)
        outbox.dropReport()
        outbox.didUnblock()
        #expect(outbox.next() == nil)
    }

    /// Attack: a client has replies pile up that it does not read.
    @Test func tooManyReplies() {
        var outbox = blocked
        let reply = ByteBuffer(repeating: 0, count: Outbox.maximumReplyBytes / 2)
        #expect(outbox.send(reply: reply) == nil)
        #expect(outbox.send(reply: reply) == nil)
        #expect(outbox.send(reply: buffer("x")) == .close)
    }

    @Test func theEnd() {
        var outbox = blocked
        #expect(outbox.send(reply: buffer("last")) == nil)
        #expect(outbox.drain() == nil)
        #expect(outbox.send(reply: buffer("ignored")) == nil)
        outbox.didUnblock()
        #expect(outbox.next() == .write(buffer("last")))
        #expect(outbox.next() == .close)
        outbox.close()
        #expect(outbox.isClosed && outbox.next() == nil && outbox.drain() == nil)
        var idle = Outbox()
        #expect(idle.drain() == .close)
    }
}
