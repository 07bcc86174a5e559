import NIOCore

/// Keeps a source open for as long as its receiver is started: retries for ever, takes silence for a loss.
///
/// The caller does what the actions say, and calls `wake(at:)` when `deadline` has passed.
struct Supervisor {
    enum Action: Equatable {
        /// Open the source.
        case open
        /// Close the source, and then report the loss if there is one to report.
        case close(reporting: ReceiverFailure?)
    }

    /// Without anything valid for that long, a source is closed and opened anew, unless fixes are wanted less often.
    static let silenceLimit = TimeAmount.seconds(5)
    /// How long after a failure it is tried again: doubles with each one in a row, up to the last.
    static let firstRetryDelay = TimeAmount.milliseconds(500)
    static let lastRetryDelay = TimeAmount.seconds(10)

    private enum Phase: Equatable {
        case closed
        case open(lastHeard: NIODeadline)
        case waitingToRetry(until: NIODeadline)
    }

    private(set) var state = ReceiverState.stopped
    private var silence: ReceiverFailure?
    private var silenceLimit = Self.silenceLimit
    private var phase = Phase.closed
    private var retryDelay = firstRetryDelay
    /// A loss is reported once until the next fix.
    private var lossIsReported = false

    /// `silence` is the failure that silence means; `nil`: it means nothing.
    init(silence: ReceiverFailure?) {
        self.silence = silence
    }

    /// Changes what silence means, and how long it lasts until then: from now on, if that is not the same as before.
    mutating func setSilence(_ silence: ReceiverFailure?, limit: TimeAmount, at now: NIODeadline) {
        guard limit != silenceLimit || silence != self.silence else { return }
        self.silence = silence
        silenceLimit = limit
        if case .open = phase { phase = .open(lastHeard: now) }
    }

    /// When `wake(at:)` has something to do; `nil`: never.
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
        retryDelay = Self.firstRetryDelay
        phase = .open(lastHeard: now)
        return .open
    }

    mutating func stop() -> Action? {
        guard state != .stopped else { return nil }
        state = .stopped
        phase = .closed
        return .close(reporting: nil)
    }

    /// The source is open; silence counts from here.
    mutating func opened(at now: NIODeadline) {
        guard case .open = phase else { return }
        phase = .open(lastHeard: now)
        state = .waitingForFix
    }

    /// The source received something valid.
    mutating func heard(at now: NIODeadline) {
        guard case .open = phase else { return }
        phase = .open(lastHeard: now)
        retryDelay = Self.firstRetryDelay
    }

    /// The source gave a fix. Whether that is the first since the receiver was started or lost.
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
            phase = .waitingToRetry(until: now + retryDelay)
            retryDelay = min(retryDelay * 2, Self.lastRetryDelay)
        }
        defer { lossIsReported = true }
        return .close(reporting: lossIsReported ? nil : failure)
    }

    /// There is reason to hope that it can be opened now: it is not waited for the next attempt's time.
    mutating func retry(at now: NIODeadline) -> Action? {
        guard case .waitingToRetry = phase else { return nil }
        retryDelay = Self.firstRetryDelay
        phase = .open(lastHeard: now)
        return .open
    }

    mutating func wake(at now: NIODeadline) -> Action? {
        guard let deadline, now >= deadline else { return nil }
        switch phase {
        case .closed: return nil
        case .open: return silence.flatMap { failed($0, at: now) }
        case .waitingToRetry:
            phase = .open(lastHeard: now)
            return .open
        }
    }
}
