import NMEA
import TestSupport
import Testing

/// Frames among sentences and noise: no frame is lost, and no frame costs a sentence.
@Suite struct UBXFrameTests {
    private let sentences = [UInt8](
        (sentence("GNRMC,120001.00,A,4717.112671,N,00833.914843,E,0.5,77.5,150624,,,A")
            + sentence("GNRMC,120002.00,A,4717.112671,N,00833.914843,E,0.5,77.5,150624,,,A")).utf8)
    private let frame = NavigationPosition().frame

    @Test func aFrameOfAnyKindIsSkippedWithWhatLooksLikeSentencesInIt() {
        let decoded = decode(ubx(0x02_15, sentences) + ubx(0x05_01, []) + sentences)
        #expect(decoded.counts.frames == 2)
        #expect(decoded.counts.sentences == 2)
        #expect(decoded.counts.bytesSkipped == 0)
    }

    @Test func theLongestFrame() {
        let decoded = decode(ubx(0x02_15, [UInt8](repeating: 0x24, count: 4096)) + sentences)
        #expect(decoded.counts.frames == 1)
        #expect(decoded.epochs.count == 2)
    }

    /// Such a header does not begin a frame, and no sentence after it may be lost.
    @Test(arguments: [4097, 0xFFFF])
    func aFrameThatIsTooLong(length: Int) {
        let decoded = decode([0xB5, 0x62, 1, 7, UInt8(length & 0xFF), UInt8(length >> 8)] + sentences)
        #expect(decoded.counts.frames == 0)
        #expect(decoded.epochs.count == 2)
    }

    @Test func aLengthThatWasDamagedCostsNoSentence() {
        for length in [0, 91, 93, 100, 255, 4000] as [UInt16] {
            var damaged = frame
            damaged[4] = UInt8(length & 0xFF)
            damaged[5] = UInt8(length >> 8)
            let decoded = decode(damaged + sentences + frame)
            #expect(decoded.counts.frames == 1, "\(length)")
            #expect(decoded.counts.sentences == 2, "\(length)")
            #expect(decoded.times == [time(12, 0, 1), time(12, 0, 2)], "\(length)")
        }
    }

    @Test func everyDamagedByte() {
        for index in frame.indices {
            var damaged = frame
            damaged[index] ^= 0x10
            let decoded = decode(damaged + sentences)
            #expect(decoded.counts.frames == 0, "\(index)")
            #expect(decoded.epochs.count == 2, "\(index)")
        }
    }

    @Test func everyTruncation() {
        for length in frame.indices {
            let decoded = decode(Array(frame[..<length]) + sentences + frame)
            #expect(decoded.counts.frames == 1, "\(length)")
            #expect(decoded.counts.sentences == 2, "\(length)")
        }
    }

    /// Messages of RTCM 3, which some receivers send too, contain any bytes.
    @Test func aFrameAfterADollarSignInOtherBinaryData() {
        for noise in [[0xD3, 0, 4, 0x24, 1, 2, 3], [0x24, 0xB5], [0x24, 0xB5, 0x62], [0x21, 9, 0xB5]] as [[UInt8]] {
            let decoded = decode(noise + frame + sentences)
            #expect(decoded.counts.frames == 1, "\(noise)")
            #expect(decoded.times == [time(12, 0, 0), time(12, 0, 1), time(12, 0, 2)], "\(noise)")
        }
        // One line of noise that is too long for a sentence.
        let noise = [0x24] + [UInt8](repeating: 0x41, count: 250)
        for length in 0...20 {
            let decoded = decode(noise + [UInt8](repeating: 0x42, count: length) + frame + sentences)
            #expect(decoded.counts.frames == 1, "\(length)")
        }
    }

    @Test func aFrameWithinADamagedSentence() {
        let decoded = decode([UInt8]("$GPGGA,1200*00".utf8) + frame + sentences)
        #expect(decoded.counts.frames == 1)
        #expect(decode([UInt8]("$GPGGA,1200".utf8) + frame + [UInt8]("*00\r\n".utf8) + sentences).counts.frames == 1)
    }

    @Test func silenceEndsTheWaitForTheRestOfAFrame() {
        var decoder = NMEADecoder()
        let sentence = sentence("GNRMC,120001.00,A,4717.112671,N,00833.914843,E,0.5,77.5,150624,,,A")
        let cut = Array(frame[..<20]) + [UInt8](sentence.utf8)
        var offset = 0
        // The sentence is taken for a part of the frame.
        #expect(decoder.next(in: cut.span.bytes, at: &offset) == nil)
        var times: [Int32] = []
        while let event = decoder.flushInSilence() {
            if case .epoch(let epoch) = event { times.append(epoch.timeOfDay ?? -1) }
        }
        #expect(decoder.counts.sentences == 1)
        #expect(times == [time(12, 0, 1)])
    }

    @Test func theEndOfALogWithinAFrame() {
        var decoder = NMEADecoder()
        for piece in [Array(frame[..<7]) + sentences + frame, Array(frame[..<20]) + Array(frame[..<9])] {
            var offset = 0
            while decoder.next(in: piece.span.bytes, at: &offset) != nil {}
        }
        while decoder.flush() != nil {}
        #expect(decoder.counts.sentences == 2)
        #expect(decoder.counts.frames == 1)
    }

    /// Frames within apparent frames and sentences, which turn out to be false one after the other: nothing is read
    /// twice, nothing is lost, and nothing comes out of order, however the input is cut.
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func cutsWithinWhatIsReadAgain(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var input: [UInt8] = []
        for second in 0..<8 as Range<UInt8> {
            // Line ends, and the starts of sentences and frames.
            let payload = NavigationPosition().with(\.second, second).with(\.day, 10).with(\.satellites, 0x24)
                .with(\.courseAccuracy, [0, 0x0A24, 0x0162_B524].randomElement(using: &random)!)
            let length = UInt8.random(in: 0...200, using: &random)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                input += [[0xB5, 0x62, 2, 0x15, length, 0], [0x24], [0x24, 0x61], [0xB5]].randomElement(using: &random)!
            }
            input += payload.frame
        }
        let whole = decode(input)
        #expect(whole.epochs.count > 4, "seed \(seed)")
        for _ in 0..<20 {
            let length = Int.random(in: 1...120, using: &random)
            #expect(decodeOnce(input) { _ in length } == whole, "seed \(seed), pieces of \(length) bytes")
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func mutations(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var input: [UInt8] = []
        for second in 0..<10 as Range<UInt8> {
            input += NavigationPosition().with(\.second, second).frame
            input += ubx(0x01_35, (0..<8 + 12 * 5).map { _ in UInt8.random(in: 0...255, using: &random) })
            input += ubx(0x0A_09, (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) })
            input += ubx(0x0A_38, (0..<4 + 48).map { _ in UInt8.random(in: 0...255, using: &random) })
            input += [UInt8](sentence("GNGLL,4717.112671,N,00833.914843,E,12000\(second).00,A,A").utf8)
        }
        for _ in 0..<30 {
            let index = Int.random(in: 0..<input.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: input[index] = UInt8.random(in: 0...255, using: &random)
            case 1: input.remove(at: index)
            case 2: input.insert([0xB5, 0x62, 0x24, 0x0A].randomElement(using: &random)!, at: index)
            default: input.removeSubrange(index..<min(input.count, index + Int.random(in: 1...40, using: &random)))
            }
        }
        let decoded = decode(input)
        #expect(decoded.epochs.count <= 10, "seed \(seed)")
        #expect(decoded.epochs.allSatisfy { abs($0.latitude - 47.2852112) < 1e-6 }, "seed \(seed)")
    }

    /// Random payloads with correct checksums: every value is in its range or absent.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomPayloads(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var input: [UInt8] = []
        for _ in 0..<400 {
            var payload = Payload(92)
            for offset in 0..<92 where Bool.random(using: &random) {
                payload.set(offset, UInt8.random(in: 0...255, using: &random))
            }
            payload.set(8, UInt8.random(in: 0...24, using: &random))
            payload.set(9, UInt8.random(in: 0...60, using: &random))
            payload.set(10, UInt8.random(in: 0...61, using: &random))
            payload.set(16, Int32.random(in: -1_100_000_000...1_100_000_000, using: &random))
            input += ubx(0x01_07, payload.bytes)
        }
        for epoch in decode(input).epochs {
            #expect(abs(epoch.latitude) <= 90 && abs(epoch.longitude) <= 180, "seed \(seed)")
            #expect(epoch.course.map { (0..<360).contains($0) } ?? true, "seed \(seed)")
            #expect(epoch.speed.map { $0 >= 0 && $0 <= Plausibility.greatestSpeed } ?? true, "seed \(seed)")
            #expect(epoch.courseAccuracy.map { $0 > 0 && $0 < 180 } ?? true, "seed \(seed)")
            #expect(epoch.timeOfDay.map { (0..<86_400_000).contains($0) } != false, "seed \(seed)")
            #expect(
                [epoch.horizontalAccuracy, epoch.verticalAccuracy, epoch.speedAccuracy].allSatisfy {
                    $0.map { $0 > 0 } ?? true
                }, "seed \(seed)")
        }
    }
}
