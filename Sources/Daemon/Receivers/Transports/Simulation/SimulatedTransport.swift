import EventLoopSupport
import LocationModel
import NIOCore

/// A simulated receiver: its sentences arrive like a real receiver's, once a second, but without a port.
final class SimulatedTransport: ByteTransport {
    private let makeSimulator: () throws(ReceiverFailure) -> ReceiverSimulator
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    /// The simulator, kept while the transport is closed: the journey continues in the meantime.
    private var simulator: ReceiverSimulator?
    private var receiver: SentenceReceiver?
    private let timer: LoopTimer
    private var lastEpoch: Timestamp?

    /// Creates a closed transport. The simulator is created at the first opening, or at a later one if that fails.
    init(
        on eventLoop: any EventLoop, clock: @escaping () -> Timestamp,
        makeSimulator: @escaping () throws(ReceiverFailure) -> ReceiverSimulator
    ) {
        self.makeSimulator = makeSimulator
        self.eventLoop = eventLoop
        self.clock = clock
        timer = LoopTimer(on: eventLoop)
    }

    let hasUnread = false

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? { nil }

    func open(for receiver: SentenceReceiver) {
        do throws(ReceiverFailure) {
            if simulator == nil { simulator = try makeSimulator() }
        } catch {
            return receiver.didFail(error)
        }
        self.receiver = receiver
        timer.set(in: .zero) { self.tick() }
        receiver.didOpen(at: eventLoop.now)
    }

    func close(toStandby: Bool) {
        timer.cancel()
        receiver = nil
        lastEpoch = nil
    }

    /// Passes on the epoch of the current second, and schedules the next one.
    private func tick() {
        let now = clock().millisecondsSince1970
        let intoSecond = ((now % 1000) + 1000) % 1000
        let epoch = Timestamp(millisecondsSince1970: now - intoSecond)
        // The receiver may close the transport in response to the bytes.
        timer.set(in: .milliseconds(1000 - intoSecond)) { self.tick() }
        if epoch != lastEpoch, let bytes = simulator?.sentences(at: epoch) {
            lastEpoch = epoch
            receiver?.receive(bytes.span.bytes, at: eventLoop.now)
        }
    }
}
