internal import Logging
internal import NIOCore
internal import Positioning
internal import Receivers

/// Carries the receivers' plan out: opens and closes them, and picks the fixes that count.
final class ReceiverControl {
    /// The receivers that there are: the configured ones, or the simulated one in their place.
    private(set) var receivers: [Receiver] = []
    /// A fix that counts.
    var onFix: ((Fix) -> Void)?
    /// A heading of any receiver.
    var onHeading: ((Heading) -> Void)?
    /// Whether any receiver gives fixes: told when that changes while somebody asks.
    var onAvailability: ((Bool) -> Void)?
    /// Told when receivers may have been opened or closed.
    var onCarriedOut: (() -> Void)?
    /// The last fix that counted, and when it came.
    private(set) var lastFix: ReceivedFix?
    /// The last fix of each receiver, and when it came.
    private(set) var lastFixes: [Int: ReceivedFix] = [:]
    /// Whether every receiver was tried and none gives fixes.
    private(set) var isUnavailable = false
    /// Which receiver's fixes count, and why.
    private(set) var choice = ReceiverChoice()

    private let loop: any EventLoop
    private let log: Logger
    private let origin: NIODeadline
    private var configured: [Receiver]
    private var isSimulating = false
    private var cycle = DutyCycle()
    private var isRunning = false
    /// Recordings that are over: they begin anew only when somebody asks anew.
    private var ended: Set<Int> = []
    /// What the log knows of each receiver, so that a rest between two fixes is no news.
    private var logged: [Int: String] = [:]
    private var timer: (task: Scheduled<Void>, deadline: Double)?

    init(_ receivers: [Receiver], on loop: any EventLoop, log: Logger) {
        self.loop = loop
        self.log = log
        origin = loop.now
        configured = receivers
        use(receivers)
    }

    /// How hard the receivers work.
    var plan: ReceiverPlan { cycle.plan }

    /// Whether they are closed until the next fix is due.
    var isResting: Bool { plan != .off && !isRunning }

    /// Whether nobody asks, and all are closed.
    var isClosed: Bool { plan == .off && !isRunning }

    /// Whether any of them has told a heading.
    var hasCompass: Bool { receivers.contains(where: \.hasCompass) }

    /// How long ago the last fix that counted came, in seconds of the receivers' own time; `nil` when none did.
    var ageOfLastFix: Double? {
        lastFix.map { Double($0.age(at: loop.now).nanoseconds) / 1e9 * timeScale }
    }

    /// What time it is by the receivers: that of the last fix and what has passed since. Before there is one,
    /// `clock`'s, which goes as fast as the receivers' own.
    func time(by clock: () -> Timestamp) -> Timestamp {
        guard let lastFix, let age = ageOfLastFix else {
            return Timestamp(
                millisecondsSince1970: clock().millisecondsSince1970 + Int64((now - now / timeScale) * 1000))
        }
        let moment = lastFix.fix.location.timestamp.millisecondsSince1970
        return Timestamp(millisecondsSince1970: moment + Int64(age * 1000))
    }

    /// Says how hard the receivers are to work.
    func follow(_ plan: ReceiverPlan) {
        guard plan != cycle.plan else { return }
        cycle.follow(plan, at: now)
        setInterval()
        carryOut()
    }

    /// Puts other receivers in the place of those that are configured. While somebody asks, they are opened at once.
    func replace(with receivers: [Receiver]) {
        configured = receivers
        if !isSimulating { exchange(receivers) }
    }

    /// Puts a simulated receiver in the place of all others or, with `nil`, ends that.
    func simulate(_ receiver: Receiver?) {
        isSimulating = receiver != nil
        exchange(receiver.map { [$0] } ?? configured)
    }

    /// The machine slept. What was known is older by that than the loop's clock says, which stood still; and what is
    /// open is opened anew: a device may have been reset, and a port that was lost that way tells nothing.
    func woke(after sleep: TimeAmount) {
        lastFix = lastFix.map { $0.slept(for: sleep) }
        lastFixes = lastFixes.mapValues { $0.slept(for: sleep) }
        guard plan != .off else {
            stop()
            onCarriedOut?()
            return
        }
        let plan = cycle.plan
        timer?.task.cancel()
        timer = nil
        cycle = DutyCycle()
        choice = ReceiverChoice()
        close()
        follow(plan)
    }

    /// Closes every receiver.
    func stop() {
        timer?.task.cancel()
        timer = nil
        cycle = DutyCycle()
        close()
        forgetAvailability()
    }

    private func exchange(_ receivers: [Receiver]) {
        let plan = cycle.plan
        stop()
        // The place of a simulation is not where the machine is.
        lastFix = nil
        lastFixes = [:]
        choice = ReceiverChoice()
        use(receivers)
        follow(plan)
    }

    private func use(_ receivers: [Receiver]) {
        self.receivers = receivers
        for (index, receiver) in receivers.enumerated() {
            receiver.onEvent = { [unowned self] event in handle(event, of: index) }
        }
    }

    // MARK: Opening and closing

    /// Seconds of the receivers' own time: a recording that is played ten times as fast is planned ten times as fast.
    private var now: Double { Double((loop.now - origin).nanoseconds) / 1e9 * timeScale }

    /// How many seconds of the receivers' own time pass in a second of the machine's.
    var timeScale: Double { receivers.map(\.timeScale).max() ?? 1 }

    private func carryOut() {
        if cycle.isOpen, !isRunning { open() }
        if !cycle.isOpen, isRunning { close() }
        if cycle.plan == .off, !isRunning { forgetAvailability() }
        setTimer()
        onCarriedOut?()
    }

    private func open() {
        isRunning = true
        choice.reopened(at: now)
        for (index, receiver) in receivers.enumerated() where !ended.contains(index) { receiver.start() }
        if receivers.isEmpty { setUnavailable(true) }
    }

    private func close() {
        isRunning = false
        for receiver in receivers { receiver.stop() }
    }

    /// Nobody asks any more: who asks next is told anew.
    private func forgetAvailability() {
        isUnavailable = false
        ended = []
        logged = [:]
    }

    private func setInterval() {
        var interval: Double?
        if case .every(let seconds, _) = cycle.plan { interval = seconds }
        for receiver in receivers { receiver.setInterval(seconds: interval) }
    }

    private func setTimer() {
        guard let deadline = cycle.deadline else {
            timer?.task.cancel()
            timer = nil
            return
        }
        if let timer, timer.deadline == deadline { return }
        timer?.task.cancel()
        let wait = TimeAmount.nanoseconds(Int64((max(0, deadline - now) / timeScale * 1e9).rounded(.up)))
        let task = loop.assumeIsolated().scheduleTask(in: wait) {
            self.timer = nil
            self.cycle.advance(to: self.now)
            self.carryOut()
        }
        timer = (task, deadline)
    }

    // MARK: What they tell

    private func handle(_ event: ReceiverEvent, of index: Int) {
        switch event {
        case .found:
            note("fixes come", of: index, level: .info)
            setUnavailable(false)
        case .fix(let fix): take(fix, of: index)
        case .heading(let heading): onHeading?(heading)
        case .lost(let failure):
            note(failure.message, of: index, level: .warning)
            choice.lose(index)
            if failure.reason == .ended { ended.insert(index) }
            setUnavailable(receivers.allSatisfy { if case .lost = $0.state { true } else { false } })
        }
    }

    private func take(_ fix: Fix, of index: Int) {
        let (received, now) = (ReceivedFix(fix, at: loop.now), self.now)
        // Delivered first: subscribers would wait for the remembering.
        defer { lastFixes[index] = received }
        guard choice.accepts(fix.location, of: index, at: now),
            cycle.take(accuracy: fix.location.horizontalAccuracy, at: now)
        else { return }
        onFix?(fix)
        lastFix = received
        if cycle.plan != .continuous { carryOut() }
    }

    private func note(_ message: String, of index: Int, level: Logger.Level) {
        guard logged[index] != message else { return }
        logged[index] = message
        log.log(level: level, "\(message)", metadata: ["RECEIVER": "\(receivers[index].name)"])
    }

    private func setUnavailable(_ unavailable: Bool) {
        guard unavailable != isUnavailable else { return }
        isUnavailable = unavailable
        onAvailability?(!unavailable)
    }
}
