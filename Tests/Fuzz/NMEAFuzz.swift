import NMEA

/// Fuzzes the NMEA decoder, from bytes to epochs.
///
/// If the first byte is odd, each further line is the body of a sentence, to which this target adds `$` and the
/// correct checksum: mutations seldom leave a checksum correct.
func fuzzNMEA(_ bytes: [UInt8]) {
    guard var input = CutInput(bytes) else { return }
    if input.first & 1 == 1 { input.bytes = sentences(input.bytes)[...] }
    let outcome = input.read(Outcome.init(of:))
    for case .epoch(let epoch) in outcome.events {
        precondition(abs(epoch.latitude) <= 90 && abs(epoch.longitude) <= 180)
        precondition((0..<86_400_000).contains(epoch.timeOfDay))
        precondition(epoch.course.map { $0 >= 0 && $0 < 360 } ?? true)
        precondition(epoch.speed.map { $0 >= 0 } ?? true)
        precondition([epoch.altitude, epoch.ellipsoidalAltitude].allSatisfy { $0?.isFinite ?? true })
        precondition(
            [epoch.horizontalAccuracy, epoch.verticalAccuracy, epoch.speedAccuracy, epoch.courseAccuracy]
                .allSatisfy { $0.map { $0 > 0 && $0.isFinite } ?? true })
    }
}

/// Returns the lines as sentences, with `$` and checksum.
private func sentences(_ lines: ArraySlice<UInt8>) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var sentences: [UInt8] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
        let sum = Int(checksum(of: Array(line).span))
        sentences.append(UInt8(ascii: "$"))
        sentences += line
        sentences += [UInt8(ascii: "*"), digits[sum >> 4], digits[sum & 15], UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
    return sentences
}

/// The complete output of a decoder.
private struct Outcome: Equatable {
    var events: [Event] = []
    var counts = Counts()
    var satellites: [SatelliteInView] = []

    init(of pieces: [[UInt8]]) {
        var decoder = NMEADecoder(earliestDate: 1_735_689_600_000)
        for piece in pieces {
            var offset = 0
            while let event = decoder.next(in: piece.span.bytes, at: &offset) { events.append(event) }
        }
        while let event = decoder.flush() { events.append(event) }
        counts = decoder.counts
        satellites = decoder.satellites
    }
}
