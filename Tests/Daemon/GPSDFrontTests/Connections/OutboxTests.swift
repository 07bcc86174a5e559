import Bytewise
import EventLoopSupport
import NIOCore
import Testing

@testable import GPSDFront

@Suite struct OutboxTests {
    private func buffer(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

    private func report(
        _ text: String, on subject: WaitingReport.Subject = .position, _ content: WaitingReport.Content = .location
    ) -> WaitingReport {
        WaitingReport(subject: subject, content: content, bytes: buffer(text))
    }

    /// An outbox whose socket is full.
    private var blocked: Outbox {
        var outbox = Outbox()
        #expect(outbox.send(report: report("first")) == .write(buffer("first")))
        outbox.didBlock()
        return outbox
    }

    @Test func aSocketWithRoom() {
        var outbox = Outbox()
        #expect(outbox.send(reply: buffer("a")) == .write(buffer("a")))
        #expect(outbox.send(report: report("b")) == .write(buffer("b")))
        #expect(outbox.isFlushed && outbox.next() == nil)
    }

    /// A client that does not read gets the newest report, after the replies.
    @Test func theNewestReportWaits() {
        var outbox = blocked
        for text in ["old", "older", "newest"] { #expect(outbox.send(report: report(text)) == nil) }
        #expect(outbox.send(reply: buffer("reply,")) == nil)
        #expect(outbox.send(reply: buffer("another")) == nil)
        #expect(outbox.next() == nil && !outbox.isFlushed)
        outbox.didUnblock()
        #expect(outbox.next() == .write(buffer("reply,another")))
        #expect(outbox.next() == .write(buffer("newest")))
        #expect(outbox.next() == nil && outbox.isFlushed && outbox.waiting.unsentLocations == 2)
    }

    /// Attack on the truth: a compass reports ten times a second, and the fix never reaches a slow client.
    @Test func aHeadingDoesNotReplaceAFix() {
        var outbox = blocked
        #expect(outbox.send(report: report("fix")) == nil)
        for _ in 0..<10 { #expect(outbox.send(report: report("heading", on: .heading, .detail)) == nil) }
        outbox.didUnblock()
        #expect(outbox.next() == .write(buffer("fix")))
        #expect(outbox.next() == .write(buffer("heading")))
        #expect(outbox.next() == nil && outbox.waiting.unsentLocations == 0)
    }

    /// Attack: a receiver that comes and goes makes the daemon keep lines for a client that does not read, or close its
    /// connection.
    @Test func aDeviceThatComesAndGoes() {
        var outbox = blocked
        #expect(outbox.send(report: report("fix")) == nil)
        for change in 0..<100_000 {
            let path = "/dev/ttyUSB\(change % 20)"
            let line = "\(change) " + String(repeating: "x", count: 100)
            #expect(outbox.send(report: report(line, on: .device(.init(path)), .detail)) == nil)
        }
        outbox.didUnblock()
        #expect(outbox.next() == .write(buffer("fix")))
        var sizes: [Int] = []
        while case .write(let bytes)? = outbox.next() { sizes.append(bytes.readableBytes) }
        #expect(sizes.count == WaitingReports.maximumCount - 1 && sizes.allSatisfy { $0 < 120 })
    }

    /// Attack: a grant is revoked, and a waiting report is read afterwards.
    @Test func aDroppedReportIsNotSent() {
        var outbox = blocked
        #expect(outbox.send(report: report("secret")) == nil)
        #expect(outbox.send(report: report("secret", on: .heading, .detail)) == nil)
        #expect(outbox.send(report: report("secret", on: .device("/dev/a"), .detail)) == nil)
        #expect(outbox.send(report: report("refusal", on: .refusal, .nothing)) == nil)
        outbox.waiting.dropReports()
        outbox.didUnblock()
        #expect(outbox.next() == .write(buffer("refusal")))
        #expect(outbox.next() == nil && outbox.waiting.unsentLocations == 1)
    }

    /// A client that has not read the report of no fix yet is not left with the previous fix.
    @Test func theEndOfAFixIsNotDropped() {
        var outbox = blocked
        #expect(outbox.send(report: report("fix")) == nil)
        #expect(outbox.send(report: report("no fix", on: .position, .nothing)) == nil)
        outbox.waiting.dropReports()
        outbox.didUnblock()
        #expect(outbox.next() == .write(buffer("no fix")))
    }

    /// Attack: a client lets replies pile up unread.
    @Test func tooManyReplies() {
        var outbox = blocked
        let reply = ByteBuffer(repeating: 0, count: WaitingOutput.maximumReplyBytes / 2)
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
