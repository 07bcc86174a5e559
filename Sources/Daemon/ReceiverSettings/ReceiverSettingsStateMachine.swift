internal import LocationModel
package import NIOCore

/// Asks a receiver who it is, changes its settings as its profile says, and puts them back.
///
/// Each value is read, written to volatile memory and read back. A question is asked twice. What is refused or not
/// answered is not tried again until the port is opened again, or the demand changes. At closing, the old values are written at once, without
/// waiting for answers: at SIGTERM there is no time for that. After a crash, the receiver's own restart undoes it.
///
/// The caller performs the returned actions in order, passes the receiver's bytes while `isListening`, and calls
/// `wake(at:)` at `deadline`.
package struct ReceiverSettingsStateMachine {
    package enum Action: Equatable {
        case write([UInt8])
        /// Write the commands that `commands(helping:)` returns now.
        case help
        /// Close the port, which has stayed open only to see whether the receiver sleeps.
        case closePort
    }

    /// The time that a receiver has to answer a question, before it is asked again.
    package static let answerTimeout = TimeAmount.milliseconds(1500)
    static let maximumAttempts = 2
    /// The time that a woken receiver needs until it reads commands.
    package static let wakingTime = TimeAmount.milliseconds(500)
    /// The time after a command for standby until messages show that it had no effect.
    static let fallingAsleep = TimeAmount.seconds(5)
    /// Bytes that wake a receiver at any baud rate: any edge on RXD. 0xFF begins no message.
    package static let wakeBytes = [UInt8](repeating: 0xFF, count: 8)

    private enum Phase {
        case unready  // closed, or the baud rate is not known
        case waking(until: NIODeadline)
        case identifying(Int, attempt: Int, until: NIODeadline)
        case exchanging(Step, attempt: Int, until: NIODeadline)
        case settled
        case checkingStandby(form: Int, asleep: NIODeadline, until: NIODeadline)
    }

    /// The step of the first exchange in the queue.
    private enum Step: Equatable {
        case read
        case write([Int])
        case settle([Int])
        case check([Int], seen: [Int]?)

        /// A Boolean value indicating whether the question is asked again.
        var isUnanswered: Bool { if case .check(_, .some) = self { false } else { true } }
    }

    /// The identity, or `nil` until the receiver has answered.
    package private(set) var identity: ReceiverIdentity?
    private let profile: ReceiverProfile
    private let answerTimeout: TimeAmount
    /// A Boolean value indicating whether the port is the receiver's own USB, without a UART.
    private var isUSB = false
    private let questions: [IdentityQuestion]
    private var phase = Phase.unready
    private var dialect: (any ReceiverDialect)?
    /// A Boolean value indicating whether the receiver at the open port has answered.
    private var isIdentified = false
    /// A Boolean value indicating whether the receiver was sent to standby, and not woken since.
    package private(set) var isAsleep = false
    /// A Boolean value indicating whether a fix came before the receiver's identity or its standby.
    private var hasFix = false
    private var scanner = MessageScanner()
    private var queue: [(exchange: Exchange, wanted: WantedSetting?)] = []
    /// The changed values of the open port, in the order of their changes.
    private var changed: [(exchange: Exchange, before: [Int])] = []
    /// The last changes by key. They outlast a closing: an undo that was lost must not be read as the receiver's own
    /// value, and is made up for at the next opening.
    private var remembered: [String: (exchange: Exchange, written: [Int], before: [Int])] = [:]
    /// The value that the exchange in progress has read, and the receiver's own one.
    private var current: (read: [Int], original: [Int]) = ([], [])
    private var reports = SettingReports()
    private var demand = ReceiverDemand()
    private var rate: RateChoice
    /// The choice that was asked for last.
    private var requestedRate: RateChoice.Choice?
    /// The form of standby that works, if that is known, or `nil`.
    private var provenStandby: Int?
    private var neverSleeps = false
    private var acceptsCommandsAt = NIODeadline.uptimeNanoseconds(0)

    /// Creates the settings of a closed port.
    package init(_ profile: ReceiverProfile, answerTimeout: TimeAmount = answerTimeout) {
        (self.profile, self.answerTimeout) = (profile, answerTimeout)
        rate = RateChoice(profile: profile)
        questions = IdentityQuestion.all(in: profile.dialect)
    }

    // MARK: State

    /// The outcomes so far, in a fixed order.
    package var settings: [ReceiverSetting] { reports.all }

    /// The greatest time between two fixes that the settings may cause, in milliseconds.
    package var longestInterval: Int {
        let before = changed.first { $0.exchange.name == .interval }?.before.first ?? 0
        let wanted = rate.choice(for: demand, of: dialect)?.milliseconds
        return max(wanted ?? 0, requestedRate?.milliseconds ?? 0, min(before, 65_535))
    }

    /// A Boolean value indicating whether the port has to stay open although it is not needed.
    package var isCheckingStandby: Bool { if case .checkingStandby = phase { true } else { false } }

    /// A Boolean value indicating whether the receiver's bytes matter.
    package var isListening: Bool {
        switch phase {
        case .unready, .waking, .settled: false
        case .identifying, .exchanging, .checkingStandby: true
        }
    }

    /// The time of the next step, or `nil` if there is none.
    package var deadline: NIODeadline? {
        switch phase {
        case .unready, .settled: nil
        case .waking(let until), .identifying(_, _, let until), .exchanging(_, _, let until),
            .checkingStandby(_, _, let until):
            until
        }
    }

    // MARK: The port

    /// Handles the opening of the port. `isUSB` is `true` for the receiver's own USB, without a UART.
    package mutating func opened(isUSB: Bool, at now: NIODeadline) -> [Action] {
        (self.isUSB, hasFix) = (isUSB, false)
        phase = .unready
        (isIdentified, reports[.time], reports[.position]) = (false, nil, nil)
        let commands = profile.standsBy ? wakeCommands : []
        isAsleep = false
        acceptsCommandsAt = profile.standsBy ? now + Self.wakingTime : now
        return commands
    }

    /// The commands that wake the receiver. One whose engine was stopped may send nothing that it could be known by.
    private var wakeCommands: [Action] {
        [.write(Self.wakeBytes)] + (isAsleep ? dialect?.start.map { [.write($0)] } ?? [] : [])
    }

    /// Wakes the receiver at a port that is open for nothing else, because nobody here will use it any more.
    package mutating func wakeForOthers() -> [Action] {
        defer { isAsleep = false }
        return wakeCommands
    }

    /// Handles that the baud rate is known. `capacity` is the line's capacity in bytes per second, or `nil`.
    package mutating func baudRateDetected(capacity: Double?, at now: NIODeadline) -> [Action] {
        rate.capacity = isUSB ? nil : capacity
        guard now >= acceptsCommandsAt else {
            phase = .waking(until: acceptsCommandsAt)
            return []
        }
        return ask(0, at: now)
    }

    package mutating func baudRateLost() { interrupt() }

    package mutating func closed() { interrupt() }

    private mutating func interrupt() {
        (phase, queue, changed, requestedRate) = (.unready, [], [], nil)
        scanner = MessageScanner()
    }

    /// Puts the settings back, and sends the receiver to standby if that is wanted. The port is closed next, unless
    /// `isCheckingStandby`.
    ///
    /// - Parameter hasFix: `true` if the receiver has a fix now.
    package mutating func close(toStandby: Bool, hasFix: Bool, at now: NIODeadline) -> [Action] {
        if isCheckingStandby { return [] }
        self.hasFix = hasFix
        guard case .unready = phase else {
            let actions = putBack() + (toStandby ? standBy(at: now) : [])
            if !isCheckingStandby { interrupt() }
            return actions
        }
        return []
    }

    private mutating func putBack() -> [Action] {
        defer { (queue, changed, requestedRate) = ([], [], nil) }
        // A receiver whose engine restarts does not hear what comes next.
        let (restarting, others) = (changed.filter(\.exchange.restarts), changed.filter { !$0.exchange.restarts })
        return (others.reversed() + restarting).map { .write($0.exchange.write($0.before)) }
    }

    // MARK: Demand

    /// Handles another demand. `bytesPerSecond` is the present load of the line, or `nil` if it is not known.
    package mutating func follow(_ demand: ReceiverDemand, bytesPerSecond: Double?, at now: NIODeadline) -> [Action] {
        let hasNewModel = DynamicModel(demand.activity) != DynamicModel(self.demand.activity)
        self.demand = demand
        if let bytesPerSecond, let requestedRate, !requestedRate.isShort {
            rate.bytesPerFix = bytesPerSecond * Double(requestedRate.milliseconds) / 1000
        }
        guard isIdentified else { return [] }
        switch phase {
        case .settled, .exchanging: break
        case .unready, .waking, .identifying, .checkingStandby: return []
        }
        if profile.model == .activity, hasNewModel { add(.model(DynamicModel(demand.activity))) }
        addInterval()
        guard case .settled = phase else { return [] }
        return proceed(at: now)
    }

    private mutating func addInterval() {
        guard let wanted = rate.choice(for: demand, of: dialect), requestedRate == nil || requestedRate! != wanted
        else { return }
        let wasShort = requestedRate?.isShort == true
        requestedRate = wanted
        // Fewer sentences before more fixes, and more sentences after fewer fixes.
        if wanted.isShort, !wasShort { add(.positionSentencesOnly) }
        add(.interval(milliseconds: wanted.milliseconds))
        guard wasShort, !wanted.isShort else { return }
        let inProgress = queue.first?.wanted == .positionSentencesOnly ? [queue.removeFirst()] : []
        queue.removeAll { $0.wanted == .positionSentencesOnly }
        queue = inProgress + queue
        var exchanges = changed.map(\.exchange).filter { $0.name == .messages }
        exchanges += inProgress.map(\.exchange).filter { new in !exchanges.contains { $0.key == new.key } }
        queue += exchanges.map { ($0, nil) }
    }

    private mutating func add(_ wanted: WantedSetting) {
        let exchanges = dialect?.exchanges(for: wanted) ?? []
        // A value that waits to be set is replaced, but the exchange in progress goes on.
        let replaced = queue.dropFirst().indices.filter { index in
            exchanges.contains { $0.key == queue[index].exchange.key }
        }
        for index in replaced.reversed() { queue.remove(at: index) }
        reports.begin(wanted, isSupported: !exchanges.isEmpty)
        queue += exchanges.map { ($0, wanted) }
    }

    // MARK: Messages and time

    /// Handles bytes of the receiver.
    package mutating func receive(_ bytes: RawSpan, at now: NIODeadline) -> [Action] {
        scanner.messages(in: bytes).flatMap { receive($0, at: now) }
    }

    mutating func receive(_ message: ReceiverMessage, at now: NIODeadline) -> [Action] {
        switch phase {
        case .identifying(let question, _, _):
            if message.isFix == true { hasFix = true }
            guard let (identity, dialect) = IdentityQuestion.identity(in: message, isUSB: isUSB),
                profile.dialect == .auto || profile.dialect == dialect.name,
                questions[question] == .sentences || questions[question].dialect == dialect.name
            else { return [] }
            return identified(identity, dialect, at: now)
        case .exchanging(let step, let attempt, let until):
            return receive(message, in: step, attempt, until, at: now)
        case .checkingStandby(let form, let asleep, _):
            if dialect?.verdict(in: message)?.isAccepted == false { return didNotSleep(form, at: now) }
            guard now >= asleep, let isFix = message.isFix, isFix || dialect?.standby[form].silences == true else {
                return []
            }
            return didNotSleep(form, at: now)
        case .unready, .waking, .settled: return []
        }
    }

    /// Handles a deadline that has passed.
    package mutating func wake(at now: NIODeadline) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .unready, .settled: return []
        case .waking: return ask(0, at: now)
        case .identifying(let question, let attempt, _):
            if attempt < Self.maximumAttempts { return ask(question, attempt: attempt + 1, at: now) }
            if question + 1 < questions.count { return ask(question + 1, at: now) }
            reports[.identity] = .unanswered
            phase = .settled
            return []
        case .exchanging(.settle(let wanted), _, _): return begin(.check(wanted, seen: nil), at: now)
        case .exchanging(let step, let attempt, _):
            if attempt < Self.maximumAttempts, step.isUnanswered { return begin(step, attempt: attempt + 1, at: now) }
            return unanswered(step, at: now)
        case .checkingStandby(let form, _, _):
            // Without a fix before, there being none now proves nothing.
            let isProven = hasFix || dialect?.standby[form].silences == true
            if isProven { provenStandby = form }
            reports[.standby] = isProven ? .applied : .sent
            interrupt()
            return [.closePort]
        }
    }

    // MARK: Identity

    private mutating func ask(_ question: Int, attempt: Int = 1, at now: NIODeadline) -> [Action] {
        phase = .identifying(question, attempt: attempt, until: now + answerTimeout)
        return [.write(questions[question].bytes(in: profile.dialect))]
    }

    private mutating func identified(
        _ identity: ReceiverIdentity, _ dialect: any ReceiverDialect, at now: NIODeadline
    ) -> [Action] {
        if let old = self.identity, old != identity { forgetReceiver() }
        (self.identity, self.dialect, reports[.identity]) = (identity, dialect, nil)
        (phase, isIdentified) = (.settled, true)
        var actions: [Action] = []
        // A daemon that was killed may have left it with a stopped engine.
        if profile.standsBy, let start = dialect.start { actions.append(.write(start)) }
        if profile.helps, !hasFix { actions.append(.help) }
        switch profile.model {
        case .fixed(let model): add(.model(model))
        case .activity: add(.model(DynamicModel(demand.activity)))
        case nil: break
        }
        if let constellations = profile.constellations { add(.constellations(Set(constellations.map(\.rawValue)))) }
        if profile.assistance.contains(.predictions) { add(.predictions) }
        if profile.sendsUBX { add(.ubx) }
        addInterval()
        queue += remembered.values.filter { memory in !queue.contains { $0.exchange.key == memory.exchange.key } }
            .map { ($0.exchange, nil) }
        if profile.standsBy, dialect.standby.isEmpty {
            reports[.standby] = .unsupported
        }
        return actions + proceed(at: now)
    }

    private mutating func forgetReceiver() {
        (identity, dialect, queue, changed, remembered, reports) = (nil, nil, [], [], [:], SettingReports())
        (requestedRate, provenStandby, neverSleeps) = (nil, nil, false)
    }

    /// Returns the commands that help the receiver with its first fix, and records the outcome.
    package mutating func commands(helping help: FirstFixHelp) -> [UInt8] {
        (reports[.time], reports[.position]) = (nil, nil)
        guard let dialect else { return [] }
        var messages: [ReceiverMessage?] = []
        let time = profile.assistance.contains(.time) ? help.time : nil
        if let time {
            messages.append(dialect.help(time: time))
            reports[.time] = messages.last! == nil ? .unsupported : .sent
        }
        if profile.assistance.contains(.position), let position = help.position {
            messages.append(dialect.help(position: position, time: time))
            reports[.position] = messages.last! == nil ? .unsupported : .sent
        }
        return messages.flatMap { $0?.frame ?? [] }
    }

    // MARK: Exchanges

    private mutating func proceed(at now: NIODeadline) -> [Action] {
        guard !queue.isEmpty else {
            phase = .settled
            return []
        }
        return begin(.read, at: now)
    }

    private mutating func begin(_ step: Step, attempt: Int = 1, at now: NIODeadline) -> [Action] {
        let exchange = queue[0].exchange
        let isSettling = if case .settle = step { true } else { false }
        phase = .exchanging(
            step, attempt: attempt, until: now + (isSettling ? exchange.settlingTime : answerTimeout))
        switch step {
        case .read, .check: return [.write(exchange.read)]
        case .write(let value): return [.write(exchange.write(value))]
        case .settle: return []
        }
    }

    private mutating func receive(
        _ message: ReceiverMessage, in step: Step, _ attempt: Int, _ until: NIODeadline, at now: NIODeadline
    ) -> [Action] {
        let exchange = queue[0].exchange
        let verdict = dialect?.verdict(in: message)
        let isRefused = verdict?.isAccepted == false
        switch step {
        case .read:
            if let value = exchange.value(message) { return change(exchange, from: value, at: now) }
            if let verdict, isRefused, verdict.concerns(exchange.readCommand) { return end(.refused, at: now) }
        case .write(let wanted):
            guard let verdict, verdict.concerns(exchange.writeCommand) else { return [] }
            if isRefused { return refuse(at: now) }
            // u-blox acknowledges a question and a command alike. Whatever this is, the value is read back.
            return begin(exchange.settlingTime == .zero ? .check(wanted, seen: nil) : .settle(wanted), at: now)
        case .settle: break
        case .check(let wanted, _):
            if let verdict, isRefused, verdict.concerns(exchange.writeCommand) { return refuse(at: now) }
            guard let seen = exchange.value(message) else { return [] }
            reports.show(exchange, now: seen)
            if seen == wanted {
                if wanted == current.original { record(exchange, written: nil) }
                return end(.applied, at: now)
            }
            // It may be a late answer to an earlier question: the verdict waits for the timeout.
            phase = .exchanging(.check(wanted, seen: seen), attempt: attempt, until: until)
        }
        return []
    }

    private mutating func change(_ exchange: Exchange, from value: [Int], at now: NIODeadline) -> [Action] {
        let memory = remembered[exchange.key]
        let before = memory?.written == value ? memory?.before ?? value : value
        let original = changed.first { $0.exchange.key == exchange.key }?.before ?? before
        current = (value, original)
        reports.show(exchange, before: original, now: value)
        guard let wanted = queue[0].wanted == nil ? original : exchange.wanted(value) else {
            return end(.unsupported, at: now)
        }
        record(exchange, written: value == wanted && wanted == original ? nil : wanted)
        return value == wanted ? end(.applied, at: now) : begin(.write(wanted), at: now)
    }

    /// Records a value that was written and has to be put back, or `nil` if the receiver has its own.
    private mutating func record(_ exchange: Exchange, written: [Int]?) {
        changed.removeAll { $0.exchange.key == exchange.key }
        remembered[exchange.key] = nil
        guard let written else { return }
        changed.append((exchange, current.original))
        remembered[exchange.key] = (exchange, written, current.original)
    }

    /// Ends the exchange whose value was refused: the receiver still has the value before, which may be an earlier one
    /// of ours.
    private mutating func refuse(at now: NIODeadline) -> [Action] {
        record(queue[0].exchange, written: current.read == current.original ? nil : current.read)
        return end(.refused, at: now)
    }

    private mutating func unanswered(_ step: Step, at now: NIODeadline) -> [Action] {
        switch step {
        case .read, .settle, .check(_, seen: nil): end(.unanswered, at: now)
        // Some M8 do not answer a command that changes nothing.
        case .write(let wanted): begin(.check(wanted, seen: nil), at: now)
        case .check: end(.ignored, at: now)
        }
    }

    /// Ends the first exchange of the queue. If it failed, the others of its setting are left out: a receiver that does
    /// not send UBX is not to lose its sentences.
    private mutating func end(_ outcome: ReceiverSetting.Outcome, at now: NIODeadline) -> [Action] {
        let (exchange, wanted) = queue.removeFirst()
        if let wanted {
            if outcome != .applied { queue.removeAll { $0.wanted == wanted } }
            if !queue.contains(where: { $0.wanted == wanted }) { reports[exchange.name] = outcome }
        } else if outcome == .applied, exchange.name == .messages, !profile.sendsUBX {
            if !changed.contains(where: { $0.exchange.name == .messages }) { reports[.messages] = nil }
        }
        return proceed(at: now)
    }

    // MARK: Standby

    private mutating func standBy(at now: NIODeadline) -> [Action] {
        guard profile.standsBy, isIdentified, !neverSleeps, let dialect, !dialect.standby.isEmpty else { return [] }
        guard let provenStandby else { return tryStandby(form: 0, at: now) }
        isAsleep = true
        return [.write(dialect.standby[provenStandby].command)]
    }

    /// Sends the command, and stays to see whether the receiver sleeps: longer than a fix takes at its slowest.
    private mutating func tryStandby(form: Int, at now: NIODeadline) -> [Action] {
        let asleep = now + Self.fallingAsleep
        let interval = Int64(max(1000, min(10_000, longestInterval)))
        isAsleep = true
        phase = .checkingStandby(form: form, asleep: asleep, until: asleep + .milliseconds(1000 + interval))
        return [.write(dialect?.standby[form].command ?? [])]
    }

    private mutating func didNotSleep(_ form: Int, at now: NIODeadline) -> [Action] {
        if let forms = dialect?.standby, form + 1 < forms.count { return tryStandby(form: form + 1, at: now) }
        (neverSleeps, isAsleep) = (true, false)
        reports[.standby] = .ignored
        interrupt()
        return [.closePort]
    }
}

extension IdentityQuestion {
    fileprivate var dialect: ReceiverProfile.Dialect? {
        switch self {
        case .ublox: .ublox
        case .skytraq: .skytraq
        case .sentences: nil
        }
    }
}

extension Verdict {
    fileprivate func concerns(_ command: Int) -> Bool { self.command == nil || self.command == command }
}
