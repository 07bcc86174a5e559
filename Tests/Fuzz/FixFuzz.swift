import NMEA
import Positioning

/// libFuzzer's entry for the whole path from bytes to fixes: traps when a fix is one that no app must get.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFixes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    var decoder = NMEADecoder()
    var last: Timestamp?
    var offset = 0
    while let event = decoder.next(in: input.span.bytes, at: &offset) ?? decoder.flush() {
        guard case .epoch(let epoch) = event, let location = Fix(epoch, receiver: "fuzz")?.location else { continue }
        precondition((-90.0...90).contains(location.latitude) && (-180.0...180).contains(location.longitude))
        precondition(Timestamp(location.timestamp.description) == location.timestamp)
        precondition(location.timestamp != last, "one fix an epoch")
        last = location.timestamp
        for accuracy in [
            location.horizontalAccuracy, location.verticalAccuracy, location.speedAccuracy, location.courseAccuracy,
        ] {
            precondition(accuracy.map { $0 > 0 && $0.isFinite } ?? true)
        }
    }
    for satellite in decoder.satellites { precondition(Satellite(satellite).number >= 0) }
    return 0
}
