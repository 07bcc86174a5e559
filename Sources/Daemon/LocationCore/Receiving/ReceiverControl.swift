internal import EventLoopSupport
package import LocationModel
internal import Logging
package import NIOCore
internal import Positioning
internal import ReceiverSettings
package import Receivers
package import TimeTransfer

/// Carries out the selection of receivers: opens and closes them, and publishes the fixes and reports that count.
package final class ReceiverControl {
    /// A fix that is remembered, and the time of its arrival by a clock that runs while the machine sleeps.
    package typealias LastFix = (fix: Fix, receivedAt: NIODeadline)

    /// The present receivers in order of preference: the real ones, or the simulated one in their place.
    package var members: [Member] { _members }
    private var _members: [Member] = []
    /// Publishes the receivers' reports.
    var delegate: (any ReceiverControlDelegate)?
    /// Called with the arrival of each epoch whose fix counted, and its receiver; `nil` if the arrival is not known.
    var onArrival: ((EpochArrival?, Member) -> Void)?
    /// The last fix that counted, or `nil` if there was none.
    private(set) var lastFix: LastFix?
    /// Returns the last location of apps with reduced accuracy, which outlasts restarts.
    var lastCell: () -> Location? = { nil }
    /// The demand of the apps on the receivers' settings.
    private(set) var appDemand = ReceiverDemand()
    /// The time of the receivers.
    private(set) var time: ReceiverTime
    /// A Boolean value indicating whether a simulated receiver is in the place of the real ones.
    private(set) var isSimulating = false
    /// A Boolean value indicating whether the times when receivers are open and produce fixes may depend on the
    /// distance to a monitored region.
    package internal(set) var revealsRegions: Bool {
        get { _revealsRegions }
        set { _revealsRegions = newValue }
    }
    private var _revealsRegions = false
    /// Knows whether the machine's clock is right. Without it, no fix is compared with that clock.
    package weak var synchronization: (any ClockSynchronization)?
    let changes: Changes

    let loop: any EventLoop
    let clock: () -> Timestamp
    var monitor = IntegrityMonitor()
    var log: ReceiverLog
    private(set) var selection = ReceiverSelection()
    /// The time when receivers were opened last, in the receivers' own time, or `nil` while they are closed.
    private(set) var openedAt: Double?
    private var real: [Receiver]
    private var nextID = 0
    private let timer: LoopTimer
    /// The time when the timer fires, in the receivers' own time.
    private var deadline: Double?
    /// The report contents requested from the receivers, besides fixes and headings.
    private var reportContents: ReceiverReportContents = []

    init(
        _ receivers: [Receiver], on loop: any EventLoop, clock: @escaping () -> Timestamp,
        changes: Changes = Changes(), log: Logger
    ) {
        self.changes = changes
        self.loop = loop
        self.clock = clock
        self.log = ReceiverLog(log)
        time = ReceiverTime(from: loop.now)
        timer = LoopTimer(on: loop)
        real = receivers
        setMembers(receivers)
        _ = selection.replace(with: members.map(\.candidate))
    }

    /// The time in seconds of the clock that the receivers are planned by.
    var now: Double { time.seconds(at: loop.now) }

    // MARK: Demand

    /// Sets the plan that the receivers follow, the other demand of the apps, and the contents of the receivers'
    /// reports besides fixes and headings.
    func follow(
        _ plan: ReceiverPlan, _ appDemand: ReceiverDemand = ReceiverDemand(),
        reporting contents: ReceiverReportContents = []
    ) {
        if (appDemand, contents) != (self.appDemand, reportContents) {
            (self.appDemand, reportContents) = (appDemand, contents)
            setDemand()
        }
        let actions = selection.follow(plan, at: now)
        if !actions.isEmpty { carryOut(actions) }
    }

    /// Handles a sleep of the machine.
    func woke(after sleep: TimeAmount) {
        time = time.slept(for: sleep)
        carryOut(selection.woke(at: now))
    }

    /// Closes every receiver. Connections that end afterwards, one by one, open no other receiver.
    func stop() {
        for member in members { member.receiver.stop(isPermanent: true) }
        perform(selection.stop())
        setTimer()
    }

    private func carryOut(_ actions: [ReceiverSelection.Action]) {
        perform(actions)
        setTimer()
        changes.report(.activity)
    }

    private func perform(_ actions: [ReceiverSelection.Action]) {
        for action in actions {
            switch action {
            case .setInterval: setDemand()
            case .open(let ids):
                openedAt = now
                for member in members where selection.isOpen && ids.contains(member.id) { member.receiver.start() }
            case .close:
                openedAt = nil
                for member in members { member.receiver.stop() }
                changes.report(.receivers)
            case .report(let isAvailable): delegate?.publish(availability: isAvailable, to: .full)
            case .forgetMessages: log.forget()
            }
        }
    }

    private func setDemand() { for member in members { member.receiver.setDemand(demand, reporting: reportContents) } }

    private func setTimer() {
        guard let deadline = selection.deadline else { return timer.cancel() }
        if timer.isSet, self.deadline == deadline { return }
        self.deadline = deadline
        timer.set(in: time.amount(seconds: max(0, deadline - now))) { [self] in carryOut(selection.advance(to: now)) }
    }

    // MARK: Receivers

    /// Replaces the real receivers. Unchanged ones are not interrupted. New ones are opened if the others are open.
    func replace(with receivers: [Receiver]) {
        let isSame = receivers.elementsEqual(real, by: ===)
        real = receivers
        guard !isSimulating, !isSame else { return }
        // The plan counts in the receivers' own time, so another speed requires a new start.
        guard ReceiverTime.scale(of: receivers) == time.scale else { return exchange(receivers) }
        setMembers(receivers)
        perform(selection.replace(with: members.map(\.candidate)))
    }

    /// Replaces all receivers with a simulated one or, if `receiver` is `nil`, ends that.
    package func simulate(_ receiver: Receiver?) {
        isSimulating = receiver != nil
        exchange(receiver.map { [$0] } ?? real)
    }

    private func exchange(_ receivers: [Receiver]) {
        setMembers([])
        // A simulated position is not the machine's position.
        lastFix = nil
        setMembers(receivers)
        carryOut(selection.exchange(for: members.map(\.candidate), at: now))
    }

    /// Makes these receivers the members. Others are closed and forgotten.
    private func setMembers(_ receivers: [Receiver]) {
        let before = members
        _members = receivers.map { receiver in
            before.first { $0.receiver === receiver } ?? makeMember(receiver)
        }
        time = time.following(receivers)
        let stay = Set(members.map(\.id))
        for member in before where !stay.contains(member.id) {
            member.receiver.delegate = nil
            member.receiver.stop(isPermanent: true)
            log.forget(member.id)
            monitor.forget(member.id)
            // The receiver may have been a recording of another place.
            if selection.lastCounted == member.id { lastFix = nil }
        }
        if members.map(\.id) != before.map(\.id) { changes.report(.receivers) }
    }

    private func makeMember(_ receiver: Receiver) -> Member {
        defer { nextID += 1 }
        receiver.delegate = self
        receiver.setDemand(demand, reporting: reportContents)
        return Member(id: nextID, receiver: receiver)
    }

    /// Returns the member for a receiver, or `nil` if it is not a member.
    func member(of receiver: Receiver) -> Member? {
        for member in _members where member.receiver === receiver { return member }
        return nil
    }
}

extension ReceiverControl: ReceiverDelegate {
    package func receiverWasFound(_ receiver: Receiver) {
        guard let member = member(of: receiver) else { return }
        log.record("fixes come", of: member.id, name: receiver.name, level: .info)
        member.failure = nil
        changes.report(.receivers)
        perform(selection.found(member.id))
    }

    package func receiver(_ receiver: Receiver, didReport update: ReceiverUpdate) {
        guard let member = member(of: receiver) else { return }
        guard let fix = update.fix else {
            if selection.reportsAbsence(of: member.id) { delegate?.publish(withoutFix: update) }
            return
        }
        let last = (fix: fix, receivedAt: time.steady(update.receivedAt))
        // The fix is delivered first: subscribers should not wait for this.
        defer { member.remember(last, isForAll: !_revealsRegions) }
        guard admits(fix, of: member, at: update.receivedAt) else { return }
        let report = update.contents.isEmpty ? nil : update
        delegate?.publish(Publication(fix, report: report), receivedAt: last.receivedAt)
        lastFix = last
        if selection.plan != .continuous { carryOut(selection.proceed(at: now)) }
    }

    private func admits(_ fix: Fix, of member: Member, at now: NIODeadline) -> Bool {
        selection.admits(fix.location, of: member.id, at: time.seconds(at: now))
    }

    package func receiver(_ receiver: Receiver, didTimeEpoch arrival: EpochArrival?) {
        guard let onArrival, let member = member(of: receiver), selection.counts(member.id) else { return }
        onArrival(arrival, member)
    }

    package func receiver(_ receiver: Receiver, didReport heading: Heading) { delegate?.publish(heading) }

    package func receiver(_ receiver: Receiver, didReceive bytes: ReceivedBytes) { delegate?.publish(bytes) }

    package func receiver(_ receiver: Receiver, didChange diagnosis: ReceiverDiagnosis) {
        guard let member = member(of: receiver) else { return }
        log.record(diagnosis, of: member.id, name: receiver.name)
    }

    package func receiver(_ receiver: Receiver, wasLost failure: ReceiverFailure) {
        guard let member = member(of: receiver) else { return }
        log.record(failure.message, of: member.id, name: receiver.name, level: .warning)
        member.failure = failure
        member.losses += 1
        // A recording that is played again begins elsewhere.
        if failure.reason == .ended { monitor.forget(member.id) }
        changes.report(.receivers)
        perform(selection.lose(member.id, hasEnded: failure.reason == .ended))
    }
}
