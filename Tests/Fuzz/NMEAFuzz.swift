import NMEA

/// libFuzzer's entry for the NMEA decoder: reads the input whole and cut into pieces, from bytes to epochs, and traps
/// when the results differ or an epoch is impossible.
///
/// The first byte says how long the pieces are, so that libFuzzer finds the cuts that matter. When it is odd, each line
/// of the rest is a sentence's body that gets its `$` and its right checksum here: mutations seldom keep one right.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let length = bytes.first else { return 0 }
    let input = length & 1 == 0 ? bytes[1...] : sentences(bytes[1...])[...]
    let whole = Outcome(of: input, pieces: max(1, input.count))
    precondition(whole == Outcome(of: input, pieces: max(1, Int(length))), "depends on the cuts")
    for case .epoch(let epoch) in whole.events {
        precondition(abs(epoch.latitude) <= 90 && abs(epoch.longitude) <= 180)
        precondition((0..<86_400_000).contains(epoch.timeOfDay))
        precondition(epoch.course.map { $0 >= 0 && $0 < 360 } ?? true)
        precondition(epoch.speed.map { $0 >= 0 } ?? true)
        precondition([epoch.altitude, epoch.ellipsoidalAltitude].allSatisfy { $0?.isFinite ?? true })
        precondition(
            [epoch.horizontalAccuracy, epoch.verticalAccuracy, epoch.speedAccuracy, epoch.courseAccuracy]
                .allSatisfy { $0.map { $0 > 0 && $0.isFinite } ?? true })
    }
    return 0
}

/// Lines, dressed as sentences.
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

/// All that a decoder makes of some bytes.
private struct Outcome: Equatable {
    var events: [Event] = []
    var counts = Counts()
    var satellites: [SatelliteInView] = []

    init(of input: ArraySlice<UInt8>, pieces length: Int) {
        var decoder = NMEADecoder(earliestDate: 1_735_689_600_000)
        var rest = input
        while !rest.isEmpty {
            let piece = Array(rest.prefix(length))
            var offset = 0
            while let event = decoder.next(in: piece.span.bytes, at: &offset) { events.append(event) }
            rest = rest.dropFirst(length)
        }
        while let event = decoder.flush() { events.append(event) }
        counts = decoder.counts
        satellites = decoder.satellites
    }
}
