import NMEA
import TestSupport
import Testing

/// The mark of an epoch: the caller's name for the bytes at its beginning.
@Suite struct EpochMarkTests {
    /// Two epochs of two sentences each. The second sentence completes the first.
    private static func epoch(_ second: Int, date: String = "231126") -> [String] {
        [
            sentence("GPRMC,12000\(second).00,A,4807.038,N,01131.000,E,0.0,,\(date),,,A"),
            sentence("GPGGA,12000\(second).00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,47.0,M,,"),
        ]
    }

    /// Returns the marks of the epochs in `parts`. Each part is marked with its number, beginning with 1.
    private func marks(_ parts: [String]) -> [UInt32] {
        var decoder = NMEADecoder()
        var marks: [UInt32] = []
        for (index, part) in parts.enumerated() {
            decoder.mark(UInt32(index + 1))
            marks += epochs(decoder.events(in: part)).map(\.mark)
        }
        while let event = decoder.flush() { marks += epochs([event]).map(\.mark) }
        return marks
    }

    private func epochs(_ events: [Event]) -> [Epoch] {
        events.compactMap { if case .epoch(let epoch) = $0 { epoch } else { nil } }
    }

    @Test func anEpochHasTheMarkOfItsFirstByte() {
        #expect(marks([Self.epoch(1).joined(), Self.epoch(2).joined(), Self.epoch(3).joined()]) == [1, 2, 3])
    }

    @Test func onlyTheFirstEpochOfABurstHasItsMark() {
        #expect(marks([(Self.epoch(1) + Self.epoch(2)).joined(), Self.epoch(3).joined()]) == [1, 0, 2])
    }

    @Test func aPauseWithinAnEpochDoesNotChangeItsMark() {
        let epoch = Self.epoch(1)
        #expect(marks([epoch[0], epoch[1], Self.epoch(2).joined()]) == [1, 3])
    }

    @Test func aSentenceThatWasBegunBeforeThePauseHasNoMark() {
        let text = Self.epoch(1).joined()
        #expect(marks([String(text.prefix(20)), String(text.dropFirst(20))]) == [1])
        #expect(marks(["$GPTXT,01", ",01,02,x*00\r\n" + text]) == [0])
    }

    @Test(arguments: ["$GPTXT,01,01,02,*4D\r\n", "$GPGSV,1,1,00*79\r\n", "x", "$GPRMC,garbled*00\r\n", "\u{b5}b"])
    func anythingElseThatBeginsTheBurstTakesTheMark(other: String) {
        #expect(marks([other + Self.epoch(1).joined()]) == [0])
    }

    @Test func lineEndsDoNotCount() {
        #expect(marks(["\r\n\r\n" + Self.epoch(1).joined()]) == [1])
    }

    @Test func bytesThatAreCutAnywhereKeepTheMark() {
        let bytes = Array(Self.epoch(1).joined().utf8)
        for cut in 1..<bytes.count {
            var decoder = NMEADecoder()
            decoder.mark(7)
            var events = decoder.events(in: String(decoding: bytes[..<cut], as: UTF8.self))
            events += decoder.events(in: String(decoding: bytes[cut...], as: UTF8.self))
            while let event = decoder.flush() { events.append(event) }
            #expect(epochs(events).map(\.mark) == [7], "cut at \(cut)")
            #expect(decoder.epochsBegun == 1)
        }
    }

    @Test func aFrameThatBeginsAnEpochGivesItsMarkWhereverItIsCut() {
        let frame = NavigationPosition().frame
        for cut in 1..<frame.count {
            var decoder = NMEADecoder()
            decoder.mark(7)
            var events = decoder.events(in: Array(frame[..<cut]))
            // A byte that continues the frame is not marked.
            decoder.mark(8)
            events += decoder.events(in: Array(frame[cut...]))
            while let event = decoder.flush() { events.append(event) }
            #expect(epochs(events).map(\.mark) == [7], "cut at \(cut)")
            #expect(epochs(events).map(\.isDateSent) == [true])
        }
    }

    @Test(arguments: [ubx(0x01_35, Payload(8).bytes), ubx(0x7F_7F, []), [0xB5, 0x62, 1, 7, 0, 0, 0, 0], [0xB5]])
    func aFrameThatBeginsNoEpochTakesTheMark(other: [UInt8]) {
        var decoder = NMEADecoder()
        decoder.mark(7)
        var events = decoder.events(in: other + NavigationPosition().frame)
        while let event = decoder.flush() { events.append(event) }
        #expect(epochs(events).map(\.mark) == [0])
    }

    @Test func theDateIsThatOfTheEpochOrOfAnEarlierOne() {
        var decoder = NMEADecoder()
        var events: [Event] = []
        for text in [
            Self.epoch(1).joined(), Self.epoch(2)[1], Self.epoch(3, date: "").joined(), Self.epoch(4).joined(),
        ] {
            events += decoder.events(in: text)
        }
        while let event = decoder.flush() { events.append(event) }
        #expect(epochs(events).map(\.isDateSent) == [true, false, false, true])
    }
}
