internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore
internal import Publishing

/// Puts reports into the queue: one write at a time, with all reports that have arrived in the meantime. Confined to
/// the event loop.
final class QueueIntake {
    /// The maximum number of reports waiting for a full or failing disk. Beyond that, the oldest are dropped.
    static let maximumWaiting = 1000
    /// The delay before a failed write or deletion is retried, in seconds.
    private static let backoff = Backoff(first: 10, greatest: 10)
    /// The interval of the checks for expired reports.
    private static let ageCheckDelay = TimeAmount.minutes(10)

    /// Called with reports that are now on the disk.
    var onStored: ([QueuedReport]) -> Void = { _ in }
    /// Called when ``clear(_:)`` is done.
    var onCleared: () -> Void = {}
    /// A Boolean value indicating whether a deletion is pending, during which no report in the queue may be sent.
    var isClearing: Bool { clearing != nil }

    private let thread: QueueThread
    private let clocks: ReportPublisher.Clocks
    private let loop: any EventLoop
    private let log: Logger
    private var order: FixOrder
    private var clock: AgeClock
    private var waiting: [Report] = []
    private var isWriting = false
    /// The reports to delete, which may still be on the disk.
    private var clearing: QueueClearing?
    private var isStopped = false
    /// The number of reports lost because the queue could not be written.
    private var lost = 0
    /// The number of locations dropped because their time was behind.
    private var late = 0
    /// The next value of `late` to log.
    private var nextLoggedLate = 1
    /// The number of clearings. It shows whether one began during a write.
    private var clearings = 0
    /// The last failure, so that each is logged once.
    private var failure: String?
    private let writing: Retry
    private let deletion: Retry
    private let ageTimer: LoopTimer

    init(
        _ thread: QueueThread, lastTime: Timestamp?, clocks: ReportPublisher.Clocks, on loop: any EventLoop, log: Logger
    ) {
        self.thread = thread
        self.clocks = clocks
        self.loop = loop
        self.log = log
        order = FixOrder(after: lastTime)
        clock = AgeClock(wall: clocks.wall(), elapsed: clocks.elapsed())
        (writing, deletion) = (Retry(Self.backoff, on: loop), Retry(Self.backoff, on: loop))
        ageTimer = LoopTimer(on: loop)
        checkAge()
    }

    /// Puts a report into the queue, unless it is a repeated or late location.
    func add(_ report: Report) {
        if report.crossing == nil {
            switch order.check(report.location.timestamp) {
            case .inOrder: break
            case .repeated: return
            case .late(let seconds): return noteLate(seconds)
            case .clockSetBack(let seconds): log.warning("the receiver's clock was set back by \(Int(seconds)) s")
            }
        }
        waiting.append(report)
        if waiting.count > Self.maximumWaiting {
            waiting.removeFirst()
            if lost == 0 { log.error("reports are lost, the oldest first: the queue cannot be written") }
            lost += 1
        }
        if !writing.isScheduled { write() }
    }

    /// Counts a dropped location. Two receivers taking turns would fill the log, so only the first, the tenth, the
    /// hundredth and so on are logged.
    private func noteLate(_ seconds: Double) {
        late += 1
        guard late == nextLoggedLate else { return }
        nextLoggedLate *= 10
        log.warning(
            "a location is not published: its time is \(seconds) s before that of the last one (\(late) so far)")
    }

    /// Deletes reports, on the disk too, retrying until that succeeds.
    func clear(_ what: QueueClearing) {
        waiting = what == .everything ? [] : waiting.filter(\.hasReducedAccuracy)
        clearings += 1
        clearing = clearing == .everything ? .everything : what
        clearDisk()
    }

    private func clearDisk() {
        guard let clearing else { return }
        deletion.cancel()
        let number = clearings
        let intake = NIOLoopBound(self, eventLoop: loop)
        thread.run { try $0.clear(clearing) }.whenComplete { intake.value.cleared($0, number) }
    }

    private func cleared(_ result: Result<Void, any Error>, _ number: Int) {
        guard number == clearings, !isStopped else { return }
        switch result {
        case .success:
            if clearing == .everything { log.notice("the queue is emptied") }
            clearing = nil
            failure = nil
            onCleared()
            write()
        case .failure(let error):
            if failure != "\(error)" {
                log.error("\(error); the reports to delete are still on the disk, and will not be sent")
            }
            failure = "\(error)"
            deletion.schedule { [weak self] in self?.clearDisk() }
        }
    }

    /// Writes the waiting reports, and nothing after that.
    func stop() {
        writing.cancel()
        deletion.cancel()
        ageTimer.cancel()
        isWriting = false
        write()
        isStopped = true
    }

    private func write() {
        guard !isWriting, !isClearing, !isStopped, !waiting.isEmpty else { return }
        isWriting = true
        let (reports, clearings) = (waiting, clearings)
        waiting = []
        let now = followClock()
        let intake = NIOLoopBound(self, eventLoop: loop)
        thread.run { try $0.append(reports, at: now) }.whenComplete { result in
            intake.value.wrote(result, reports, clearings)
        }
    }

    private func wrote(_ result: Result<QueueStore.Appended, any Error>, _ reports: [Report], _ clearings: Int) {
        guard !isStopped else { return }
        isWriting = false
        switch result {
        case .success(let appended):
            if failure != nil {
                log.notice("the queue is written again\(lost > 0 ? "; \(lost) reports are lost" : "")")
            }
            failure = nil
            lost = 0
            if appended.dropped > 0 {
                log.warning("the queue has reached a bound: the oldest \(appended.dropped) reports were dropped")
            }
            if clearings == self.clearings { onStored(appended.entries) }
            write()
        case .failure(let error):
            if failure != "\(error)" { log.error("\(error); reports wait in memory") }
            failure = "\(error)"
            if clearings == self.clearings { waiting = Array((reports + waiting).suffix(Self.maximumWaiting)) }
            writing.schedule { [weak self] in self?.write() }
        }
    }

    /// Returns the time. If the machine's clock was set, the ages of the reports queued by this run stay the same.
    private func followClock() -> Timestamp {
        let now = clocks.wall()
        if let step = clock.advance(wall: now, elapsed: clocks.elapsed()) {
            log.notice("the machine's clock was set by \(Int(step)) s: the reports in the queue keep their ages")
            let log = log
            thread.run { try $0.shiftTimes(by: step) }.whenFailure { log.error("\($0)") }
        }
        return now
    }

    /// Drops expired reports now and every 10 minutes: they expire even if none is added.
    private func checkAge() {
        let now = followClock()
        let log = log
        thread.run { try $0.dropOld(now: now) }.whenComplete { result in
            switch result {
            case .success(0): break
            case .success(let count): log.warning("\(count) reports were dropped: older than the maximum age")
            case .failure(let error): log.error("\(error)")
            }
        }
        ageTimer.set(in: Self.ageCheckDelay) { [weak self] in self?.checkAge() }
    }
}
