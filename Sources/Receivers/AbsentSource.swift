import LocationModel

/// A stand-in for a receiver that is not plugged in.
final class AbsentSource: FixSource {
    let silence: ReceiverFailure? = nil
    let satellites: [Satellite] = []
    let statistics = ReceiverStatistics()
    private let name: String

    init(name: String) {
        self.name = name
    }

    func open(reportingTo sink: any FixSink) {
        sink.didFail(ReceiverFailure(.missing, "\(name) is not plugged in"))
    }

    func close() {}
}
