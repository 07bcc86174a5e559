internal import Devices
internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore
package import Positioning
package import Receivers
internal import TimeTransfer

/// Publishes what the receivers report.
protocol ReceiverControlDelegate: AnyObject {
    /// Publishes a fix that counts, and the report on its epoch, if any is wanted.
    func publish(_ fix: Fix, _ report: ReceiverReport?)
    /// Publishes the report of a receiver that has no fix, while reports are wanted and no receiver has one.
    func publish(_ report: ReceiverReport)
    /// Publishes a heading of any receiver.
    func publish(_ heading: Heading)
    /// Publishes that receivers have become available or unavailable while there is a demand for that accuracy;
    /// `true` if one produces fixes.
    func publish(availability isAvailable: Bool, to accuracy: AccuracyAuthorization)
}

/// Carries out the receivers' plan: opens and closes the receivers, and selects the fixes that count.
package final class ReceiverControl {
    /// A receiver, and the number that identifies it while it is a member.
    package struct Member {
        package let id: Int
        package let receiver: Receiver
        /// The last fix of the receiver, or `nil` if there was none.
        package fileprivate(set) var lastFix: ReceivedFix?
        /// The reason for its last loss, or `nil` if it has produced a fix since.
        package fileprivate(set) var failure: ReceiverFailure?
        /// The fixes that everybody who manages may know of: all but those while ``revealsRegions``.
        package fileprivate(set) var shownToAll: (count: Int, last: ReceivedFix?) = (0, nil)
    }

    /// The present receivers in order of preference: the real ones, or the simulated one in their place.
    package private(set) var members: [Member] = []
    /// Publishes what the receivers report.
    var delegate: (any ReceiverControlDelegate)?
    /// Called with the arrival of each epoch whose fix counted, and its receiver; `nil` if the arrival is not known.
    var onArrival: ((EpochArrival?, Member) -> Void)?
    /// The last fix that counted, or `nil` if there was none.
    private(set) var lastFix: ReceivedFix?
    /// A Boolean value indicating whether every receiver was tried and none produces fixes.
    private(set) var isUnavailable = false
    /// A Boolean value indicating whether a loss was reported, and its end was not.
    private var isLossReported = false
    /// The receiver whose fixes count, by its number, and the reason.
    package private(set) var choice = ReceiverChoice()

    private let loop: any EventLoop
    private let log: Logger
    private let origin: NIODeadline
    private var real: [Receiver]
    private var nextID = 0
    /// The receiver of the last fix that counted.
    private var lastCounted: Int?
    /// A Boolean value indicating whether a simulated receiver is in the place of the real ones.
    private(set) var isSimulating = false
    private var cycle = DutyCycle()
    private var isRunning = false
    /// Receivers that are lost or absent and have not produced a fix since. Retrying does not make one available.
    private var lost: Set<Int> = []
    /// The recordings that are over. They begin again only if there is a new demand after a time without any.
    private var ended: Set<Int> = []
    /// The last message in the log about each receiver, so that a pause between two fixes is not logged.
    private var logged: [Int: String] = [:]
    /// The conditions of each receiver that are in the log.
    private var loggedConditions: [Int: Set<ReceiverCondition>] = [:]
    private let timer: LoopTimer
    /// The time at which the timer fires, in the receivers' own time.
    private var deadline: Double?
    private var isStopped = false
    /// A Boolean value indicating whether the times at which receivers are open and produce fixes may depend on the
    /// distance to a monitored region.
    package var revealsRegions = false
    /// What is wanted of the receivers besides fixes and headings.
    private var reportContents: ReceiverReport.Contents = []
    let changes: Changes

    init(_ receivers: [Receiver], on loop: any EventLoop, changes: Changes = Changes(), log: Logger) {
        self.changes = changes
        self.loop = loop
        self.log = log
        origin = loop.now
        timer = LoopTimer(on: loop)
        real = receivers
        adopt(receivers)
    }

    /// The present receivers.
    package var receivers: [Receiver] { members.map(\.receiver) }

    /// The plan that is in effect.
    package var plan: ReceiverPlan { cycle.plan }

    /// A Boolean value indicating whether the receivers are closed until the next fix is due.
    package var isPortClosedBetweenFixes: Bool { plan != .off && !isRunning }

    /// A Boolean value indicating whether there is no demand, and all receivers are closed.
    var isClosed: Bool { plan == .off && !isRunning }

    /// A Boolean value indicating whether any receiver has a compass, or `nil` if that is not known of each. Without
    /// any receiver there is none.
    var hasCompass: Bool? {
        if members.contains(where: { $0.receiver.hasCompass == true }) { return true }
        return members.allSatisfy { $0.receiver.hasCompass == false } ? false : nil
    }

    /// The time since the last fix that counted, in seconds of the receivers' own time, or `nil` if there was none.
    var ageOfLastFix: Double? {
        lastFix.map { Double($0.age(at: loop.now).nanoseconds) / 1e9 * timeScale }
    }

    /// A Boolean value indicating whether a recording is among the receivers. The time is then that of the recording.
    private(set) var playsRecording = false

    /// Returns the time of `clock` or, while a recording is played, the recording's: that of the last fix plus the time
    /// since. Before its first fix, returns the time of `clock` at the speed of the recording.
    func time(by clock: () -> Timestamp) -> Timestamp {
        guard playsRecording else { return clock() }
        guard let lastFix, let age = ageOfLastFix else {
            return Timestamp(
                millisecondsSince1970: clock().millisecondsSince1970 + Int64((now - now / timeScale) * 1000))
        }
        let moment = lastFix.fix.location.timestamp.millisecondsSince1970
        return Timestamp(millisecondsSince1970: moment + Int64(age * 1000))
    }

    /// Sets the plan that the receivers follow.
    func follow(_ plan: ReceiverPlan) {
        guard plan != cycle.plan, !isStopped else { return }
        cycle.follow(plan, at: now)
        setInterval()
        carryOut()
    }

    /// Replaces the real receivers. Those that stay are not interrupted. New ones are opened if the others are open.
    func replace(with receivers: [Receiver]) {
        let isSame = receivers.count == real.count && zip(receivers, real).allSatisfy { $0 === $1 }
        let speed = timeScale
        real = receivers
        guard !isSimulating, !isSame else { return }
        // The plan counts in the receivers' own time, so another speed requires a new start.
        guard Self.timeScale(of: receivers) == speed else { return exchange(receivers) }
        let before = Set(members.map(\.id))
        adopt(receivers)
        for member in members where !before.contains(member.id) {
            member.receiver.setInterval(seconds: interval)
            if isRunning { member.receiver.start() }
        }
        // A new receiver may produce fixes yet. Only a fix of its own ends the unavailability.
        if isRunning, areAllLost { setUnavailable(true) }
    }

    /// Puts a simulated receiver in the place of all others or, if `receiver` is `nil`, ends that.
    package func simulate(_ receiver: Receiver?) {
        isSimulating = receiver != nil
        exchange(receiver.map { [$0] } ?? real)
    }

    /// Handles a sleep of the machine. Fixes are older by that time than the loop's clock says, which stood still.
    /// Open receivers are opened again: a device may have been reset, and a port that was lost that way is silent.
    func woke(after sleep: TimeAmount) {
        lastFix = lastFix.map { $0.slept(for: sleep) }
        for index in members.indices {
            members[index].lastFix = members[index].lastFix?.slept(for: sleep)
            members[index].shownToAll.last = members[index].shownToAll.last?.slept(for: sleep)
        }
        guard plan != .off else {
            reset()
            changes.report(.activity)
            return
        }
        let plan = cycle.plan
        timer.cancel()
        cycle = DutyCycle()
        choice = ReceiverChoice()
        close()
        follow(plan)
    }

    /// Closes every receiver for good. The connections that end after that, one by one, open none again.
    func stop() {
        isStopped = true
        reset()
    }

    private func reset() {
        timer.cancel()
        cycle = DutyCycle()
        close()
        forgetAvailability()
    }

    private func exchange(_ receivers: [Receiver]) {
        let plan = cycle.plan
        reset()
        // A simulated position is not the machine's position.
        lastFix = nil
        choice = ReceiverChoice()
        adopt([])
        adopt(receivers)
        follow(plan)
    }

    /// Makes these receivers the members. Others are closed, and what is known of them is forgotten.
    private func adopt(_ receivers: [Receiver]) {
        let before = members
        members = receivers.map { receiver in
            before.first { $0.receiver === receiver } ?? makeMember(receiver)
        }
        timeScale = Self.timeScale(of: receivers)
        playsRecording = receivers.contains { $0.isRecording }
        let stay = Set(members.map(\.id))
        for member in before where !stay.contains(member.id) {
            member.receiver.onEvent = nil
            member.receiver.stop()
            choice.lose(member.id)
            logged[member.id] = nil
            loggedConditions[member.id] = nil
            lost.remove(member.id)
            ended.remove(member.id)
            // The receiver may have been a recording of another place.
            if lastCounted == member.id { lastFix = nil }
        }
        if members.map(\.id) != before.map(\.id) { changes.report(.receivers) }
    }

    private func makeMember(_ receiver: Receiver) -> Member {
        defer { nextID += 1 }
        let id = nextID
        receiver.onEvent = { [unowned self] event in handle(event, of: id) }
        receiver.setReportContents(reportContents)
        return Member(id: id, receiver: receiver)
    }

    // MARK: Opening and closing

    /// The seconds of the receivers' own time: a recording played ten times as fast is planned ten times as fast.
    private var now: Double { seconds(at: loop.now) }

    /// Returns the seconds of the receivers' own time from the start to that moment.
    func seconds(at moment: NIODeadline) -> Double { Double((moment - origin).nanoseconds) / 1e9 * timeScale }

    /// The seconds of the receivers' own time that pass in a second of the machine's.
    private(set) var timeScale = 1.0

    private static func timeScale(of receivers: [Receiver]) -> Double { receivers.map(\.timeScale).max() ?? 1 }

    private func carryOut() {
        if cycle.isOpen, !isRunning { open() }
        if !cycle.isOpen, isRunning { close() }
        if cycle.plan == .off, !isRunning { forgetAvailability() }
        setTimer()
        changes.report(.activity)
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
        changes.report(.receivers)
    }

    /// Forgets the availability when there is no demand any more. A new demand gets new reports.
    private func forgetAvailability() {
        isUnavailable = false
        ended = []
        logged = [:]
        loggedConditions = [:]
    }

    /// The seconds between the fixes that are needed, or `nil` if all or none of them are.
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

    // MARK: Events of receivers

    private func handle(_ event: ReceiverEvent, of id: Int) {
        switch event {
        case .found:
            note("fixes come", of: id, level: .info)
            lost.remove(id)
            setFailure(nil, of: id)
            changes.report(.receivers)
            setUnavailable(false)
        case .fix(let fix): handle(fix, of: id)
        case .arrival(let arrival): handle(arrival, of: id)
        case .heading(let heading): delegate?.publish(heading)
        case .noFix: reportNoFix(of: id)
        case .condition(let diagnosis): note(diagnosis, of: id)
        case .lost(let failure):
            note(failure.message, of: id, level: .warning)
            choice.lose(id)
            if failure.reason == .ended { ended.insert(id) }
            lost.insert(id)
            setFailure(failure, of: id)
            changes.report(.receivers)
            if areAllLost { setUnavailable(true) }
        }
    }

    private func handle(_ fix: Fix, of id: Int) {
        let received = ReceivedFix(fix, at: loop.now)
        let now = seconds(at: received.receivedAt)
        // The fix is delivered first: subscribers should not wait for this.
        defer { remember(received, of: id) }
        guard choice.accepts(fix.location, of: id, at: now),
            cycle.admit(accuracy: isOnlyForNow(fix) ? .infinity : fix.location.horizontalAccuracy, at: now)
        else { return dropReport(of: id) }
        delegate?.publish(fix, reportContents.isEmpty ? nil : report(on: fix, of: id))
        lastFix = received
        lastCounted = id
        if cycle.plan != .continuous { carryOut() }
    }

    private func handle(_ arrival: EpochArrival?, of id: Int) {
        guard let onArrival, id == lastCounted, id == choice.current,
            let member = members.first(where: { $0.id == id })
        else { return }
        onArrival(arrival, member)
    }

    /// Returns whether the fix is that of a fixed place, and a receiver may still find a better one. Otherwise the place
    /// would end each search at once, and no receiver would ever have the time for its first fix.
    private func isOnlyForNow(_ fix: Fix) -> Bool {
        fix.location.quality == .fixed
            && members.contains { !$0.receiver.specification.isFixedPlace && !lost.contains($0.id) }
    }

    // MARK: Reports

    /// Sets what is wanted of the receivers besides fixes and headings.
    func setReportContents(_ contents: ReceiverReport.Contents) {
        guard contents != reportContents else { return }
        reportContents = contents
        for member in members { member.receiver.setReportContents(contents) }
    }

    private func report(on fix: Fix?, of id: Int) -> ReceiverReport? {
        members.first { $0.id == id }.map { ReceiverReport(fix, of: $0.receiver, contents: reportContents) }
    }

    /// Reports that a receiver has no fix, unless the fixes of another one count.
    private func reportNoFix(of id: Int) {
        guard id == choice.current || choice.current == nil, let report = report(on: nil, of: id) else {
            return dropReport(of: id)
        }
        delegate?.publish(report)
    }

    /// Drops the sentences of an epoch that does not count, so that a later report does not have them.
    private func dropReport(of id: Int) {
        guard reportContents.contains(.sentences) else { return }
        _ = members.first { $0.id == id }?.receiver.removeSentences()
    }

    private func remember(_ fix: ReceivedFix, of id: Int) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        members[index].lastFix = fix
        if !revealsRegions { members[index].shownToAll = (members[index].shownToAll.count + 1, fix) }
    }

    private func setFailure(_ failure: ReceiverFailure?, of id: Int) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        members[index].failure = failure
    }

    private func note(_ message: String, of id: Int, level: Logger.Level) {
        guard logged[id] != message else { return }
        logged[id] = message
        log.log(level: level, "\(message)", metadata: ["RECEIVER": "\(name(of: id))"])
    }

    /// Writes why a receiver has a fix or none to the log: each condition once while there is a demand, however often a
    /// receiver at the edge of a roof changes between them.
    private func note(_ diagnosis: ReceiverDiagnosis, of id: Int) {
        if let datum = diagnosis.datum {
            let message =
                "its coordinates are on the datum \(datum), not on WGS 84: the accuracy includes how far they are off"
            note(message, of: id, level: .warning)
        }
        guard let condition = diagnosis.condition, loggedConditions[id, default: []].insert(condition).inserted,
            let (level, message) = diagnosis.logEntry
        else { return }
        log.log(
            level: level, "\(message)",
            metadata: ["RECEIVER": "\(name(of: id))", "CONDITION": "\(condition.rawValue)"])
    }

    private func name(of id: Int) -> String { members.first { $0.id == id }?.receiver.name ?? "" }

    private var areAllLost: Bool { members.allSatisfy { lost.contains($0.id) } }

    private func setUnavailable(_ unavailable: Bool) {
        // The end of a reported loss is reported, even if the loss was forgotten here meanwhile.
        guard unavailable != isUnavailable || (!unavailable && isLossReported) else { return }
        isUnavailable = unavailable
        isLossReported = unavailable
        delegate?.publish(availability: !unavailable, to: .full)
    }
}
