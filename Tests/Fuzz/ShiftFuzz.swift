import NMEA

/// Moves the positions of a recording: as many bytes come out as went in, the same however they are cut.
func fuzzShift(_ input: [UInt8]) {
    guard let input = CutInput(input) else { return }
    for isAnonymous in [false, true] {
        let moved = input.read { pieces in
            var stream = ShiftedStream(isAnonymous: isAnonymous) { latitude in
                precondition(latitude.isFinite)
                return PositionShift(latitude: -20_000, longitude: 80_001, weeks: 100)
            }
            return pieces.flatMap { stream.move($0) } + stream.finish()
        }
        precondition(moved.count == input.bytes.count, "the length has changed")
    }
}
