import NMEA
import Testing

/// The framing of sentences within the bytes, both correct and broken.
@Suite struct FramingTests {
    private let body = "GPGLL,4717.11,N,00833.91,E,120000.00,A,A"

    @Test(arguments: [
        "$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r\n",
        "$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6f\r\n",
        "$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\n",
        "$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r",
        "$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r\r\n",
        "$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F",
        "$$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r\n",
        "LOG: 12 $GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r\n",
        "\u{1}\u{2}\u{0}$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F  \r\n",
        "$GPGSA,A,1,,,,$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r\n",
        "$GPGSA,A,1,,,,,,,,,,,,,,,*1E$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F!AIVDM",
        "!AIVDM,1,1,,A,14eG,0*3D$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r\n",
    ])
    func aSentenceIsFound(_ input: String) throws {
        let epoch = try #require(decode(input).epochs.first)
        #expect(epoch.timeOfDay == time(12, 0, 0))
        #expect(epoch.exactLatitude == Coordinate(nanominutes: 2_837_110_000_000))
    }

    @Test func theTableAboveHasTheRightChecksum() {
        #expect(sentence(body) == "$GPGLL,4717.11,N,00833.91,E,120000.00,A,A*6F\r\n")
    }

    @Test func theLastStarCounts() {
        #expect(decode(sentence("PUBX,99,a*b*c")).counts.unknownKinds == 1)
        #expect(decode(sentence("PUBX,99,a*55")).counts.unknownKinds == 1)
    }

    @Test func wrongChecksumsAreCountedAndSkipped() {
        let decoded = decode("$\(body)*6E\r\n$\(body)*6\r\n$\(body)*G0\r\n" + sentence(body))
        #expect(decoded.counts.checksumErrors == 3)
        #expect(decoded.epochs.count == 1)
    }

    @Test func missingChecksumsAreCountedAndSkipped() {
        let decoded = decode("$\(body)\r\n$\(body)" + sentence(body))
        #expect(decoded.counts.missingChecksums == 2)
        #expect(decoded.counts.sentences == 1)
        #expect(decoded.epochs.count == 1)
    }

    @Test func longSentencesAreReadUpToTheLimit() {
        let longest = "PXYZ," + String(repeating: "x", count: NMEADecoder.maximumSentenceLength - 9)
        #expect(sentence(longest, end: "").utf8.count == NMEADecoder.maximumSentenceLength)
        #expect(decode(sentence(longest) + sentence(body)).counts.sentences == 2)
        let decoded = decode(sentence(longest + "x") + sentence(body))
        #expect(decoded.counts.overlong == 1)
        #expect(decoded.counts.sentences == 1)
        #expect(decoded.epochs.count == 1)
    }

    @Test func bytesOutsideOfSentencesAreCounted() {
        let decoded = decode("hello, world!\r\n" + sentence(body) + "tail\r\n")
        #expect(decoded.counts.bytesSkipped == 17)
        #expect(decoded.counts.missingChecksums == 0)
    }

    @Test func aisIsSkipped() {
        let decoded = decode(
            "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\r\n" + sentence(body))
        #expect(decoded.counts.unknownKinds == 1)
        #expect(decoded.epochs.count == 1)
    }

    /// Found by fuzzing: a line end or another sentence in place of the checksum's digits.
    @Test(arguments: ["*$5", "*5$", "*\r5", "**5", "*!5", "*\n\r", "*$$"])
    func aSentenceEndsAtItsChecksumsDigits(_ end: String) {
        #expect(decode("$\(body)\(end)\r\n" + sentence(body)).epochs.count == 1)
        #expect(decode("$GPXTE,\(end)\r\n" + sentence(body) + "      ").epochs.count == 1)
    }

    @Test func endlessGarbageIsBounded() {
        let decoded = decode("$" + String(repeating: "z", count: 5000) + "\r\n" + sentence(body))
        #expect(decoded.counts.overlong == 1)
        #expect(decoded.counts.bytesSkipped == 5001 - 256)
        #expect(decoded.epochs.count == 1)
    }

    @Test func binaryProtocolsBetweenSentencesDoNotMatter() {
        var input: [UInt8] = [0xB5, 0x62, 0x01, 0x07, 0x5C, 0x00, 0xFF, 0x24, 0x80, 0x0D]
        input += Array(sentence(body).utf8)
        #expect(decode(input).epochs.count == 1)
    }
}
