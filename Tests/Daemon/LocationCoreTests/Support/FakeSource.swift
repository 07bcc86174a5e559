import LocationModel
import NIOCore
import Positioning

@testable import Receivers

/// A receiver that does what the test makes it do.
final class FakeSource: FixSource {
    var isOpen: Bool { sink != nil }
    private(set) var timesOpened = 0
    private var sink: (any FixSink)?
    private let loop: any EventLoop

    var reportsSpoofing = false
    var warning: FixDoubts? { reportsSpoofing ? FixDoubts([.spoofing]) : nil }

    init(on loop: any EventLoop) { self.loop = loop }

    func open(reportingTo sink: any FixSink) {
        self.sink = sink
        timesOpened += 1
        sink.didOpen()
    }

    func close(toStandby: Bool) { sink = nil }

    func fail(_ reason: ReceiverFailure.Reason) { sink?.didFail(ReceiverFailure(reason, "\(reason)")) }

    func fix(_ second: Int64, latitude: Double = 47, accuracy: Double = 5) {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: second * 1000), latitude: latitude, longitude: 8)
        location.horizontalAccuracy = accuracy
        sink?.didProduceFix(Fix(location: location), at: loop.now)
    }
}
