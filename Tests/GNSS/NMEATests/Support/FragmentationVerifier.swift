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
        decodeOnce(input, decoder: earliestDate.map { NMEADecoder(earliestDate: $0) } ?? NMEADecoder(), piece)
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

/// Decodes `input` once, whole or in pieces.
///
/// - Parameter piece: Returns the size of the piece that begins at an offset.
func decodeOnce(
    _ input: [UInt8], decoder: consuming NMEADecoder = NMEADecoder(), _ piece: (Int) -> Int = { _ in .max }
) -> Decoded {
    var decoder = decoder
    var decoded = Decoded()
    let bytes = input.span.bytes
    var start = 0
    while start < input.count {
        let end = start + min(input.count - start, piece(start))
        let part = bytes.extracting(start..<end)
        var offset = 0
        while let event = decoder.next(in: part, at: &offset) { decoded.events.append(event) }
        start = end
    }
    decoded.events += decoder.flushed()
    decoded.counts = decoder.counts
    decoded.satellites = decoder.satellites
    return decoded
}
