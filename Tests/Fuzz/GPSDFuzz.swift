import LocationModel
import NIOCore

@testable import Receivers

/// Fuzzes lines of gpsd, through libgps to fixes, headings and satellites.
func fuzzGPSD(_ bytes: [UInt8]) {
    guard let outcome = CutInput(bytes)?.read(Outcome.init(of:)) else { return }
    var epochs = GPSDEpochs(receiver: "fuzz")
    var headings = GPSDHeadings()
    var last: Timestamp?
    for (index, report) in outcome.reports.enumerated() {
        let now = NIODeadline.uptimeNanoseconds(UInt64(index) * 400_000_000)
        switch report {
        case .position(let position):
            headings.apply(position)
            guard let fix = epochs.fix(position, at: now, clock: { clock(at: index) }) else { continue }
            check(fix)
            precondition(fix.location.timestamp != last, "one fix an epoch")
            last = fix.location.timestamp
        case .sky(let sky): epochs.apply(sky)
        case .errors(let errors): epochs.apply(errors)
        case .attitude(let attitude):
            let timestamp = Timestamp(millisecondsSince1970: 0)
            guard let heading = headings.heading(attitude, at: now, timestamp: timestamp) else { continue }
            for degrees in [heading.trueHeading, heading.magneticHeading] {
                precondition(degrees.map { (0..<360).contains($0) } ?? true)
            }
        case .version, .device: break
        }
    }
    for satellite in outcome.satellites { check(satellite) }
}

/// Returns the machine's time at the report with that number.
private func clock(at index: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_790_000_000_000 + Int64(index) * 400)
}

private struct Outcome: Equatable {
    var reports: [GPSDReport] = []
    var satellites: [Satellite] = []
    var overlongLines = 0

    init(of pieces: [[UInt8]]) {
        var reader = GPSDReader()
        for piece in pieces {
            var offset = 0
            while let report = reader.next(in: piece.span.bytes, at: &offset) { reports.append(report) }
        }
        satellites = reader.satellites
        overlongLines = reader.overlongLines
    }
}
