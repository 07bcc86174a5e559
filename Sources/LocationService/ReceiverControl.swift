internal import Logging
internal import NIOCore
internal import Positioning
internal import Receivers

/// Runs the receivers while somebody asks, and picks the fixes that count.
final class ReceiverControl {
    /// How long the receivers stay open when nobody asks any more.
    static let lingering = TimeAmount.seconds(5)

    /// In the order in which they are preferred.
    private(set) var receivers: [Receiver] = []
    /// A fix of the receiver in use.
    var onFix: ((Fix) -> Void)?
    /// Whether any receiver gives fixes: told when that changes while somebody asks.
    var onAvailability: ((Bool) -> Void)?
    /// The last fix that counted, and when it came.
    private(set) var lastFix: (fix: Fix, receivedAt: NIODeadline)?
    /// The last fix of each receiver, and when it came.
    private(set) var lastFixes: [Int: (fix: Fix, receivedAt: NIODeadline)] = [:]
    /// Whether every receiver was tried and none gives fixes.
    private(set) var isUnavailable = false

    private let loop: any EventLoop
    private let log: Logger
    private var choice = ReceiverChoice()
    private var isRunning = false
    private var stopping: Scheduled<Void>?

    init(_ receivers: [Receiver], on loop: any EventLoop, log: Logger) {
        self.loop = loop
        self.log = log
        use(receivers)
    }

    /// Puts other receivers in the place of those that there are. While somebody asks, they are opened at once.
    func replace(with receivers: [Receiver]) {
        let wasRunning = isRunning
        stop()
        lastFixes = [:]
        use(receivers)
        if wasRunning { setDemand(true) }
    }

    private func use(_ receivers: [Receiver]) {
        self.receivers = receivers
        for (index, receiver) in receivers.enumerated() {
            receiver.onEvent = { [unowned self] event in handle(event, of: index) }
        }
    }

    /// Says whether somebody asks.
    func setDemand(_ wanted: Bool) {
        if wanted {
            stopping?.cancel()
            stopping = nil
            guard !isRunning else { return }
            isRunning = true
            for receiver in receivers { receiver.start() }
            if receivers.isEmpty { setUnavailable(true) }
        } else if isRunning, stopping == nil {
            stopping = loop.assumeIsolated().scheduleTask(in: Self.lingering) { self.stop() }
        }
    }

    /// Closes every receiver.
    func stop() {
        stopping?.cancel()
        stopping = nil
        isRunning = false
        isUnavailable = false
        choice = ReceiverChoice()
        for receiver in receivers { receiver.stop() }
    }

    private func handle(_ event: ReceiverEvent, of index: Int) {
        switch event {
        case .found:
            log.info("fixes come", metadata: ["RECEIVER": "\(receivers[index].name)"])
            setUnavailable(false)
        case .fix(let fix):
            let now = loop.now
            // Delivered first: subscribers would wait for the remembering.
            defer { lastFixes[index] = (fix, now) }
            guard choice.accepts(fixOf: index, at: Double(now.uptimeNanoseconds) / 1e9) else { return }
            onFix?(fix)
            lastFix = (fix, now)
        case .lost(let failure):
            log.warning("\(failure.message)", metadata: ["RECEIVER": "\(receivers[index].name)"])
            choice.lose(index)
            let allLost = receivers.allSatisfy { if case .lost = $0.state { true } else { false } }
            setUnavailable(allLost)
        }
    }

    private func setUnavailable(_ unavailable: Bool) {
        guard unavailable != isUnavailable else { return }
        isUnavailable = unavailable
        onAvailability?(!unavailable)
    }
}
