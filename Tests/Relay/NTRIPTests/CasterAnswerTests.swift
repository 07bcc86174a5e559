import NTRIP
import TestSupport
import Testing

/// The answers of casters, whole and byte by byte.
@Suite struct CasterAnswerTests {
    private static let frame = RTCMFrames.referencePoint

    struct Answer: Sendable, CustomTestStringConvertible {
        let head: String
        var body: [UInt8] = CasterAnswerTests.frame
        let events: [CasterAnswer.Event]
        var testDescription: String { head.debugDescription }

        init(_ head: String, body: [UInt8] = CasterAnswerTests.frame, _ events: CasterAnswer.Event...) {
            (self.head, self.body, self.events) = (head, body, events)
        }
    }

    private static let table = Array("STR;A;B;RTCM 3\r\nENDSOURCETABLE\r\n".utf8)

    @Test(arguments: [
        Answer("ICY 200 OK\r\n", .began(.corrections), .data(frame)),
        Answer("icy 200 ok\n", .began(.corrections), .data(frame)),
        Answer("ICY 200 OK\r\n\r\n", .began(.corrections), .data(Array("\r\n".utf8) + frame)),
        Answer("ICY 200 OK\r\nServer: x\r\n\r\n", .began(.corrections), .data(Array("Server: x\r\n\r\n".utf8) + frame)),
        Answer("HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n\r\n", .began(.corrections), .data(frame)),
        Answer("HTTP/1.0 200 OK\ncontent-type:GNSS/DATA; x\n\n", .began(.corrections), .data(frame)),
        Answer("HTTP/1.1 200 OK\r\n\r\n", .began(.corrections), .data(frame)),
        Answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\n",
            body: Array(frame[..<5])
                + Array("\r\n0014;x=y\r\n".utf8) + frame[5...] + Array("\r\n0\r\n\r\n".utf8),
            .began(.corrections), .data(frame), .ended),
        Answer("SOURCETABLE 200 OK\r\nServer: x\r\n\r\n", body: table, .began(.sourceTable), .data(table)),
        Answer("SOURCETABLE 200 OK\r\n", body: table, .began(.sourceTable), .data(table)),
        Answer(
            "SOURCETABLE 200 OK\r\nNtrip-Version: Ntrip/2.0\r\nContent-Type: text/plain\r\n\r\n", body: table,
            .began(.sourceTable), .data(table)),
        Answer(
            "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n", body: table, .began(.sourceTable), .data(table)
        ),
        Answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", body: table, .began(.sourceTable), .data(table)),
        Answer("HTTP/1.1 401 Unauthorized\r\n", .refused(.credentials)),
        Answer("HTTP/1.1 403 Forbidden\r\n", .refused(.credentials)),
        Answer("ERROR - Bad Password\r\n", .refused(.credentials)),
        Answer("ERROR - Mount Point Invalid\r\n", .refused(.noMountPoint)),
        Answer("ERROR - Too many users\r\n", .refused(.unavailable("ERROR - Too many users"))),
        Answer("HTTP/1.1 404 Not Found\r\n", .refused(.noMountPoint)),
        Answer("HTTP/1.1 409 Conflict\r\n", .refused(.unavailable("HTTP/1.1 409 Conflict"))),
        Answer("HTTP/1.1 503 Busy\r\n", .refused(.unavailable("HTTP/1.1 503 Busy"))),
        Answer("HTTP/1.1 302 Found\r\nLocation: http://other/\r\n\r\n", .refused(.redirected)),
        Answer("SSH-2.0-OpenSSH\r\n", .refused(.malformed("it begins with \"SSH-2.0-OpenSSH\""))),
        Answer("\r\n", .refused(.malformed("it begins with \"\""))),
    ])
    func answers(answer: Answer) {
        let input = Array(answer.head.utf8) + answer.body
        for size in [1, 2, 3, 7, input.count] {
            #expect(events(of: input, size: size) == answer.events, "in pieces of \(size)")
        }
        for cut in 0...input.count {
            var reader = CasterAnswer()
            let events = reader.receive(Array(input[..<cut])) + reader.receive(Array(input[cut...]))
            #expect(joined(events) == answer.events, "cut at \(cut)")
        }
    }

    @Test func onlySomeRefusalsArePermanent() {
        #expect([CasterRefusal.credentials, .noMountPoint, .redirected].allSatisfy { $0.isPermanent })
        #expect(![CasterRefusal.unavailable(""), .malformed("")].contains { $0.isPermanent })
    }

    /// Attack: a caster sends headers without end, to fill the memory.
    @Test(arguments: ["HTTP/1.1 200 OK\r\n", "SOURCETABLE 200 OK\r\n", ""])
    func endlessHeaders(head: String) {
        for line in ["X: y\r\n", "x"] {
            var reader = CasterAnswer()
            var events = reader.receive(Array(head.utf8))
            for _ in 0...CasterAnswer.maximumHeader { events += reader.receive(Array(line.utf8)) }
            guard case .refused(.malformed) = events.first else {
                Issue.record("\(events)")
                continue
            }
            #expect(events.count == 1)
        }
    }

    /// Attack: a size that does not fit into a number, or into the memory.
    @Test(arguments: [
        "8000000000000000\r\n", "FFFFFFFFFFFFFFFF\r\n", "7fffffffffffffff\r\n", "1000001\r\n", "-1\r\n", "\r\n",
        "x\r\n",
        "5\r\nabcdeX", ";\r\n", String(repeating: "0", count: 2000), "1;" + String(repeating: "x", count: 2000),
        "５\r\n",
    ])
    func impossibleChunks(body: String) {
        let input = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8)
        for size in [1, input.count] {
            let last = events(of: input, size: size).last
            #expect(last == .refused(.malformed("a chunk has an impossible size")), "\(String(describing: last))")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomAnswers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parts = [
            "HTTP/1.1 ", "200 OK", "ICY ", "\r\n", "\n", "Transfer-Encoding: chunked", "5", ";", "abcde",
            "SOURCETABLE ",
            "STR;", "\0", "ERROR", "é", ":",
        ]
        let input = (0..<200).flatMap { _ in Array(parts.randomElement(using: &random)!.utf8) }
        #expect(events(of: input, size: 1) == events(of: input, size: input.count), "seed \(seed)")
    }

    private func events(of input: [UInt8], size: Int) -> [CasterAnswer.Event] {
        var reader = CasterAnswer()
        var events: [CasterAnswer.Event] = []
        for start in stride(from: 0, to: input.count, by: size) {
            events += reader.receive(Array(input[start...].prefix(size)))
        }
        return joined(events)
    }

    /// Joins the parts of the data.
    private func joined(_ events: [CasterAnswer.Event]) -> [CasterAnswer.Event] {
        events.reduce(into: []) { joined, event in
            if case .data(let bytes) = event, case .data(let former)? = joined.last {
                joined[joined.count - 1] = .data(former + bytes)
            } else {
                joined.append(event)
            }
        }
    }
}
