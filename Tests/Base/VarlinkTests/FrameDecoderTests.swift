import NIOCore
import Testing

@testable import Varlink

struct FrameDecoderTests {
    private enum Outcome: Equatable {
        case frames([[UInt8]])
        case tooLong(after: [[UInt8]])
    }

    private func decode(_ pieces: [[UInt8]], limit: Int) -> Outcome {
        var decoder = FrameDecoder(maximumFrameSize: limit)
        var frames: [[UInt8]] = []
        for piece in pieces {
            var input = ByteBuffer(bytes: piece)
            do {
                while let frame = try decoder.next(&input) { frames.append(Array(frame.readableBytesView)) }
            } catch {
                return .tooLong(after: frames)
            }
        }
        return .frames(frames)
    }

    /// Verifies that the same bytes result in the same frames whole, byte by byte, and in pieces of any size.
    private func verify(_ bytes: [UInt8], limit: Int = 16, gives expected: Outcome) {
        #expect(decode([bytes], limit: limit) == expected)
        for size in 1...max(bytes.count, 1) {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(decode(pieces, limit: limit) == expected, "in pieces of \(size)")
        }
    }

    @Test func frames() {
        verify([], gives: .frames([]))
        verify([1, 2], gives: .frames([]))
        verify([1, 2, 0], gives: .frames([[1, 2]]))
        verify([1, 0, 2, 3, 0, 4], gives: .frames([[1], [2, 3]]))
        verify([0, 0, 5, 0, 0], gives: .frames([[], [], [5], []]))
    }

    @Test func theLimitIsExact() {
        let full = [UInt8](repeating: 7, count: 16)
        verify(full + [0], gives: .frames([full]))
        verify(full + [0] + full + [0], gives: .frames([full, full]))
        verify(full + [7, 0], gives: .tooLong(after: []))
        verify([1, 0] + full + [7], gives: .tooLong(after: [[1]]))
    }
}
