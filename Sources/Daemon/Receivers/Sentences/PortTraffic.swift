import LocationModel
import NIOCore
import NMEA

/// What has come through a port since it was opened, as far as it says why there is a fix or none.
struct PortTraffic {
    /// The number of bytes without a message from which on something is wrong: more than two of the longest sentences.
    static let unreadableLength = 2 * NMEADecoder.maximumSentenceLength
    /// The time after which a receiver has sent each kind of its messages once.
    static let cycle = TimeAmount.seconds(3)

    private let opened: NIODeadline
    private var bytesWithoutMessage = 0
    private var recognizer = ProtocolRecognizer()

    init(at now: NIODeadline) { opened = now }

    /// Records bytes that have arrived, with the ends of `messages` sentences or frames.
    ///
    /// - Parameter isFirst: No message has come before.
    mutating func receive(_ bytes: RawSpan, messages: Int, isFirst: Bool) {
        guard messages == 0 else {
            bytesWithoutMessage = 0
            return
        }
        // A sentence that is still to be completed is not worth the time.
        if isFirst || bytesWithoutMessage >= Self.unreadableLength { recognizer.read(bytes) }
        bytesWithoutMessage += bytes.byteCount
    }

    /// Returns what is known at `now`, from the outcome of the last epoch and a decoder's counts since the port was
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
