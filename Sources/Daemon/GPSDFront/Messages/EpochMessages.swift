internal import JSON
internal import LocationCore
internal import LocationModel
internal import NIOCore
internal import NMEA
internal import Receivers
internal import SentenceWriting

/// The messages about one epoch, encoded once for all clients that receive the same, when the first one needs them.
final class EpochMessages {
    /// The path of the device that produced the epoch.
    let device: String?
    /// A Boolean value indicating whether the messages only say that the receiver has no fix.
    let isWithoutFix: Bool
    /// A Boolean value indicating whether the location has reduced accuracy.
    let isReduced: Bool

    /// The reports of the epoch. POLL repeats the last ones.
    let reports: EpochReports
    private let report: ReceiverUpdate?

    /// Creates the messages of a location.
    ///
    /// - Parameters:
    ///   - report: The receiver's report on the same epoch, for clients with full accuracy only.
    ///   - climb: See ``PositionMessage/climb``.
    init(_ location: Location, report: ReceiverUpdate?, isReduced: Bool, device: String?, climb: Climb? = nil) {
        self.device = device
        self.report = report
        self.isReduced = isReduced
        isWithoutFix = false
        reports = EpochReports(
            position: PositionMessage(
                location, fix: report?.fix, device: device, jamming: report?.jamming?.indicator, climb: climb),
            errors: report?.errors,
            sky: report.map(SkyMessage.init) ?? SkyMessage())
    }

    /// Creates the messages of a receiver that has no fix.
    init(withoutFix report: ReceiverUpdate, device: String?) {
        self.device = device
        self.report = report
        isReduced = false
        isWithoutFix = true
        reports = EpochReports(
            position: PositionMessage(withoutFixOf: device, jamming: report.jamming?.indicator), sky: SkyMessage(report)
        )
    }

    /// TPV, GST and SKY, as far as they are known.
    private(set) lazy var json = ByteBuffer(capacity: 2048) { $0.lines(reports) }

    /// The sentences of the epoch: the receiver's own, or sentences made from the location if it is reduced or its
    /// receiver does not speak NMEA 0183.
    private(set) lazy var sentences: ByteBuffer = {
        if let sentences = report?.sentences { return ByteBuffer(bytes: sentences) }
        guard let location = reports.position.location, isReduced || report != nil else { return ByteBuffer() }
        return ByteBuffer(bytes: LocationSentences().bytes(of: location))
    }()

    /// A Boolean value indicating whether the sentences are the receiver's own. A client that requests `raw` receives
    /// no others.
    private var hasReceiversSentences: Bool { report?.sentences != nil }

    /// The sentences, then the messages that they result in.
    private(set) lazy var sentencesAndJSON: ByteBuffer = {
        var buffer = ByteBuffer()
        buffer.writeImmutableBuffer(sentences)
        buffer.writeImmutableBuffer(json)
        return buffer
    }()

    /// Returns the bytes to send to a client with this policy, or `nil` if there are none.
    func messages(for policy: WatchPolicy) -> ByteBuffer? {
        let messages: ByteBuffer
        switch (policy.json, policy.nmea || policy.raw > 0 && hasReceiversSentences) {
        case (false, false): return nil
        case (true, false): messages = json
        case (false, true): messages = sentences
        case (true, true): messages = sentencesAndJSON
        }
        return messages.readableBytes > 0 ? messages : nil
    }
}
