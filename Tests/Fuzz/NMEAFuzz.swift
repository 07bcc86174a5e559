import NMEA

/// libFuzzer's entry for the NMEA decoder: reads the input whole and cut into pieces, from bytes to epochs, and traps
/// when the results differ or an epoch is impossible.
///
/// The first byte says how long the pieces are (0: as it comes, 1...255 bytes), so that libFuzzer finds the cuts that
/// matter.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let length = input.first else { return 0 }
    let whole = Outcome(of: input[1...], pieces: input.count)
    precondition(whole == Outcome(of: input[1...], pieces: max(1, Int(length))), "depends on the cuts")
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
