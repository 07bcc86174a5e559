import LocationModel
import NIOCore
import NMEA

@testable import Receivers

/// A source whose silence is not a fault, however long it lasts.
///
/// A receiver that is silent for some seconds is lost, closed and opened again. A test that waits for a processor in
/// these seconds would find it closed.
final class SilenceTolerantSource: FixSource {
    let silence: ReceiverFailure? = nil
    private let source: any FixSource

    init(_ source: any FixSource) { self.source = source }

    var silenceLimit: TimeAmount { source.silenceLimit }
    var satellites: [Satellite] { source.satellites }
    var serialSettings: SerialSettings? { source.serialSettings }
    var isDetecting: Bool { source.isDetecting }
    var statistics: ReceiverStatistics { source.statistics }
    var positionErrors: PositionErrors? { source.positionErrors }
    var jamming: Jamming? { source.jamming }
    var diagnosis: ReceiverDiagnosis { source.diagnosis }

    func open(reportingTo sink: any FixSink) { source.open(reportingTo: sink) }

    func setInterval(seconds: Double?) { source.setInterval(seconds: seconds) }

    func setReportContents(_ contents: ReceiverReportContents) { source.setReportContents(contents) }

    func removeSentences() -> [UInt8]? { source.removeSentences() }

    func standBy() { source.standBy() }

    func close() { source.close() }
}
