internal import EventLoopSupport
internal import LocationModel
internal import Logging
package import NIOCore
internal import Positioning
internal import Receivers
internal import Surroundings

/// The error if nothing says where the machine is.
package struct SurroundingsUnknown: Error {}

/// Remembers places by the surroundings of the machine, and gives the place where no receiver has a fix.
///
/// A place is a location of the quality `remembered`. It reaches apps as a fix does, through the gate, the reducer and
/// their rules, but nothing else: see ``PlaceMemory``. Confined to the event loop.
///
/// Attack: the networks of a place are imitated elsewhere. A machine whose receiver was closed has no fix yet, so the
/// place would be the answer to each request and the end of each search, and the receiver would be closed before its
/// fix contradicts the place. So streams get the place at once, besides their fixes, but it ends no request, no
/// search and no stream before the receivers have searched for a while: see ``isSearchOver``.
package final class RememberedPlaces {
    /// The age of the last fix, in seconds, from which on there is none. If fixes are requested at a long interval, it
    /// is twice the interval.
    static let fixSeconds = 30.0
    /// The least time between two fixes that places are learnt from, and between two searches for the place while a
    /// receiver finds no fix.
    static let interval = TimeAmount.seconds(10)

    /// Publishes the place.
    var onPlace: ((Location) -> Void)?
    /// A Boolean value indicating whether places are remembered, be there any or not.
    ///
    /// Attack: a user without a grant asks where there is no receiver, or watches an idle daemon end, and learns if the
    /// machine was at a place with another user. So only this decides whether programs wait, and the daemon too.
    package private(set) var isEnabled = false

    private let surroundings: Surroundings
    private let receivers: ReceiverControl
    private let retention: RetentionTime
    private let files: PlaceFiles
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    /// The places, or `nil` if none are remembered, or before they are read.
    private var memory: PlaceMemory?
    private var lastObserved: NIODeadline?
    private var lastSearch: NIODeadline?
    private let timer: LoopTimer
    /// The last fix of the machine's receivers, which outlasts the receivers, and the time of its arrival by a clock
    /// that runs while the machine sleeps.
    private var lastMeasured: (location: Location, receivedAt: NIODeadline)?
    private let fixTimer: LoopTimer
    /// The day when old places were forgotten last.
    private var expiredOn: Int?
    /// The numbers of the present places and emitters. They change when these are replaced.
    ///
    /// Attack: a user forgets all places while the file is being read, and what is read brings them back.
    private var placesGeneration = 0
    private var emittersGeneration = 0

    /// - Parameters:
    ///   - folder: The folder of the daemon's state.
    ///   - secret: The machine's secret, or `nil` to keep nothing on the disk.
    init(
        _ surroundings: Surroundings, receivers: ReceiverControl, retention: RetentionTime, in folder: String,
        secret: [UInt8]?, on loop: any EventLoop, clock: @escaping () -> Timestamp, log: Logger
    ) {
        (self.surroundings, self.receivers, self.retention) = (surroundings, receivers, retention)
        (self.loop, self.clock) = (loop, clock)
        files = PlaceFiles(
            in: folder, secret: secret, maximumLength: PlaceMemory.maximumLength, on: loop, log: log)
        timer = LoopTimer(on: loop)
        fixTimer = LoopTimer(on: loop)
        surroundings.onReport = { [unowned self] in receive($0) }
        surroundings.onPause = { [unowned self] in memory?.pause() }
        surroundings.onMobileEmitters = { [unowned self] in emittersMove($0) }
    }

    /// Reads the emitters that are known to move, and the places if they are to be remembered.
    func start(isEnabled: Bool) {
        let generation = emittersGeneration
        files.load(.mobileEmitters) { bytes in
            guard generation == self.emittersGeneration, let stored = bytes.flatMap(EmitterList.init(bytes:))?.ids
            else { return }
            let found = Set(self.surroundings.mobileEmitters)
            self.surroundings.mobileEmitters = stored.filter { !found.contains($0) } + self.surroundings.mobileEmitters
        }
        use(isEnabled)
        if !isEnabled { _ = files.erase(.places) }
    }

    /// Sets whether places are remembered. If not, they are erased.
    func use(_ isEnabled: Bool) {
        guard isEnabled != self.isEnabled else { return }
        self.isEnabled = isEnabled
        memory = nil
        placesGeneration += 1
        guard isEnabled else {
            lastMeasured = nil
            _ = files.erase(.places)
            return
        }
        let generation = placesGeneration
        files.load(.places) { bytes in
            guard generation == self.placesGeneration else { return }
            self.memory = bytes.flatMap(PlaceMemory.init(bytes:)) ?? PlaceMemory()
            self.expire()
            self.memory?.forget(Set(self.surroundings.mobileEmitters))
            _ = self.save()
        }
    }

    /// Succeeds once everything is on the disk.
    func stop() -> EventLoopFuture<Void> {
        timer.cancel()
        fixTimer.cancel()
        return files.flush()
    }

    private var now: Double { Double(loop.now.uptimeNanoseconds) / 1e9 }

    private var day: Int { Int(retention.now.millisecondsSince1970 / 86_400_000) }

    private func save() -> EventLoopFuture<Void> {
        guard let bytes = memory?.takeChanges() else { return loop.makeSucceededVoidFuture() }
        return files.write(bytes, as: .places)
    }

    // MARK: The last fix

    /// Keeps a fix that counts, if it is of the machine's receivers.
    ///
    /// Attack: after a fix elsewhere, the receiver is unplugged, or the idle daemon ends, and imitated networks name a
    /// place. So the fix outlasts its receiver, and the daemon waits, for as long as no other place may be given.
    func keep(_ location: Location, receivedAt: NIODeadline) {
        guard isEnabled, receivers.measures else { return }
        lastMeasured = (location, receivedAt)
        if !fixTimer.isSet { waitForEndOfFix() }
    }

    private func waitForEndOfFix() {
        let rest = PlaceMemory.disagreementSeconds - (ageOfLastMeasured ?? .infinity)
        guard rest > 0 else { return receivers.changes.report(.activity) }
        fixTimer.set(in: .clamping(seconds: rest + 1)) { [unowned self] in waitForEndOfFix() }
    }

    private var ageOfLastMeasured: Double? {
        lastMeasured.map { Double((receivers.time.steady(loop.now) - $0.receivedAt).nanoseconds) / 1e9 }
    }

    /// A Boolean value indicating whether the last fix still decides which places may be given, if there are any.
    var keepsFix: Bool { ageOfLastMeasured.map { $0 < PlaceMemory.disagreementSeconds } ?? false }

    // MARK: Learning

    /// Learns from a fix of the machine's receivers that counts.
    func observe(_ location: Location) {
        guard memory != nil, surroundings.isWatching else { return }
        let isDue = lastObserved.map { loop.now - $0 >= Self.interval } ?? true
        guard isDue || location.doubts != nil else { return }
        lastObserved = loop.now
        memory?.observe(location, at: now, day: day)
        _ = save()
    }

    private func receive(_ report: SurroundingsReport) {
        guard memory != nil else { return }
        if expiredOn != day {
            expire()
            _ = save()
        }
        memory?.observe(report, at: now)
        if surroundings.isWatching { publish() }
    }

    private func expire() {
        expiredOn = day
        memory?.expire(on: day)
    }

    private func emittersMove(_ emitters: [UInt64]) {
        memory?.forget(Set(emitters))
        _ = save()
        _ = files.write(EmitterList(ids: emitters).bytes, as: .mobileEmitters)
    }

    // MARK: Giving

    /// A Boolean value indicating whether a receiver has a fix, by the interval of the receivers' plan.
    private var hasFix: Bool {
        guard let age = receivers.ageOfLastFix else { return false }
        guard case .every(let seconds, _) = receivers.plan else { return age < Self.fixSeconds }
        return age < max(Self.fixSeconds, 2 * seconds)
    }

    /// A Boolean value indicating whether the receivers have searched for a fix for as long as a warm start takes, or
    /// none is available. Only then does the place answer a request, or count as an update of a stream.
    var isSearchOver: Bool { receivers.isUnavailable || receivers.searchSeconds >= DutyCycle.warmSearch }

    /// Returns the place of the machine now, or `nil` if it is not known, or a receiver has a fix.
    func find() -> Location? {
        guard memory != nil, receivers.measures, !hasFix else { return nil }
        let last = lastMeasured.flatMap { last in ageOfLastMeasured.map { (location: last.location, age: $0) } }
        defer { _ = save() }
        return memory?.location(at: now, timestamp: clock(), day: day, after: last)
    }

    /// Handles that a receiver searches in vain: publishes the place, at most once in ten seconds.
    func receiverFoundNoFix() {
        guard memory != nil, lastSearch.map({ loop.now - $0 >= Self.interval }) ?? true else { return }
        publish()
    }

    /// Handles that no receiver is available: publishes the place once the last fix is too old.
    func receiversWereLost() {
        guard memory != nil else { return }
        timer.set(in: .clamping(seconds: Self.fixSeconds)) { [unowned self] in publish() }
    }

    private func publish() {
        lastSearch = loop.now
        if let location = find() { onPlace?(location) }
    }

    // MARK: For administrators

    /// The number of places, and the day when one was used last, counted from 1970. `nil` if places are not remembered.
    package var summary: (count: Int, lastUse: Int?)? { memory.map { ($0.count, $0.lastUse) } }

    /// Forgets all places, and the emitters that move. Succeeds once they are off the disk.
    package func clear() -> EventLoopFuture<Void> {
        placesGeneration += 1
        emittersGeneration += 1
        if isEnabled { memory = PlaceMemory() }
        surroundings.mobileEmitters = []
        return files.erase()
    }

    /// Reads the surroundings, and forgets the places that the machine may be at. Succeeds with their number once they
    /// are off the disk. A fix says where the machine is for ten minutes.
    ///
    /// Attack: the networks cannot be read, and a user believes that the machine has forgotten the place. So this fails
    /// with ``SurroundingsUnknown``.
    package func clearHere() -> EventLoopFuture<Int> {
        let promise = loop.makePromise(of: Int.self)
        surroundings.read { [self] in
            let isRecent = ageOfLastMeasured.map { $0 < PlaceMemory.disagreementSeconds } ?? false
            let fix = isRecent ? lastMeasured?.location : nil
            guard fix != nil || memory?.hearsEmitters != false else {
                return promise.fail(SurroundingsUnknown())
            }
            let count = memory?.clearHere(near: fix) ?? 0
            if !surroundings.isWatching { memory?.pause() }
            promise.completeWith(save().map { count })
        }
        return promise.futureResult
    }
}
