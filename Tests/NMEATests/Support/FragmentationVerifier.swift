import NMEA
import TestSupport
import Testing

/// Decodes `input` whole, in seeded random pieces and byte by byte, and expects the same output each time.
///
/// Returns that output. On failure, the seed is in the message.
func decode(
    _ input: [UInt8], earliestDate: Int64? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> Decoded {
    func run(_ piece: (Int) -> Int) -> Decoded {
        var decoder = earliestDate.map { NMEADecoder(earliestDate: $0) } ?? NMEADecoder()
        var decoded = Decoded()
        var start = 0
        while start < input.count {
            let end = min(input.count, start + piece(start))
            decoded.events += decoder.events(in: input[start..<end])
            start = end
        }
        decoded.events += decoder.flushed()
        decoded.counts = decoder.counts
        decoded.satellites = decoder.satellites
        return decoded
    }
    let whole = run { _ in input.count }
    #expect(run { _ in 1 } == whole, "byte by byte", sourceLocation: sourceLocation)
    for seed in 1...3 as ClosedRange<UInt64> {
        var random = SeededRandom(seed: seed)
        let pieces = run { _ in Int.random(in: 1...(seed == 1 ? 20 : 400), using: &random) }
        #expect(pieces == whole, "in pieces, seed \(seed)", sourceLocation: sourceLocation)
    }
    return whole
}

func decode(_ text: String, earliestDate: Int64? = nil, sourceLocation: SourceLocation = #_sourceLocation) -> Decoded {
    decode(Array(text.utf8), earliestDate: earliestDate, sourceLocation: sourceLocation)
}
