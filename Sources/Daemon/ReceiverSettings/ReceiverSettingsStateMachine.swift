internal import LocationModel
package import NIOCore

/// Asks a receiver who it is, changes its settings as its profile says, and puts them back.
///
/// Each value is read, written to volatile memory and read back. A question is asked twice. A value that is refused or
/// not answered is not tried again until the port is opened again, or the demand changes. At closing, the old values
/// are written at once, without waiting for answers: at SIGTERM there is no time for that. After a crash, the
/// receiver's own restart undoes it.
///
/// The caller performs the returned actions in order, passes the receiver's bytes while `isListening`, and calls
/// `wake(at:)` at `deadline`.
package struct ReceiverSettingsStateMachine {
    package enum Action: Equatable {
        case write([UInt8])
        /// Write the commands that `commands(helping:)` returns now.
        case help
        /// Read the stored navigation database of this identity, and pass it to `databaseLoaded(_:of:at:)`.
        case loadDatabase(of: String)
        /// Store the navigation database of this identity.
        case keepDatabase([UInt8], of: String)
        /// Close the port, which has stayed open only for the standby.
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
        /// The receiver has answered, or its identity is given up. There may be exchanges.
        case settled
        /// The port is open for the navigation database. Nothing has been put back yet.
        case dumping
        /// The port is open for sending the receiver to standby once it has restarted.
        case restarting(until: NIODeadline)
        /// The port is open to see whether the receiver sleeps.
        case checkingStandby(form: Int, asleep: NIODeadline, until: NIODeadline)
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
    package private(set) var isIdentified = false
    /// A Boolean value indicating whether the receiver was sent to standby, and not woken since.
    package private(set) var isAsleep = false
    /// A Boolean value indicating whether a fix came before the receiver's identity or its standby.
    private var hasFix = false
    private var scanner = MessageScanner()
    private var exchanges: SettingExchanges
    private var transfer: DatabaseTransfer
    private let device: String
    private var demand = ReceiverDemand()
    private var rate: RateChoice
    /// The choice that was asked for last.
    private var requestedRate: RateChoice.Choice?
    /// The form of standby that works, if that is known, or `nil`.
    private var provenStandby: Int?
    private var neverSleeps = false
    private var acceptsCommandsAt = NIODeadline.uptimeNanoseconds(0)

    /// Creates the settings of a closed port. `device` is the name of the device there, for receivers without a unique
    /// identifier.
    package init(_ profile: ReceiverProfile, device: String = "", answerTimeout: TimeAmount = answerTimeout) {
        (self.profile, self.device, self.answerTimeout) = (profile, device, answerTimeout)
        transfer = DatabaseTransfer(device: device, answerTimeout: answerTimeout)
        rate = RateChoice(profile: profile)
        exchanges = SettingExchanges(answerTimeout: answerTimeout, keepsMessages: profile.sendsUBX)
        questions = IdentityQuestion.all(in: profile.dialect)
    }

    // MARK: State

    /// The outcomes so far, in a fixed order.
    package var settings: [ReceiverSetting] { exchanges.reports.all }

    /// The greatest time between two fixes that the settings may cause, in milliseconds.
    package var longestInterval: Int {
        max(rate.choice(for: demand, of: dialect)?.milliseconds ?? 0, requestedRate?.milliseconds ?? 0)
    }

    /// A Boolean value indicating whether the port has to stay open, although no app needs fixes: for the navigation
    /// database, or for the standby.
    package var keepsPortOpen: Bool {
        switch phase {
        case .dumping, .restarting, .checkingStandby: true
        case .unready, .waking, .identifying, .settled: false
        }
    }

    /// A Boolean value indicating whether the receiver's bytes matter.
    package var isListening: Bool {
        switch phase {
        case .unready, .restarting: false
        case .waking, .identifying, .dumping, .checkingStandby: true
        case .settled: !exchanges.isIdle || transfer.isListening
        }
    }

    /// The time of the next step, or `nil` if there is none.
    package var deadline: NIODeadline? {
        switch phase {
        case .unready: nil
        case .settled: [exchanges.deadline, transfer.deadline].compactMap(\.self).min()
        case .dumping: transfer.deadline
        case .waking(let until), .identifying(_, _, let until), .restarting(let until),
            .checkingStandby(_, _, let until):
            until
        }
    }

    // MARK: The port

    /// Handles the opening of the port. `isUSB` is `true` for the receiver's own USB, without a UART.
    package mutating func opened(isUSB: Bool, at now: NIODeadline) -> [Action] {
        (self.isUSB, hasFix) = (isUSB, false)
        phase = .unready
        (isIdentified, exchanges.reports[.time], exchanges.reports[.position]) = (false, nil, nil)
        exchanges.reports[.database] = nil
        let commands = profile.standsBy ? wakeCommands : []
        isAsleep = false
        acceptsCommandsAt = profile.standsBy ? now + Self.wakingTime : now
        return commands
    }

    /// The commands that wake the receiver. One whose engine was stopped may send nothing that it could be known by.
    private var wakeCommands: [Action] {
        [.write(Self.wakeBytes)] + (isAsleep ? dialect?.start.map { [.write($0)] } ?? [] : [])
    }

    /// Wakes the receiver at a port that is open for nothing else, because no receiver here will use it any more.
    package mutating func wakeForOthers() -> [Action] {
        defer { isAsleep = false }
        return isAsleep ? wakeCommands : []
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

    /// Handles that the port is being closed. Returns the commands that put the settings back, if that has waited for
    /// the navigation database: the port is needed at once, or no more.
    package mutating func closed(at now: NIODeadline) -> [Action] {
        defer { interrupt() }
        guard case .dumping = phase else { return [] }
        return putBack(toStandby: false, at: now)
    }

    private mutating func interrupt() {
        (phase, requestedRate) = (.unready, nil)
        _ = transfer.end()
        exchanges.portClosed()
        scanner = MessageScanner()
    }

    /// Puts the settings back, and sends the receiver to standby if that is wanted. The port is closed next, unless
    /// `keepsPortOpen`.
    ///
    /// - Parameters:
    ///   - toStandby: `true` if no app needs fixes. Then the receiver has time to send its navigation database before.
    ///   - hasFix: `true` if the receiver has a fix now.
    package mutating func close(toStandby: Bool, hasFix: Bool, at now: NIODeadline) -> [Action] {
        if keepsPortOpen { return [] }
        self.hasFix = hasFix
        if case .unready = phase { return [] }
        if toStandby, hasFix, isIdentified, let actions = transfer.beginLast(at: now) {
            phase = .dumping
            return actions
        }
        return putBack(toStandby: toStandby, at: now)
    }

    private mutating func putBack(toStandby: Bool, at now: NIODeadline) -> [Action] {
        let ending = transfer.end()
        let (commands, settlingTime) = exchanges.putBack()
        let maySleep =
            toStandby && profile.standsBy && isIdentified && !neverSleeps && dialect?.standby.isEmpty == false
        interrupt()
        var actions = ending + commands.map { Action.write($0) }
        if maySleep {
            if settlingTime > .zero {
                phase = .restarting(until: now + settlingTime)
            } else {
                actions += standBy(at: now)
            }
        }
        return actions
    }

    // MARK: Demand

    /// Handles another demand. `bytesPerSecond` is the present load of the line, or `nil` if it is not known.
    package mutating func follow(_ demand: ReceiverDemand, bytesPerSecond: Double?, at now: NIODeadline) -> [Action] {
        let hasNewModel = DynamicModel(demand.activity) != DynamicModel(self.demand.activity)
        self.demand = demand
        if let bytesPerSecond, let requestedRate, !requestedRate.isShort {
            rate.bytesPerFix = bytesPerSecond * Double(requestedRate.milliseconds) / 1000
        }
        guard isIdentified, case .settled = phase else { return [] }
        if profile.model == .activity, hasNewModel { add(.model(DynamicModel(demand.activity))) }
        addInterval()
        return exchanges.proceed(at: now).map { .write($0) }
    }

    private mutating func addInterval() {
        guard let wanted = rate.choice(for: demand, of: dialect), requestedRate == nil || requestedRate! != wanted
        else { return }
        let wasShort = requestedRate?.isShort == true
        requestedRate = wanted
        // Fewer sentences before more fixes, and more sentences after fewer fixes.
        if wanted.isShort, !wasShort { add(.positionSentencesOnly) }
        add(.interval(milliseconds: wanted.milliseconds))
        if wasShort, !wanted.isShort { exchanges.addAllSentences() }
    }

    /// Has the receiver report on the corrections that it reads, because it gets some.
    package mutating func reportCorrections(at now: NIODeadline) -> [Action] {
        guard isIdentified, case .settled = phase,
            dialect?.exchanges(for: .correctionReports).isEmpty == false
        else { return [] }
        add(.correctionReports)
        return exchanges.proceed(at: now).map { .write($0) }
    }

    private mutating func add(_ wanted: WantedSetting) { exchanges.add(wanted, of: dialect) }

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
                questions[question].fits(dialect.name)
            else { return [] }
            return identified(identity, dialect, at: now)
        case .settled:
            let actions = transfer.receive(message, at: now)
            let commands = exchanges.receive(message, dialect?.verdict(in: message), at: now)
            return giveDatabase(after: actions + commands.map { .write($0) }, at: now)
        case .dumping: return endDump(after: transfer.receive(message, at: now), at: now)
        case .checkingStandby(let form, let asleep, _):
            if dialect?.verdict(in: message)?.isAccepted == false { return didNotSleep(form, at: now) }
            guard now >= asleep, let isFix = message.isFix, isFix || dialect?.standby[form].silences == true else {
                return []
            }
            return didNotSleep(form, at: now)
        case .waking:
            if message.isFix == true { hasFix = true }
            return []
        case .unready, .restarting: return []
        }
    }

    /// Handles a deadline that has passed.
    package mutating func wake(at now: NIODeadline) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .unready: return []
        case .settled:
            let actions = transfer.wake(at: now)
            return giveDatabase(after: actions + exchanges.wake(at: now).map { .write($0) }, at: now)
        case .dumping: return endDump(after: transfer.wake(at: now), at: now)
        case .waking: return ask(0, at: now)
        case .identifying(let question, let attempt, _):
            if attempt < Self.maximumAttempts { return ask(question, attempt: attempt + 1, at: now) }
            if question + 1 < questions.count { return ask(question + 1, at: now) }
            exchanges.reports[.identity] = .unanswered
            phase = .settled
            return []
        case .restarting:
            interrupt()
            let actions = standBy(at: now)
            return keepsPortOpen ? actions : actions + [.closePort]
        case .checkingStandby(let form, _, _):
            // Without a fix before, there being none now proves nothing.
            let isProven = hasFix || dialect?.standby[form].silences == true
            if isProven { provenStandby = form }
            exchanges.reports[.standby] = isProven ? .applied : .sent
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
        (self.identity, self.dialect, exchanges.reports[.identity]) = (identity, dialect, nil)
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
        if profile.assistance.contains(.database) {
            if dialect.database?.count != nil { add(.acknowledgements) }
            actions += transfer.begin(
                dialect.database, of: identity, capacity: rate.capacity, hasFix: hasFix, at: now)
        }
        if profile.sendsUBX { add(.ubx) }
        addInterval()
        exchanges.addLostUndos()
        if profile.standsBy, dialect.standby.isEmpty {
            exchanges.reports[.standby] = .unsupported
        }
        return giveDatabase(after: actions + exchanges.proceed(at: now).map { .write($0) }, at: now)
    }

    private mutating func forgetReceiver() {
        (identity, dialect) = (nil, nil)
        exchanges = SettingExchanges(answerTimeout: answerTimeout, keepsMessages: profile.sendsUBX)
        transfer = DatabaseTransfer(device: device, answerTimeout: answerTimeout)
        (requestedRate, provenStandby, neverSleeps) = (nil, nil, false)
    }

    /// Returns the commands that help the receiver with its first fix, and records the outcome.
    package mutating func commands(helping help: FirstFixHelp) -> [UInt8] {
        guard let dialect else { return [] }
        let time = profile.assistance.contains(.time) ? help.time : nil
        let position = profile.assistance.contains(.position) ? help.position : nil
        let commands: [(ReceiverSetting.Name, ReceiverMessage?)?] = [
            time.map { (.time, dialect.help(time: $0)) },
            position.map { (.position, dialect.help(position: $0, time: time)) },
        ]
        return commands.compactMap(\.self).flatMap { name, command in
            exchanges.reports[name] = command == nil ? .unsupported : .sent
            return command?.frame ?? []
        }
    }

    // MARK: The navigation database

    /// Handles the stored navigation database of an identity, or `nil` if there is none.
    package mutating func databaseLoaded(_ bytes: [UInt8]?, of owner: String, at now: NIODeadline) -> [Action] {
        transfer.loaded(bytes, of: owner, at: now)
        return giveDatabase(after: [], at: now)
    }

    private mutating func giveDatabase(after actions: [Action], at now: NIODeadline) -> [Action] {
        var actions = actions
        if case .settled = phase, exchanges.isIdle {
            actions += transfer.give(isAcknowledged: exchanges.reports[.acknowledgements] == .applied, at: now)
        }
        exchanges.reports[.database] = transfer.outcome
        return actions
    }

    private mutating func endDump(after actions: [Action], at now: NIODeadline) -> [Action] {
        if transfer.isDumping { return actions }
        exchanges.reports[.database] = transfer.outcome
        let others = putBack(toStandby: true, at: now)
        return actions + others + (keepsPortOpen ? [] : [.closePort])
    }

    // MARK: Standby

    private mutating func standBy(at now: NIODeadline) -> [Action] {
        guard let provenStandby, let dialect else { return tryStandby(form: 0, at: now) }
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
        exchanges.reports[.standby] = .ignored
        interrupt()
        return [.closePort]
    }
}
