import EventLoopSupport
import NIOCore

/// Keeps a source open while its receiver is started: retries without end, and treats silence as a loss.
///
/// The caller performs the returned actions, and calls `wake(at:)` when `deadline` has passed.
struct ReceiverStateMachine {
    enum Action: Equatable {
        /// Open the source.
        case open
        /// Close the source, then report the loss if there is one to report.
        case close(reporting: ReceiverFailure?)
    }

    /// The default length of silence that makes a source close and open again. It is longer if fixes are far apart, or
    /// if the receiver itself reports less often.
    static let silenceLimit = TimeAmount.seconds(5)
    /// The minimum delay of `wake(at:)` that shows that the process itself was held up, as on a suspended machine.
    /// Silence then counts from that call: the receiver's bytes may not have been read yet.
    static let heldUp = TimeAmount.seconds(1)

    private enum Phase: Equatable {
        case closed
        case open(lastHeard: NIODeadline)
        case waitingToRetry(until: NIODeadline)
    }

    /// The state. A receiver that was lost to silence stays lost while it is opened again, until valid data arrives.
    private(set) var state = ReceiverState.stopped
    /// The time between the receiver's reports.
    private(set) var rhythm = ReportRhythm()
    private var silence: ReceiverFailure?
    private var givenLimit = Self.silenceLimit
    private var phase = Phase.closed
    /// The delays before retries. Incoming data or a reason to retry at once reset them.
    private var backoff = Backoff(first: 0.5, greatest: 10)
    /// A loss is reported only once until the next fix.
    private var lossIsReported = false

    /// Creates a stopped state machine. `silence` is the failure to report after silence, or `nil` if silence is not a
    /// fault.
    init(silence: ReceiverFailure?) {
        self.silence = silence
    }

    /// The length of silence that counts as a loss now.
    var silenceLimit: TimeAmount { max(givenLimit, rhythm.limit) }

    /// Changes the failure to report after silence, and the minimum limit. If the limit has changed, silence counts
    /// from now.
    mutating func setSilence(_ silence: ReceiverFailure?, limit: TimeAmount, at now: NIODeadline) {
        self.silence = silence
        guard limit != givenLimit else { return }
        givenLimit = limit
        if case .open = phase { phase = .open(lastHeard: now) }
    }

    /// The time when `wake(at:)` has something to do, or `nil` if there is nothing to wait for.
    var deadline: NIODeadline? {
        switch phase {
        case .closed: nil
        case .open(let lastHeard): silence == nil ? nil : lastHeard + silenceLimit
        case .waitingToRetry(let until): until
        }
    }

    mutating func start(at now: NIODeadline) -> Action? {
        guard state == .stopped else { return nil }
        state = .connecting
        lossIsReported = false
        backoff.reset()
        phase = .open(lastHeard: now)
        return .open
    }

    mutating func stop() -> Action? {
        guard state != .stopped else { return nil }
        state = .stopped
        phase = .closed
        rhythm.interrupt()
        return .close(reporting: nil)
    }

    /// Records that the source is open. Silence counts from now.
    mutating func opened(at now: NIODeadline) {
        guard case .open = phase else { return }
        phase = .open(lastHeard: now)
        if case .lost(let failure) = state, failure.reason == .silent { return }
        state = .waitingForFix
    }

    /// Records that the source received valid data.
    mutating func heard(at now: NIODeadline) {
        guard case .open = phase else { return }
        phase = .open(lastHeard: now)
        backoff.reset()
        rhythm.heard(at: now)
        if case .lost = state { state = .waitingForFix }
    }

    /// Records that the source received bytes while it is still detecting how to read them.
    mutating func heardUnreadable(at now: NIODeadline) {
        guard case .open = phase else { return }
        phase = .open(lastHeard: now)
        backoff.reset()
    }

    /// Records that the source produced a fix. Returns whether it is the first fix since the start or the last loss.
    mutating func fixed() -> Bool {
        guard case .open = phase, state != .running else { return false }
        state = .running
        lossIsReported = false
        return true
    }

    mutating func failed(_ failure: ReceiverFailure, at now: NIODeadline) -> Action? {
        guard case .open = phase else { return nil }
        state = .lost(failure)
        if failure.reason == .ended {
            phase = .closed
        } else {
            phase = .waitingToRetry(until: now + .clamping(seconds: backoff.next()))
        }
        defer { lossIsReported = true }
        return .close(reporting: lossIsReported ? nil : failure)
    }

    /// Opens the source without waiting for the retry delay, because it is likely to be available now.
    mutating func retry(at now: NIODeadline) -> Action? {
        guard case .waitingToRetry = phase else { return nil }
        backoff.reset()
        phase = .open(lastHeard: now)
        return .open
    }

    mutating func wake(at now: NIODeadline) -> Action? {
        guard let deadline, now >= deadline else { return nil }
        switch phase {
        case .closed: return nil
        case .open where now > deadline + Self.heldUp:
            phase = .open(lastHeard: now)
            return nil
        case .open: return silence.flatMap { failed($0, at: now) }
        case .waitingToRetry:
            phase = .open(lastHeard: now)
            return .open
        }
    }
}
