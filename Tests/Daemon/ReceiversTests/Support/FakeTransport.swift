import NIOCore

@testable import Receivers

/// A transport that opens at once and whose bytes come from a test.
final class FakeTransport: ByteTransport {
    /// The failure of the next openings, or `nil` if they succeed.
    var failure: ReceiverFailure?
    /// The failure for the receiver when its wire has fallen silent.
    var hasUnread = false
    /// The minimum length of silence that counts as a loss.
    var silenceLimit = ReceiverStateMachine.silenceLimit
    /// Called when it is about to be open.
    var onOpen: (() -> Void)?
    /// A Boolean value indicating whether the data is readable from the opening on.
    var isConfirmed = true
    /// The transport's own state.
    var status = SourceStatus()
    private(set) var closings = 0
    private(set) var standbys = 0
    private(set) weak var receiver: SentenceReceiver?
    private let loop: any EventLoop

    init(on loop: any EventLoop) { self.loop = loop }

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? {
        ReceiverFailure(.silent, "silent for \(seconds) s")
    }

    func open(for receiver: SentenceReceiver) {
        if let failure { return receiver.didFail(failure) }
        self.receiver = receiver
        onOpen?()
        receiver.didOpen(isConfirmed: isConfirmed, at: loop.now)
    }

    func close(toStandby: Bool) {
        if toStandby { standbys += 1 }
        receiver = nil
        closings += 1
    }
}
