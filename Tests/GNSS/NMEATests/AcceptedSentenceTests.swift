import NMEA
import Testing

/// The text of sentences that a decoder has accepted.
@Suite struct AcceptedSentenceTests {
    private var epochs: [String] {
        (10..<14).flatMap { second in
            [
                sentence("GPRMC,1203\(second).00,A,4730.0000,N,00845.0000,E,12.5,83.4,211126,,,D"),
                sentence("GPGGA,1203\(second).00,4730.0000,N,00845.0000,E,2,08,0.9,400.0,M,47.0,M,,"),
                sentence("GPTXT,01,01,02,text"),
                sentence("GPGST,1203\(second).00,3.2,6.6,4.7,47.3,5.8,5.6,22.0"),
            ]
        }
    }

    private func kept(of text: String, inPiecesOf length: Int, keeps: Bool = true) -> String {
        var decoder = NMEADecoder()
        decoder.keepsSentences = keeps
        var sentences: [UInt8] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: length) {
            let piece = Array(bytes[start..<min(start + length, bytes.count)])
            decoder.decode(piece.span.bytes) { _ in }
            sentences += decoder.removeSentences()
        }
        while decoder.flush() != nil {}
        return String(decoding: sentences + decoder.removeSentences(), as: UTF8.self)
    }

    /// Attack: damaged sentences, or bytes that are not sentences, reach clients that trust a receiver's sentences.
    @Test(arguments: [1, 7, 61, 4096]) func whatWasAcceptedAndNothingElse(length: Int) {
        let broken = "$GPGGA,120310.00,4730.0000,N,00845.0000,E,2,08,0.9,400.0,M,47.0,M,,*00\r\n"
        let noise = "\u{1}binary$\r\n$GP" + broken + "$GPGSV,no checksum\r\n"
        let input = noise + epochs.joined(separator: noise) + noise
        #expect(kept(of: input, inPiecesOf: length) == epochs.joined())
    }

    @Test func nothingIsKeptUnlessItIsWanted() {
        #expect(kept(of: epochs.joined(), inPiecesOf: 4096, keeps: false) == "")
    }

    /// Attack: a receiver floods while no client collects its sentences.
    @Test func thereIsALimit() {
        var decoder = NMEADecoder()
        decoder.keepsSentences = true
        let bytes = Array(epochs.joined().utf8)
        for _ in 0..<1000 { decoder.decode(bytes.span.bytes) { _ in } }
        let text = String(decoding: decoder.removeSentences(), as: UTF8.self)
        #expect((16_000...16_384).contains(text.utf8.count))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.hasPrefix("$GP") && $0.contains("*") })
        #expect(decoder.removeSentences().isEmpty)
    }

    @Test func theErrorsOfAnEpoch() throws {
        var decoder = NMEADecoder()
        #expect(decoder.positionErrors == nil)
        decoder.decode(Array(epochs.joined().utf8).span.bytes) { _ in }
        while decoder.flush() != nil {}
        let last = decoder.positionErrors
        let errors = try #require(last)
        #expect(errors.rangeResiduals == 3.2 && errors.semiMajorAxis == 6.6 && errors.semiMinorAxis == 4.7)
        #expect(
            errors.orientation == 47.3 && errors.latitude == 5.8 && errors.longitude == 5.6 && errors.altitude == 22)
        // Another epoch without GST has none.
        let next = sentence("GPRMC,120314.00,A,4730.0000,N,00845.0000,E,12.5,83.4,211126,,,D")
        decoder.decode(Array(next.utf8).span.bytes) { _ in }
        while decoder.flush() != nil {}
        #expect(decoder.positionErrors == nil)
    }
}
