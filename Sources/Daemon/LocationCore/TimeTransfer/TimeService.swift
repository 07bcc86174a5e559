internal import LocationModel
internal import Logging
internal import TimeTransfer

/// Passes the time of the receiver in use on to chrony: an epoch at a time, within the read of its last bytes.
///
/// It has no timer: the arrival of an epoch determines the samples. Confined to the event loop.
package final class TimeService {
    /// The number of epochs in a row without a sample after which the log says why: a minute at 1 Hz.
    static let reportedRefusals = 60

    private let clocks: () -> ClockReading
    private let log: Logger
    private let socket: ChronySocket
    private let pulses: (any PulseSource)?
    private let pulseSocket: ChronySocket?
    private var epochs = TimeSampler()
    private var pulseSampler = PulseSampler()
    /// The receiver whose epochs agree so far.
    private var receiver: Int?
    private var refusals = 0
    /// The reason why the last epoch made no sample, for users, or `nil` if it made one.
    private var refusal: String?
    private var isSpreadReported = false
    private var isDelayReported = false

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - clocks: Returns the machine's clocks. The steady one is the event loop's.
    ///   - pulses: The receiver's pulses, or `nil` for the configured device's.
    init(
        _ settings: TimeSettings, clocks: @escaping () -> ClockReading, pulses: (any PulseSource)? = nil, log: Logger
    ) {
        self.clocks = clocks
        self.log = log
        socket = ChronySocket(path: settings.chronySocket, log: log)
        self.pulses = pulses ?? settings.pulseDevice.map { PulseDevice(path: $0, log: log) }
        pulseSocket = settings.pulseSocket.map { ChronySocket(path: $0, log: log) }
    }

    /// Handles the arrival of an epoch of the receiver in use, or `nil` if the arrival is not known.
    ///
    /// - Parameters:
    ///   - id: The receiver's number. A different receiver has to settle first: its delay differs.
    ///   - delay: The delay of its epochs in seconds, as it was stated, or `nil`.
    ///   - doubts: The reasons to doubt its fixes, or `nil` if there are none.
    func receive(
        _ arrival: EpochArrival?, from name: String, id: Int, delay: Double?, doubts: FixDoubts? = nil
    ) {
        if id != receiver { begin(with: id) }
        // Attack: a sender of false signals sets the clocks of all machines nearby. When the signals end, the epochs
        // have to agree with the steady clock again.
        if let doubts {
            (epochs, pulseSampler) = (TimeSampler(), PulseSampler())
            return refused("its location is suspect: \(doubts.reasons[0].explanation)", name)
        }
        guard let arrival else { return refused(Self.unknownArrival, name) }
        do throws(SampleRefusal) {
            // A delay yet to be measured is not taken to be 0 until then: the clock would follow that.
            let known = delay ?? pulseSampler.delay ?? (pulses == nil ? 0 : nil)
            let sample = try epochs.sample(arrival, delay: known ?? 0, now: clocks())
            receivePulse(before: arrival, delay: delay)
            guard known != nil else { return refused(Self.unmeasuredDelay, name) }
            (refusals, refusal) = (0, nil)
            socket.send(sample)
            report(name)
        } catch {
            refused(Self.explanation(of: error), name)
        }
    }

    private func begin(with id: Int) {
        receiver = id
        epochs = TimeSampler()
        pulseSampler = PulseSampler()
        (refusals, refusal, isSpreadReported, isDelayReported) = (0, nil, false, false)
    }

    private func receivePulse(before arrival: EpochArrival, delay: Double?) {
        guard let pulse = pulses?.lastPulse(),
            let sample = pulseSampler.sample(pulse, before: arrival, delay: delay)
        else { return }
        pulseSocket?.send(sample)
    }

    // MARK: Reports

    /// The path of chronyd's socket for the epochs.
    package var path: String { socket.path }

    /// The number of epochs whose samples were sent.
    package var count: Int { socket.count }

    /// The reason why chrony gets no samples, for users, or `nil` if it gets them or there was no epoch yet.
    package var failure: String? {
        socket.failure ?? pulseSocket?.failure ?? (refusals >= Self.reportedRefusals ? refusal : nil)
    }

    /// The delay of the epochs in seconds, as measured by the pulses, or `nil` if it is not known.
    package var delay: Double? { pulseSampler.delay }

    /// The variation of the arrivals of epochs in seconds (68 %), or `nil` if it is not known.
    package var spread: Double? { epochs.spread.map { Double($0) / 1e9 } }

    private static let unknownArrival = """
        the start of its epochs is unknown: it does not pause before each, or does not begin each with a sentence \
        that has the time. Configure it to send fewer sentences or to use a higher speed
        """

    private static let unmeasuredDelay = "no pulses match its epochs, and the configuration states no delay"

    private func refused(_ why: String, _ name: String) {
        refusals += 1
        refusal = why
        guard refusals == Self.reportedRefusals else { return }
        log.warning("chrony gets no time from \(name): \(why)", metadata: ["RECEIVER": "\(name)"])
    }

    /// Logs the measured values once for each receiver, for the administrator to state the delay and its error.
    private func report(_ name: String) {
        if !isSpreadReported, let spread = epochs.spread {
            isSpreadReported = true
            log.notice(
                "the epochs of \(name) arrive within \(Self.milliseconds(Double(spread) / 1e9)) ms of their usual delay (68 %)",
                metadata: ["RECEIVER": "\(name)"])
        }
        if !isDelayReported, let delay = pulseSampler.delay, let spread = pulseSampler.spread {
            isDelayReported = true
            log.notice(
                """
                the epochs of \(name) arrive \(Self.milliseconds(delay)) ms after their moment, by the pulse \
                (68 % within \(Self.milliseconds(spread)) ms)
                """, metadata: ["RECEIVER": "\(name)"])
        }
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }

    private static func explanation(of refusal: SampleRefusal) -> String {
        switch refusal {
        case .inferred: "it does not send the date with each epoch (RMC), or extrapolates without satellites"
        case .invented: "its time is that of a simulation or of a place that was entered by hand"
        case .jump, .settling: "its time jumps against this machine's"
        case .clockWasSet: "this machine's clock keeps being set"
        case .leapSecond, .outOfRange: "its time is impossible"
        }
    }
}
