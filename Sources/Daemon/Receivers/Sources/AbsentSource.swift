/// A stand-in for a receiver that is not plugged in.
final class AbsentSource: FixSource {
    private let name: String

    init(name: String) {
        self.name = name
    }

    func open(reportingTo sink: any FixSink) {
        sink.didFail(ReceiverFailure(.missing, "\(name) is not plugged in"))
    }

    func close(toStandby: Bool) {}
}
