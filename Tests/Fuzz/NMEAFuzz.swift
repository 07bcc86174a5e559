import NMEA

/// Fuzzes the NMEA decoder, from bytes to epochs.
///
/// If the first byte is odd, each further line is the body of a sentence, to which this target adds `$` and the
/// correct checksum: mutations seldom leave a checksum correct. Otherwise, if its second bit is set, each further line
/// is the payload of a frame, of a kind that its first byte chooses.
func fuzzNMEA(_ bytes: [UInt8]) {
    guard var input = CutInput(bytes) else { return }
    if input.first & 1 == 1 {
        input.bytes = sentences(input.bytes)[...]
    } else if input.first & 2 == 2 {
        input.bytes = frames(input.bytes)[...]
    }
    let outcome = input.read(Outcome.init(of:))
    for case .epoch(let epoch) in outcome.events {
        precondition(abs(epoch.latitude) <= 90 && abs(epoch.longitude) <= 180)
        precondition(epoch.timeOfDay.map { (0..<86_400_000).contains($0) } ?? true)
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

/// Returns the lines as frames that the decoder reads, with the correct checksums. Short ones are filled with zeros.
private func frames(_ lines: ArraySlice<UInt8>) -> [UInt8] {
    let kinds: [(class: UInt8, id: UInt8, length: Int)] = [
        (1, 7, 92), (1, 0x35, 8), (0x0A, 9, 60), (0x0A, 0x38, 28), (1, 2, 28), (1, 3, 16), (1, 4, 18), (1, 6, 52),
        (1, 0x12, 36), (1, 0x20, 16), (1, 0x21, 20), (1, 0x30, 20), (1, 0x22, 20),
    ]
    var frames: [UInt8] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
        let kind = kinds[Int(line.first!) % kinds.count]
        var payload = Array(line.dropFirst())
        payload += [UInt8](repeating: 0, count: max(0, kind.length - payload.count))
        let body = [kind.class, kind.id, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
        var (a, b) = (UInt8(0), UInt8(0))
        for byte in body {
            a &+= byte
            b &+= a
        }
        frames += [0xB5, 0x62] + body + [a, b]
    }
    return frames
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
