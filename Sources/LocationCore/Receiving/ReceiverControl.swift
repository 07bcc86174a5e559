internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore
package import Positioning
package import Receivers

/// Carries the receivers' plan out: opens and closes them, and picks the fixes that count.
package final class ReceiverControl {
    /// A receiver, and the number that it is known by for as long as it is among the others.
    package struct Member {
        package let id: Int
        package let receiver: Receiver
        /// Its last fix, and when it came.
        package fileprivate(set) var lastFix: ReceivedFix?
    }

    /// The receivers that there are, in the order in which they are preferred: the real ones, or the simulated one in
    /// their place.
    package private(set) var members: [Member] = []
    /// A fix that counts.
    var onFix: ((Fix) -> Void)?
    /// A heading of any receiver.
    var onHeading: ((Heading) -> Void)?
    /// A Boolean value indicating whether any receiver gives fixes: told when that changes while somebody asks.
    var onAvailability: ((Bool) -> Void)?
    /// Told when receivers may have been opened or closed.
    var onCarriedOut: (() -> Void)?
    /// The last fix that counted, and when it came.
    private(set) var lastFix: ReceivedFix?
    /// A Boolean value indicating whether every receiver was tried and none gives fixes.
    private(set) var isUnavailable = false
    /// A Boolean value indicating whether that was told, and the end of it was not.
    private var isLossTold = false
    /// Which receiver's fixes count, by its number, and why.
    package private(set) var choice = ReceiverChoice()

    private let loop: any EventLoop
    private let log: Logger
    private let origin: NIODeadline
    private var real: [Receiver]
    private var nextID = 0
    /// The receiver that gave the last fix that counted.
    private var lastCounted: Int?
    /// A Boolean value indicating whether a simulated receiver is in the place of the real ones.
    private(set) var isSimulating = false
    private var cycle = DutyCycle()
    private var isRunning = false
    /// Those that were lost, or not there, and have given no fix since: that one is tried again does not make it available.
    private var lost: Set<Int> = []
    /// Recordings that are over: they begin anew only when somebody asks anew.
    private var ended: Set<Int> = []
    /// What the log knows of each receiver, so that a rest between two fixes is no news.
    private var logged: [Int: String] = [:]
    private let timer: LoopTimer
    /// When it fires, in the receivers' own time.
    private var deadline: Double?

    init(_ receivers: [Receiver], on loop: any EventLoop, log: Logger) {
        self.loop = loop
        self.log = log
        origin = loop.now
        timer = LoopTimer(on: loop)
        real = receivers
        adopt(receivers)
    }

    /// The receivers that there are.
    package var receivers: [Receiver] { members.map(\.receiver) }

    /// How hard the receivers work.
    package var plan: ReceiverPlan { cycle.plan }

    /// A Boolean value indicating whether they are closed until the next fix is due.
    package var isResting: Bool { plan != .off && !isRunning }

    /// A Boolean value indicating whether nobody asks, and all are closed.
    var isClosed: Bool { plan == .off && !isRunning }

    /// A Boolean value indicating whether any of them has told a heading.
    var hasCompass: Bool { members.contains(where: \.receiver.hasCompass) }

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

    /// Puts other receivers in the place of the real ones. Those that stay go on undisturbed, those that come are opened if
    /// the others are.
    func replace(with receivers: [Receiver]) {
        let isSame = receivers.count == real.count && zip(receivers, real).allSatisfy { $0 === $1 }
        let speed = timeScale
        real = receivers
        guard !isSimulating, !isSame else { return }
        // All that is planned counts in the receivers' own time.
        guard Self.timeScale(of: receivers) == speed else { return exchange(receivers) }
        let before = Set(members.map(\.id))
        adopt(receivers)
        for member in members where !before.contains(member.id) {
            member.receiver.setInterval(seconds: interval)
            if isRunning { member.receiver.start() }
        }
        // One that has come may yet give fixes: only its own can end that there are none.
        if isRunning, areAllLost { setUnavailable(true) }
    }

    /// Puts a simulated receiver in the place of all others or, with `nil`, ends that.
    package func simulate(_ receiver: Receiver?) {
        isSimulating = receiver != nil
        exchange(receiver.map { [$0] } ?? real)
    }

    /// The machine slept. What was known is older by that than the loop's clock says, which stood still; and what is
    /// open is opened anew: a device may have been reset, and a port that was lost that way tells nothing.
    func woke(after sleep: TimeAmount) {
        lastFix = lastFix.map { $0.slept(for: sleep) }
        for index in members.indices { members[index].lastFix = members[index].lastFix?.slept(for: sleep) }
        guard plan != .off else {
            stop()
            onCarriedOut?()
            return
        }
        let plan = cycle.plan
        timer.cancel()
        cycle = DutyCycle()
        choice = ReceiverChoice()
        close()
        follow(plan)
    }

    /// Closes every receiver.
    func stop() {
        timer.cancel()
        cycle = DutyCycle()
        close()
        forgetAvailability()
    }

    private func exchange(_ receivers: [Receiver]) {
        let plan = cycle.plan
        stop()
        // The place of a simulation is not where the machine is.
        lastFix = nil
        choice = ReceiverChoice()
        adopt([])
        adopt(receivers)
        follow(plan)
    }

    /// Has these for members. What is known of others is forgotten, and they are closed.
    private func adopt(_ receivers: [Receiver]) {
        let before = members
        members = receivers.map { receiver in
            before.first { $0.receiver === receiver } ?? makeMember(receiver)
        }
        timeScale = Self.timeScale(of: receivers)
        let stay = Set(members.map(\.id))
        for member in before where !stay.contains(member.id) {
            member.receiver.onEvent = nil
            member.receiver.stop()
            choice.lose(member.id)
            logged[member.id] = nil
            lost.remove(member.id)
            ended.remove(member.id)
            // It may have been a recording of another place.
            if lastCounted == member.id { lastFix = nil }
        }
    }

    private func makeMember(_ receiver: Receiver) -> Member {
        defer { nextID += 1 }
        let id = nextID
        receiver.onEvent = { [unowned self] event in handle(event, of: id) }
        return Member(id: id, receiver: receiver)
    }

    // MARK: Opening and closing

    /// Seconds of the receivers' own time: a recording that is played ten times as fast is planned ten times as fast.
    private var now: Double { seconds(at: loop.now) }

    private func seconds(at moment: NIODeadline) -> Double { Double((moment - origin).nanoseconds) / 1e9 * timeScale }

    /// How many seconds of the receivers' own time pass in a second of the machine's.
    private(set) var timeScale = 1.0

    private static func timeScale(of receivers: [Receiver]) -> Double { receivers.map(\.timeScale).max() ?? 1 }

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
        lost = ended
        for member in members where !ended.contains(member.id) { member.receiver.start() }
        if members.isEmpty { setUnavailable(true) }
    }

    private func close() {
        isRunning = false
        for member in members { member.receiver.stop() }
    }

    /// Nobody asks any more: who asks next is told anew.
    private func forgetAvailability() {
        isUnavailable = false
        ended = []
        logged = [:]
    }

    /// Seconds between the fixes that are wanted; `nil` where all are, or none.
    private var interval: Double? {
        if case .every(let seconds, _) = cycle.plan { seconds } else { nil }
    }

    private func setInterval() {
        for member in members { member.receiver.setInterval(seconds: interval) }
    }

    private func setTimer() {
        guard let deadline = cycle.deadline else { return timer.cancel() }
        if timer.isSet, self.deadline == deadline { return }
        self.deadline = deadline
        timer.set(in: .clamping(seconds: max(0, deadline - now) / timeScale)) {
            self.cycle.advance(to: self.now)
            self.carryOut()
        }
    }

    // MARK: What they tell

    private func handle(_ event: ReceiverEvent, of id: Int) {
        switch event {
        case .found:
            note("fixes come", of: id, level: .info)
            lost.remove(id)
            setUnavailable(false)
        case .fix(let fix): take(fix, of: id)
        case .heading(let heading): onHeading?(heading)
        case .lost(let failure):
            note(failure.message, of: id, level: .warning)
            choice.lose(id)
            if failure.reason == .ended { ended.insert(id) }
            lost.insert(id)
            if areAllLost { setUnavailable(true) }
        }
    }

    private func take(_ fix: Fix, of id: Int) {
        let received = ReceivedFix(fix, at: loop.now)
        let now = seconds(at: received.receivedAt)
        // Delivered first: subscribers would wait for the remembering.
        defer { remember(received, of: id) }
        guard choice.accepts(fix.location, of: id, at: now),
            cycle.take(accuracy: fix.location.horizontalAccuracy, at: now)
        else { return }
        onFix?(fix)
        lastFix = received
        lastCounted = id
        if cycle.plan != .continuous { carryOut() }
    }

    private func remember(_ fix: ReceivedFix, of id: Int) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        members[index].lastFix = fix
    }

    private func note(_ message: String, of id: Int, level: Logger.Level) {
        guard logged[id] != message else { return }
        logged[id] = message
        log.log(level: level, "\(message)", metadata: ["RECEIVER": "\(name(of: id))"])
    }

    private func name(of id: Int) -> String { members.first { $0.id == id }?.receiver.name ?? "" }

    private var areAllLost: Bool { members.allSatisfy { lost.contains($0.id) } }

    private func setUnavailable(_ unavailable: Bool) {
        // A loss that was told is made up for, though it was forgotten here meanwhile.
        guard unavailable != isUnavailable || (!unavailable && isLossTold) else { return }
        isUnavailable = unavailable
        isLossTold = unavailable
        onAvailability?(!unavailable)
    }
}
