package import Bus
package import EventLoopSupport
package import LocationModel
package import NIOCore
package import Positioning

/// The radio surroundings of the machine, which say whether it has perhaps moved.
///
/// They are watched only while a demand on the receivers depends on it. Nothing that identifies them leaves this
/// module: only keyed hashes, which are not logged. Confined to the event loop.
package final class Surroundings {
    /// The least time between two fixes that are compared with the surroundings, in seconds.
    static let fixInterval = 10.0
    /// The time after a sleep of the machine until the surroundings are read, whatever NetworkManager signals: it
    /// disconnects before a sleep, and may need some seconds to connect.
    static let readingAfterSleep = TimeAmount.seconds(10)
    /// The time for a single reading.
    static let readingTime = TimeAmount.seconds(10)

    /// Called when ``plan(_:in:)`` may have changed, except for changes by a fix.
    package var onChange: (() -> Void)?
    /// Called with each report, without the emitters that move.
    package var onReport: ((SurroundingsReport) -> Void)?
    /// Called with all emitters that move once others were found.
    package var onMobileEmitters: (([UInt64]) -> Void)?
    /// Called when the machine has slept, or the watching has ended: it may be anywhere.
    package var onPause: (() -> Void)?
    /// Called with the time that the machine has been at its place so far.
    package var onStay: ((Stillness.Stay) -> Void)?
    /// A Boolean value indicating whether the surroundings may be used.
    package var isEnabled = true
    /// A Boolean value indicating whether scans are requested where NetworkManager makes none.
    package var scans = false
    /// A Boolean value indicating whether any demand depends on the surroundings.
    package private(set) var isWatching = false

    private var stillness = Stillness()
    private var network: NetworkWatch?
    private let timer: LoopTimer
    private let now: () -> Double
    private var timerDeadline: Double?
    private var lastFix: (time: Double, isVague: Bool)?
    private var reportedStay: Stillness.Stay?
    /// The calls that wait for the next report, and the timer that ends their waiting.
    private var readers: [() -> Void] = []
    private let readingTimer: LoopTimer

    /// Creates surroundings that are not watched yet.
    ///
    /// - Parameters:
    ///   - secret: The machine's secret, or `nil` if there is none. Then the surroundings are ignored.
    ///   - bus: The bus with NetworkManager.
    ///   - poller: Waits for the kernel's scans, which are read where NetworkManager is not running, or `nil` to read
    ///     none. None are read either if the bus is not this machine's own, so that tests do not read its networks.
    ///   - now: Returns the time in seconds of the clock that the receivers are planned by.
    package init(
        _ secret: [UInt8]?, bus: Bus, poller: DescriptorPoller? = nil, on loop: any EventLoop,
        now: @escaping () -> Double
    ) {
        self.now = now
        timer = LoopTimer(on: loop)
        readingTimer = LoopTimer(on: loop)
        network = secret.map { secret in
            let hash = EmitterHash(secret: secret)
            let kernel = bus.isOfMachine ? poller.map { KernelNetworks(hash, poller: $0, on: loop) } : nil
            return NetworkWatch(hash, bus: bus, on: loop, kernel: kernel) { [unowned self] in receive($0) }
        }
    }

    /// Returns the plan for the receivers, and watches the surroundings if it depends on them.
    ///
    /// - Parameters:
    ///   - needed: The plan for a machine with an unknown movement.
    ///   - isPlaceNeeded: `true` to watch the surroundings whether or not the plan depends on them.
    ///   - demand: Returns the plan for a machine with that movement.
    package func plan(
        _ needed: ReceiverPlan, isPlaceNeeded: Bool = false, in demand: (Stillness.Motion) -> ReceiverPlan
    ) -> ReceiverPlan {
        if isPlaceNeeded, isEnabled { start() }
        // A demand for all fixes is often short, and says nothing about the others.
        if needed == .continuous, isEnabled { return needed }
        guard network != nil, isEnabled, needed != .off, demand(.still) != needed else {
            if !isPlaceNeeded || !isEnabled { stop() }
            return needed
        }
        start()
        return stillness.plan(at: now(), demand)
    }

    private func start() {
        guard let network, !isWatching else { return }
        isWatching = true
        network.readsOldScans = false
        network.start()
    }

    /// The emitters that move, which are never evidence of a place.
    package var mobileEmitters: [UInt64] {
        get { stillness.mobileEmitters }
        set { stillness.mobileEmitters = newValue }
    }

    /// Reads the surroundings once, watched or not, and calls `body` after their report. Without one, calls it after
    /// some seconds. If they are not watched, the last scan is reported, however old it is: a connected machine hardly
    /// scans.
    package func read(_ body: @escaping () -> Void) {
        guard let network, isEnabled else { return body() }
        readers.append(body)
        if !isWatching { network.readsOldScans = true }
        network.start()
        network.read(in: .zero)
        readingTimer.set(in: Self.readingTime) { [unowned self] in endReading() }
    }

    private func endReading() {
        readingTimer.cancel()
        let bodies = readers
        readers = []
        if !isWatching { network?.stop() }
        for body in bodies { body() }
    }

    /// The number of networks that show that the machine is still, and the seconds since the last fix at the place and
    /// until the next check. `nil` if the machine is not still.
    package var evidence: (networks: Int, seconds: Double, nextCheck: Double)? {
        let now = now()
        return stillness.evidence.map { ($0.emitters, now - $0.since, max(0, $0.nextCheck - now)) }
    }

    /// The reason why the surroundings do not show whether the machine moves, for users. `nil` if they do, or if
    /// nothing depends on that.
    package var absence: String? {
        guard isEnabled else { return "[surroundings] in locationd.toml says enabled = false" }
        return isWatching ? network?.absence : nil
    }

    /// Stops watching.
    package func stop() {
        guard isWatching else { return }
        isWatching = false
        if readers.isEmpty { network?.stop() }
        stillness.pause()
        onPause?()
        (lastFix, reportedStay) = (nil, nil)
        setTimer()
    }

    /// Handles that other receivers have replaced the machine's, or the reverse: the plan and its clock change.
    package func receiversChanged() {
        stop()
        onChange?()
    }

    /// Handles a fix that counts. Returns whether the plan may have changed.
    package func observe(_ location: Location) -> Bool {
        let now = now()
        let isVague = Stillness.isVague(location)
        let isNext = lastFix.map { now - $0.time >= Self.fixInterval || $0.isVague && !isVague } ?? true
        guard isWatching, isNext else { return false }
        lastFix = (now, isVague)
        let mobile = mobileEmitters
        stillness.observe(location, at: now)
        if mobileEmitters != mobile { onMobileEmitters?(mobileEmitters) }
        reportStay()
        setTimer()
        return true
    }

    /// Handles a sleep of the machine.
    package func woke(after sleep: TimeAmount) {
        guard isWatching else { return }
        onPause?()
        stillness.advance(to: now())
        reportStay()
        stillness.woke(after: Double(sleep.nanoseconds) / 1e9, at: now())
        network?.read(in: Self.readingAfterSleep)
        changed()
    }

    private func receive(_ report: SurroundingsReport) {
        onReport?(report.removing(Set(mobileEmitters)))
        if !readers.isEmpty { endReading() }
        guard isWatching else { return }
        stillness.observe(report, at: now())
        if scans, report.scan == nil, !stillness.isStill { network?.scan() }
        reportStay()
        changed()
    }

    private func changed() {
        onChange?()
        setTimer()
    }

    private func reportStay() {
        guard let stay = stillness.stay, stay != reportedStay else { return }
        reportedStay = stay
        onStay?(stay)
    }

    private func setTimer() {
        let deadline = isWatching ? stillness.deadline(after: now()) : nil
        guard deadline != timerDeadline || !timer.isSet else { return }
        timerDeadline = deadline
        guard let deadline else { return timer.cancel() }
        timer.set(in: .clamping(seconds: max(0, deadline - now()))) { [unowned self] in
            stillness.advance(to: now())
            reportStay()
            changed()
        }
    }
}
