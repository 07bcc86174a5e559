internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import NMEA
internal import Receivers

extension ReceiverSummary {
    /// Adds the corrections that the receiver gets. `location` is the last one that the caller may know of.
    ///
    /// Attack: the place of a reference station is public, and the distance to it changes with every step. It is
    /// rounded, and the caller gives all of this to managers only.
    mutating func addCorrections(of source: SourceStatus, at location: Location?, now: NIODeadline) {
        let (flow, input) = (source.corrections, source.correctionInput)
        guard flow != nil || input != nil else { return }
        var report = CorrectionsReport()
        report.station = flow?.station ?? input?.station
        report.distance = location.flatMap { flow?.distance(to: $0) }.map { ($0 / 100).rounded() * 100 }
        report.age = flow?.age(at: now)
        report.rate = flow?.rate
        report.refused = flow?.refused
        report.outdated = flow?.outdated
        report.faulty = input.map { Int(clamping: $0.faulty) }
        report.used = input?.isUsed
        switch location?.quality {
        case .rtkFixed?: report.solution = .rtkFixed
        case .rtkFloat?: report.solution = .rtkFloat
        default: break
        }
        corrections = report
    }
}
