import NIOCore
import Positioning

/// The source that a specification describes.
func makeSource(
    _ specification: ReceiverSpecification, name: String, on eventLoop: any EventLoop, seed: UInt64,
    clock: @escaping () -> Timestamp
) -> any FixSource {
    UnsupportedSource(specification: specification)
}

/// A source of a kind that this build cannot open.
final class UnsupportedSource: FixSource {
    let silence: ReceiverFailure? = nil
    let satellites: [Satellite] = []
    let baudRate: Int? = nil
    let statistics = ReceiverStatistics()
    private let specification: ReceiverSpecification

    init(specification: ReceiverSpecification) {
        self.specification = specification
    }

    func open(reportingTo sink: any FixSink) {
        sink.sourceFailed(ReceiverFailure(.unusable, "\(specification) is not supported"))
    }

    func close() {}
}
