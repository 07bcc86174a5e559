import TestSupport
import Testing

@testable import RTCM

/// Which bytes are frames. On failure of a random test, the seed is in the message.
@Suite struct RTCMDelimiterTests {
    @Test func theCRCOfTheStandardsVectors() {
        let digits = Array("123456789".utf8)
        #expect(crc(digits, 9) == 0xCD_E703)
        #expect(crc(RTCMFrames.referencePoint, 22) == 0x36_0B98)
        #expect(crc(RTCMFrames.referencePoint, 25) == 0)
        #expect(RTCMFrames.crc24Q(digits) == 0xCD_E703)
    }

    @Test func theStandardsExample() throws {
        let frames = frames(in: RTCMFrames.referencePoint)
        #expect(frames.found.map(\.bytes) == [RTCMFrames.referencePoint] && frames.skipped == 0)
        let frame = try #require(frames.found.first).frame
        #expect(frame.number == 1005 && frame.station == 2003 && frame.kind == .referencePoint)
        let bytes = RTCMFrames.referencePoint
        let found = ReferencePoint(frame, bytes.span)
        let point = try #require(found)
        #expect(abs(point.x - 1_114_104.5999) < 1e-6 && abs(point.y + 4_850_729.7108) < 1e-6)
        #expect(abs(point.z - 3_975_521.4643) < 1e-6)
        #expect(point.distance(to: point) == 0)
    }

    @Test func framesAreTheSameWhereverTheInputIsCut() {
        let input = Self.mixed
        let whole = frames(in: input)
        #expect(whole.found.map(\.frame.number) == [1005, 1077, 1087, 1230])
        for size in 1...input.count { #expect(frames(in: input, size: size) == whole, "pieces of \(size)") }
        for cut in 0...input.count {
            var delimiter = RTCMDelimiter()
            var numbers: [Int] = []
            for piece in [input[..<cut], input[cut...]] {
                let bytes = Array(piece)
                delimiter.receive(bytes.span.bytes) { frame, _ in numbers.append(frame.number) }
            }
            #expect(numbers == [1005, 1077, 1087, 1230], "cut at \(cut)")
        }
    }

    /// Attack: a preamble with a false length hides the intact frames after it.
    @Test func aWrongCRCCostsOneByte() {
        let good = RTCMFrames.message(1077)
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            // Up to 1029 bytes wait for a length that is now wrong.
            let input = bad + good + good + [UInt8](repeating: 0, count: RTCMFrame.maximumLength)
            #expect(frames(in: input).found.suffix(2).map(\.bytes) == [good, good], "byte \(index)")
        }
        let hidden: [UInt8] = [0xD3, 0x00, 0x40] + good + [UInt8](repeating: 0, count: 64)
        #expect(frames(in: hidden).found.map(\.bytes) == [good])
    }

    @Test func aFillerIsNotPassedOn() {
        let filler = RTCMFrames.frame([])
        let frames = frames(in: filler + RTCMFrames.referencePoint)
        #expect(frames.found.map(\.frame.number) == [1005] && frames.skipped == 0)
    }

    @Test func theLongestFrame() {
        let longest = RTCMFrames.frame([0x43, 0x50] + [UInt8](repeating: 0xD3, count: 1021))
        #expect(longest.count == RTCMFrame.maximumLength)
        #expect(frames(in: longest + longest, size: 7).found.map(\.bytes) == [longest, longest])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomBytesAndFramesBetweenThem(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var input: [UInt8] = []
        var expected: [[UInt8]] = []
        for _ in 0..<40 {
            let noise = Int.random(in: 0...300, using: &random)
            for _ in 0..<noise {
                let byte = UInt8.random(in: 0...255, using: &random)
                // A preamble that swallows the end of the input is another test.
                input.append(byte == 0xD3 ? 0 : byte)
            }
            let length = Int.random(in: 1...200, using: &random)
            let frame = RTCMFrames.frame((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            expected.append(frame)
            input += frame
        }
        let whole = frames(in: input)
        #expect(whole.found.map(\.bytes) == expected, "seed \(seed)")
        #expect(frames(in: input, size: Int(seed)) == whole, "seed \(seed)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func nothingButPreambles(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let choices: [UInt8] = [0xD3, 0x00, 0x01, 0x03, 0xFF]
        let input = (0..<4000).map { _ in choices.randomElement(using: &random)! }
        let frames = frames(in: input)
        #expect(frames.found.isEmpty && frames.skipped <= input.count, "seed \(seed)")
    }

    private func crc(_ bytes: [UInt8], _ count: Int) -> UInt32 { CRC24Q.remainder(of: bytes.span, from: 0, to: count) }

    private static let mixed =
        [0xD3, 0xD3, 0x00, 0x01] + RTCMFrames.referencePoint + Array("$GPGGA\r\n".utf8) + RTCMFrames.message(1077)
        + RTCMFrames.message(1087) + [0xD3, 0xFC] + RTCMFrames.message(1230)
}

/// A frame with its bytes.
struct FoundFrame: Equatable {
    let frame: RTCMFrame
    let bytes: [UInt8]
}

/// Frames, and the number of bytes that belong to none.
struct FoundFrames: Equatable {
    var found: [FoundFrame] = []
    var skipped = 0
}

/// Returns the frames in the input, in pieces of `size` bytes.
func frames(in input: [UInt8], size: Int = .max) -> FoundFrames {
    var delimiter = RTCMDelimiter()
    var found: [FoundFrame] = []
    var offset = 0
    while offset < input.count {
        let piece = Array(input[offset...].prefix(size))
        offset += piece.count
        delimiter.receive(piece.span.bytes) { frame, bytes in
            found.append(FoundFrame(frame: frame, bytes: bytes.withUnsafeBufferPointer { Array($0) }))
        }
    }
    return FoundFrames(found: found, skipped: delimiter.skipped)
}
