import NIOCore
import TestSupport
import Testing

@testable import Receivers

/// The answers of ModemManager to requests while the receiver sends.
struct PolledSentencesTests {
    private func sentences(_ first: String, _ second: String? = nil) -> (rmc: String, gga: String) {
        (
            SentenceFixture.sentence("GPRMC,\(first),A,5230.0000,N,01324.0000,E,0.0,,140326,,,A"),
            SentenceFixture.sentence("GPGGA,\(second ?? first),5230.0000,N,01324.0000,E,1,08,0.9,34.0,M,46.9,M,,")
        )
    }
    private let vtg = SentenceFixture.sentence("GPVTG,0.0,T,,M,0.0,N,0.0,K,A")

    private func text(_ step: PolledSentences.Step) -> String { String(decoding: step.sentences, as: UTF8.self) }

    @Test func sentencesComeInTheSameOrderEachTimeThoseWithATimeFirst() {
        var polled = PolledSentences()
        let first = sentences("092600.00")
        // As ModemManager answers: the line end of the receiver, and its own.
        let step = polled.receive(vtg + "\r\n" + first.rmc + "\r\n" + first.gga)
        #expect(text(step) == first.gga + first.rmc + vtg)
        #expect(step.delay == .milliseconds(900))
        let second = sentences("092601.00")
        #expect(text(polled.receive(second.gga + vtg + second.rmc)) == second.gga + second.rmc + vtg)
    }

    @Test func anAnswerTwiceIsOneEpochAndIsAskedForAgainSoon() {
        var polled = PolledSentences()
        let first = sentences("092600.00")
        #expect(!polled.receive(first.rmc + first.gga).sentences.isEmpty)
        for _ in 0..<20 {
            let step = polled.receive(first.gga + first.rmc)
            #expect(step.sentences.isEmpty)
            #expect(step.delay == .milliseconds(200))
        }
    }

    @Test func theRestOfAnEpochIsWaitedFor() {
        var polled = PolledSentences()
        let mixed = sentences("092601.00", "092600.00")
        #expect(polled.receive(mixed.rmc + mixed.gga) == .init(delay: .milliseconds(150)))
        let whole = sentences("092601.00")
        #expect(text(polled.receive(whole.rmc + whole.gga)) == whole.gga + whole.rmc)
    }

    @Test func typesThatComeLessOftenDoNotHoldTheOthersBack() {
        var polled = PolledSentences()
        let mixed = sentences("092605.00", "092600.00")
        for _ in 0..<3 { #expect(polled.receive(mixed.rmc + mixed.gga).sentences.isEmpty) }
        // The older ones first.
        #expect(text(polled.receive(mixed.rmc + mixed.gga)) == mixed.gga + mixed.rmc)
    }

    @Test func aReceiverWithoutATimeLives() {
        var polled = PolledSentences()
        let void = SentenceFixture.sentence("GPRMC,,V,,,,,,,,,,N")
        #expect(text(polled.receive(void)) == void)
        let steps = (0..<10).map { _ in polled.receive(void) }
        #expect(steps.count { text($0) == void } == 2)
        #expect(steps.allSatisfy { $0.delay == .milliseconds(200) })
    }

    @Test func theIntervalIsKept() {
        var polled = PolledSentences()
        polled.interval = 10
        #expect(polled.receive(sentences("092600.00").rmc).delay == .milliseconds(9900))
    }

    @Test(arguments: ["", "\r\n\r\n", "garbage", "$", "$GPRMC", "$GPRMC,", "$GPGLL,,,,,", ",,,\0\u{fffd}"])
    func anyAnswerIsTaken(answer: String) {
        var polled = PolledSentences()
        let step = polled.receive(answer)
        #expect(step.sentences.isEmpty || step.sentences.first == UInt8(ascii: "$"))
        #expect(step.delay >= .milliseconds(150))
    }
}
