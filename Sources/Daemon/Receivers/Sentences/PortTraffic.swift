import LocationModel
import NIOCore
import NMEA

/// A record of a port's input since it was opened, for the reasons why there is a fix or none.
struct PortTraffic {
    /// The number of bytes without a message that shows a problem: more than two of the longest sentences.
    static let unreadableLength = 2 * NMEADecoder.maximumSentenceLength
    /// The time that a receiver needs to send each kind of its messages once.
    static let cycle = TimeAmount.seconds(3)

    private let opened: NIODeadline
    private var bytesWithoutMessage = 0
    private var recognizer = ProtocolRecognizer()

    init(at now: NIODeadline) { opened = now }

    /// Records received bytes that contain the ends of `messages` sentences or frames.
    ///
    /// - Parameter isFirst: `true` if no message has come before.
    mutating func receive(_ bytes: RawSpan, messages: Int, isFirst: Bool) {
        guard messages == 0 else {
            bytesWithoutMessage = 0
            return
        }
        // Searching an incomplete sentence is not worth the time.
        if isFirst || bytesWithoutMessage >= Self.unreadableLength { recognizer.read(bytes) }
        bytesWithoutMessage += bytes.byteCount
    }

    /// Returns the diagnosis at `now`, from the outcome of the last epoch and a decoder's counts since the port was
    /// opened.
    func diagnosis(
        _ outcome: EpochOutcome?, _ counts: Counts, at now: NIODeadline, satellitesInView: @autoclosure () -> Int,
        unreadFrames: @autoclosure () -> String?
    ) -> ReceiverDiagnosis {
        if counts.messages == 0 || bytesWithoutMessage >= Self.unreadableLength {
            if let found = recognizer.found {
                var diagnosis = ReceiverDiagnosis(.otherProtocol)
                diagnosis.protocolName = found.name
                return diagnosis
            }
            if bytesWithoutMessage >= Self.unreadableLength { return ReceiverDiagnosis(.unreadable) }
        }
        if let outcome { return .of(outcome, satellitesInView: satellitesInView()) }
        guard now - opened >= Self.cycle else { return ReceiverDiagnosis() }
        guard counts.messages > 0 else { return ReceiverDiagnosis(bytesWithoutMessage == 0 ? .nothing : .unreadable) }
        var diagnosis = ReceiverDiagnosis(.noPosition)
        diagnosis.protocolName = unreadFrames()
        return diagnosis
    }
}
