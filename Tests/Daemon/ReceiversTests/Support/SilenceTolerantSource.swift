import LocationModel
import NIOCore
import ReceiverSettings

@testable import Receivers

/// A source whose silence is not a fault, however long it lasts.
///
/// A receiver that is silent for some seconds is lost, closed and opened again, and one that sends no position for as
/// long reports that it has no fix. A test that waits for a processor in these seconds would find it closed, or the
/// report among its events.
final class SilenceTolerantSource: FixSource {
    let silenceLimit = TimeAmount.hours(24)
    private let source: any FixSource

    init(_ source: any FixSource) { self.source = source }

    var status: SourceStatus { source.status }
    var warning: FixDoubts? { source.warning }

    func open(reportingTo sink: any FixSink) { source.open(reportingTo: sink) }

    func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents) {
        source.setDemand(demand, reporting: contents)
    }

    func removeReport(_ contents: ReceiverReportContents) -> SourceReport { source.removeReport(contents) }

    func close(toStandby: Bool) { source.close(toStandby: toStandby) }
}
