import LocationModel
import NIOCore
import NMEA

@testable import Receivers

/// A source whose silence is not a fault, however long it lasts.
///
/// A receiver that is silent for some seconds is lost, closed and opened again, and one that sends no position for as
/// long reports that it has no fix. A test that waits for a processor in these seconds would find it closed, or the
/// report among its events.
final class SilenceTolerantSource: FixSource {
    let silence: ReceiverFailure? = nil
    let silenceLimit = TimeAmount.hours(24)
    private let source: any FixSource

    init(_ source: any FixSource) { self.source = source }

    var satellites: [Satellite] { source.satellites }
    var serialSettings: SerialSettings? { source.serialSettings }
    var isDetecting: Bool { source.isDetecting }
    var statistics: ReceiverStatistics { source.statistics }
    var positionErrors: PositionErrors? { source.positionErrors }
    var battery: Int? { source.battery }
    var jamming: Jamming? { source.jamming }
    var spoofing: Spoofing? { source.spoofing }
    var diagnosis: ReceiverDiagnosis { source.diagnosis }

    func open(reportingTo sink: any FixSink) { source.open(reportingTo: sink) }

    func setInterval(seconds: Double?) { source.setInterval(seconds: seconds) }

    func setReportContents(_ contents: ReceiverReportContents) { source.setReportContents(contents) }

    func removeSentences() -> [UInt8]? { source.removeSentences() }

    func standBy() { source.standBy() }

    func close() { source.close() }
}
