import NMEARelay
import Testing

/// Whose bytes count, and how many.
struct SenderPoliciesTests {
    @Test func oneSenderCountsUntilItIsSilent() {
        var turn = SenderTurn<String>()
        let outcomes = [("a", 0.0), ("b", 1), ("a", 4), ("b", 8.9), ("b", 9), ("a", 9)].map {
            turn.receive(from: $0, at: $1, hasSentence: true)
        }
        #expect(outcomes == [.begins, .waits, .continues, .waits, .begins, .waits])
    }

    /// Attack: a second sender sends a thousand times as often, so that its turn comes in a pause of the first.
    @Test func aSenderThatSendsMoreOftenDoesNotGetTheTurn() {
        var turn = SenderTurn<Int>()
        _ = turn.receive(from: 1, at: 0, hasSentence: true)
        for step in 1...60_000 {
            let now = Double(step) / 1000
            let second = turn.receive(from: 2, at: now, hasSentence: true)
            #expect(second == .waits)
            guard step % 4999 == 0 else { continue }
            let first = turn.receive(from: 1, at: now, hasSentence: true)
            #expect(first == .continues)
        }
    }

    /// Attack: a byte every four seconds keeps the turn from the receiver. A receiver of AIS would do the same.
    @Test func bytesWithoutASentenceDoNotKeepTheTurn() {
        var turn = SenderTurn<String>()
        let outcomes = [("a", 0.0, false), ("a", 1, true), ("a", 4, false), ("b", 5.9, true), ("a", 6, false)].map {
            turn.receive(from: $0, at: $1, hasSentence: $2)
        }
        #expect(outcomes == [.waits, .begins, .continues, .waits, .waits])
        let (open, taken) = (turn.isOpen(to: "a"), turn.isOpen(to: "b"))
        #expect(open && !taken)
        let next = turn.receive(from: "b", at: 6.1, hasSentence: true)
        #expect(next == .begins)
    }

    @Test func whoeverLeavesGivesTheTurnAway() {
        var turn = SenderTurn<String>()
        _ = turn.receive(from: "a", at: 0, hasSentence: true)
        turn.leave("b")
        let before = turn.receive(from: "b", at: 1, hasSentence: true)
        turn.leave("a")
        #expect(turn.current == nil)
        let after = turn.receive(from: "b", at: 1, hasSentence: true)
        #expect([before, after] == [.waits, .begins])
    }

    @Test(arguments: [
        ("{\"class\":\"VERSION\",\"release\":\"3.22\"}", ForeignProtocol.gpsd), ("HTTP/1.1 400 Bad Request", .http),
        ("GET / HTTP/1.1", .http), ("ICY 200 OK", .ntrip), ("SOURCETABLE 200 OK", .ntrip), ("SSH-2.0-OpenSSH", .ssh),
        ("\u{16}\u{3}\u{1}", .tls), ("{\"context\":\"vessels.self\",\"updates\":[]}", .json),
        ("{ \"lat\": 48.1 }", .json),
        ("{\r\n  \"lat\": 48.1\r\n}", .json), ("[{\"lat\":48.1}]", .json), ("{\"class of\":1}", .json),
    ])
    func anotherProtocolIsRecognizedHoweverItIsCut(text: String, kind: ForeignProtocol) {
        for size in 1...text.utf8.count {
            var recognition = ProtocolRecognition()
            var found: [ForeignProtocol] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                if let kind = recognition.examine(rest.prefix(size)) { found.append(kind) }
                rest = rest.dropFirst(size)
            }
            #expect(found == [kind])
        }
    }

    @Test(arguments: [
        "$GPRMC,1", "!AIVDM,1", "\r\n$GPGGA", "G$GPRMC", "GET", "\u{16}", "", "{}", "HTTP is no greeting",
    ])
    func sentencesAndTheirRestsAreNotTakenForOne(text: String) {
        var recognition = ProtocolRecognition()
        let found = [text, "$GPRMC,1*00\r\n"].compactMap { recognition.examine($0.utf8) }
        #expect(found.isEmpty)
    }

    @Test(
        arguments: [
            ("$GPRMC,1*00", .sentence), ("!AIVDM,1*0a\r", .sentence), ("$GPRMC,1*00\r\n", .whole),
            ("$GPRMC,1*00\n", .whole),
            ("", .whole), ("\u{b5}b*00", .whole), ("M,,*67", .sentence), ("*67", .sentence), ("67", .open),
            ("7", .open),
            ("$GPGGA,120000.00,4807.0380,N,01131.0000,", .open), ("$GPRMC,1*6", .open), ("$GPRMC,1*6G", .open),
            ("M,,*67\r\n$GPRMC,120000.00,A,4807.0380", .open),
        ] as [(String, DatagramText.End)])
    func aDatagramMayLackTheEndOfItsLastLine(text: String, end: DatagramText.End) {
        #expect(DatagramText.end(of: Array(text.utf8)) == end)
    }
}
