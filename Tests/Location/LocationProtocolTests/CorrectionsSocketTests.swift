import Testing

@testable import LocationProtocol

/// The bytes on the socket for corrections.
@Suite struct CorrectionsSocketTests {
    typealias Need = CorrectionsSocket.Need

    @Test func needsInAnyOrder() {
        let needs: [Need] = [.unneeded, .needed, .refused("no receiver 1"), .refused(""), .unneeded]
        var reader = CorrectionsSocket.NeedReader()
        #expect(needs.flatMap(\.bytes).compactMap { reader.receive($0) } == needs)
    }

    /// Attack: a receiver's name has a line break, and the text after it becomes a need.
    @Test(arguments: ["a\n1", "a\r\n1", "a\u{2028}1"])
    func aReasonIsOneLine(reason: String) {
        var reader = CorrectionsSocket.NeedReader()
        #expect(Need.refused(reason).bytes.compactMap { reader.receive($0) } == [.refused("a 1")])
    }

    @Test func aReasonIsBounded() {
        var reader = CorrectionsSocket.NeedReader()
        let needs = Need.refused(String(repeating: "x", count: 100_000)).bytes.compactMap { reader.receive($0) }
        #expect(needs == [.refused(String(repeating: "x", count: 1024))])
    }

    @Test func aReceiversNameIsTheFirstLine() {
        #expect(CorrectionsSocket.greeting(receiver: nil) == [0x0A])
        #expect(CorrectionsSocket.greeting(receiver: "deck") == Array("deck\n".utf8))
    }
}
