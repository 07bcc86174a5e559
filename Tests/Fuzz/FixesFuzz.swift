import LocationModel
import NMEA

@testable import Receivers

/// Fuzzes the whole path from NMEA to fixes and satellites.
func fuzzFixes(_ input: [UInt8]) {
    var decoder = NMEADecoder()
    var last: Timestamp?
    var offset = 0
    while let event = decoder.next(in: input.span.bytes, at: &offset) ?? decoder.flush() {
        guard case .epoch(let epoch) = event, let fix = Fix(epoch, receiver: "fuzz") else { continue }
        check(fix)
        precondition(fix.location.timestamp != last, "one fix an epoch")
        last = fix.location.timestamp
    }
    for satellite in decoder.satellites { check(Satellite(satellite)) }
}

/// Traps if a fix must not be delivered to any app.
func check(_ fix: Fix) {
    let location = fix.location
    precondition((-90.0...90).contains(location.latitude) && (-180.0...180).contains(location.longitude))
    precondition(Timestamp(location.timestamp.description) == location.timestamp)
    precondition(location.course.map { (0..<360).contains($0) } ?? true)
    precondition(location.speed.map { $0 >= 0 && $0.isFinite } ?? true)
    precondition([location.altitude, location.ellipsoidalAltitude].allSatisfy { $0?.isFinite ?? true })
    for accuracy in [
        location.horizontalAccuracy, location.verticalAccuracy, location.speedAccuracy, location.courseAccuracy,
    ] {
        precondition(accuracy.map { $0 > 0 && $0.isFinite } ?? true)
    }
}

/// Traps if a satellite has impossible values.
func check(_ satellite: Satellite) {
    precondition(satellite.number >= 0)
    precondition(satellite.elevation.map { (-90...90).contains($0) } ?? true)
    precondition(satellite.azimuth.map { (0..<360).contains($0) } ?? true)
    precondition(satellite.signalStrength.map { $0 > 0 && $0.isFinite } ?? true)
}
