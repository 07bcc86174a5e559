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
    private static let wakingTime = TimeAmount.milliseconds(500)

    enum Phase {
        case unready  // closed, or the baud rate is not known, or open for the standby only
        case waking(until: NIODeadline)
        case identifying(Int, attempt: Int, until: NIODeadline)
        /// The receiver has answered, or its identity is given up. There may be exchanges.
        case settled
        /// The port is open for the navigation database. Nothing has been put back yet.
        case dumping
    }

    /// The identity, or `nil` until the receiver has answered.
    package internal(set) var identity: ReceiverIdentity?
    let profile: ReceiverProfile
    let answerTimeout: TimeAmount
    /// A Boolean value indicating whether the port is the receiver's own USB, without a UART.
    private(set) var isUSB = false
    let questions: [IdentityQuestion]
    /// The question that the receiver has answered.
    var answeredQuestion = 0
    var phase = Phase.unready
    var dialect: (any ReceiverDialect)?
    /// A Boolean value indicating whether the receiver at the open port has answered.
    package internal(set) var isIdentified = false
    /// A Boolean value indicating whether a fix came before the receiver's identity or its standby.
    var hasFix = false
    private var scanner = MessageScanner()
    var exchanges: SettingExchanges
    var transfer: DatabaseTransfer
    var standby = StandbyTrial()
    var watch = RestartWatch()
    let device: String
    private var demand = ReceiverDemand()
    private(set) var rate: RateChoice
    /// The settings that were asked for last, and their rate.
    var requested: [WantedSetting] = []
    private var requestedRate: RateChoice.Choice?
    /// A Boolean value indicating whether corrections were written to the receiver at the open port.
    private var getsCorrections = false
    private var acceptsCommandsAt = NIODeadline.uptimeNanoseconds(0)

    /// Creates the settings of a closed port. `device` is the name of the device there, for receivers without a unique
    /// identifier.
    package init(_ profile: ReceiverProfile, device: String = "", answerTimeout: TimeAmount = answerTimeout) {
        (self.profile, self.device, self.answerTimeout) = (profile, device, answerTimeout)
        transfer = DatabaseTransfer(device: device, answerTimeout: answerTimeout)
        rate = RateChoice(profile: profile)
        exchanges = SettingExchanges(answerTimeout: answerTimeout, keepsMessages: profile.sendsUBX)
        questions = profile.dialect.map(IdentityQuestion.all(in:)) ?? []
    }

    // MARK: State

    /// The outcomes so far, in a fixed order.
    package var settings: [ReceiverSetting] {
        var reports = exchanges.reports
        (reports[.database], reports[.standby]) = (transfer.outcome, standby.outcome)
        return reports.all
    }

    /// A Boolean value indicating whether the receiver was sent to standby, and not woken since.
    package var isAsleep: Bool { standby.isAsleep }

    /// A Boolean value indicating whether the receiver's last location is doubtful.
    package var isSuspect: Bool {
        get { transfer.isSuspect }
        set { transfer.isSuspect = newValue }
    }

    /// The greatest time between two fixes that the settings may cause, in milliseconds.
    package var longestInterval: Int {
        max(rate.choice(for: demand, of: dialect)?.milliseconds ?? 0, requestedRate?.milliseconds ?? 0)
    }

    /// A Boolean value indicating whether the receiver at the open port takes corrections.
    package var takesCorrections: Bool {
        if case .unready = phase { return false }
        return profile.takesCorrections ?? (isIdentified && identity?.takesCorrections == true)
    }

    /// A Boolean value indicating whether the port has to stay open, although no app needs fixes: for the navigation
    /// database, or for the standby.
    package var keepsPortOpen: Bool {
        if case .dumping = phase { true } else { !standby.isIdle }
    }

    /// A Boolean value indicating whether the receiver's bytes matter.
    package var isListening: Bool {
        switch phase {
        case .unready: standby.isListening
        case .waking, .identifying, .dumping: true
        case .settled: !exchanges.isIdle || transfer.isListening
        }
    }

    /// The time of the next step, or `nil` if there is none.
    package var deadline: NIODeadline? {
        switch phase {
        case .unready: standby.deadline
        case .settled: [exchanges.deadline, transfer.deadline, watch.nextCheck].compactMap(\.self).min()
        case .dumping: transfer.deadline
        case .waking(let until), .identifying(_, _, let until): until
        }
    }

    // MARK: The port

    /// Handles the opening of the port. `isUSB` is `true` for the receiver's own USB, without a UART.
    package mutating func opened(isUSB: Bool, at now: NIODeadline) -> [Action] {
        (self.isUSB, hasFix) = (isUSB, false)
        phase = .unready
        (isIdentified, getsCorrections) = (false, false)
        (exchanges.reports[.time], exchanges.reports[.position]) = (nil, nil)
        (transfer.outcome, transfer.isSuspect, watch) = (nil, false, RestartWatch())
        standby.end()
        acceptsCommandsAt = profile.standsBy ? now + Self.wakingTime : now
        return profile.standsBy ? standby.wakeCommands(dialect?.start) : []
    }

    /// Wakes the receiver at a port that is open for nothing else, because no receiver here will use it any more.
    package mutating func wakeForOthers() -> [Action] { isAsleep ? standby.wakeCommands(dialect?.start) : [] }

    /// Handles that the baud rate is known. `capacity` is the line's capacity in bytes per second, or `nil`.
    package mutating func baudRateDetected(capacity: Double?, at now: NIODeadline) -> [Action] {
        rate.capacity = isUSB ? nil : capacity
        guard !questions.isEmpty else {
            phase = .settled
            return []
        }
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
        (phase, requested, requestedRate) = (.unready, [], nil)
        _ = transfer.end()
        standby.end()
        watch.end()
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
        let maySleep = toStandby && profile.standsBy && isIdentified
        interrupt()
        let actions = ending + commands.map(Action.write)
        guard maySleep, let forms = dialect?.standby else { return actions }
        return actions
            + standby.begin(forms, after: settlingTime, hadFix: hasFix, longestInterval: longestInterval, at: now)
    }

    // MARK: Demand

    /// Handles another demand. `bytesPerSecond` is the present load of the line, or `nil` if it is not known.
    package mutating func follow(_ demand: ReceiverDemand, bytesPerSecond: Double?, at now: NIODeadline) -> [Action] {
        self.demand = demand
        if let bytesPerSecond, let requestedRate, !requestedRate.isShort {
            rate.bytesPerFix = bytesPerSecond * Double(requestedRate.milliseconds) / 1000
        }
        guard isIdentified, case .settled = phase else { return [] }
        addSettings()
        return exchanges.proceed(at: now).map(Action.write)
    }

    /// Adds the settings that the profile and the demand want now, and that were not asked for.
    mutating func addSettings() {
        let choice = rate.choice(for: demand, of: dialect)
        var settings = profile.settings(for: demand, choice, acknowledgesDatabase: dialect?.database?.count != nil)
        if getsCorrections, dialect?.exchanges(for: .correctionReports).isEmpty == false {
            settings.append(.correctionReports)
        }
        for setting in settings where !requested.contains(setting) { exchanges.add(setting, of: dialect) }
        // More sentences after fewer fixes.
        if requested.contains(.positionSentencesOnly), !settings.contains(.positionSentencesOnly) {
            exchanges.addAllSentences()
        }
        (requested, requestedRate) = (settings, choice)
    }

    // MARK: A loss of power

    /// Returns whether these bytes, after earlier ones, say that the receiver has started.
    package mutating func showsStart(_ bytes: RawSpan) -> Bool { watch.isText(in: bytes) }

    /// Handles that the receiver at the open port has started again: it is asked and set like a receiver whose port was
    /// opened. Its own values stay the ones that it had first.
    ///
    /// - Parameter hasFix: `true` if it may have a fix by now, and so needs no help.
    package mutating func restarted(hasFix: Bool = false, at now: NIODeadline) -> [Action] {
        guard case .settled = phase, isIdentified, watch.admitsRestart(at: now) else { return [] }
        self.hasFix = hasFix
        exchanges.removeAll()
        return transfer.end() + ask(answeredQuestion, at: now)
    }

    /// Reads the values again if it is time for that.
    private mutating func check(at now: NIODeadline) -> [Action] {
        guard watch.isCheckDue(at: now), exchanges.isIdle else { return [] }
        exchanges.addChecks(of: requested, of: dialect)
        return exchanges.proceed(at: now).map(Action.write)
    }

    // MARK: Corrections

    /// Has the receiver report on the corrections that it reads, because it gets some.
    package mutating func reportCorrections(at now: NIODeadline) -> [Action] {
        getsCorrections = true
        // A receiver that is being asked who it is gets this with its other settings.
        guard isIdentified, case .settled = phase else { return [] }
        addSettings()
        return exchanges.proceed(at: now).map(Action.write)
    }

    // MARK: Messages and time

    /// Handles bytes of the receiver.
    package mutating func receive(_ bytes: RawSpan, at now: NIODeadline) -> [Action] {
        scanner.messages(in: bytes).flatMap { receive($0, at: now) }
    }

    mutating func receive(_ message: ReceiverMessage, at now: NIODeadline) -> [Action] {
        switch phase {
        case .identifying(let question, _, _): return receive(message, to: question, at: now)
        case .settled:
            let actions = transfer.receive(message, at: now)
            let commands = exchanges.receive(message, dialect?.verdict(in: message), at: now)
            return proceed(after: actions + commands.map(Action.write), at: now)
        case .dumping: return endDump(after: transfer.receive(message, at: now), at: now)
        case .waking:
            if message.isFix == true { hasFix = true }
            return []
        case .unready: return standby.receive(message, dialect?.verdict(in: message), at: now)
        }
    }

    /// Handles a deadline that has passed.
    package mutating func wake(at now: NIODeadline) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .unready: return standby.wake(at: now)
        case .settled:
            let actions = transfer.wake(at: now) + exchanges.wake(at: now).map(Action.write)
            return proceed(after: actions + check(at: now), at: now)
        case .dumping: return endDump(after: transfer.wake(at: now), at: now)
        case .waking: return ask(0, at: now)
        case .identifying(let question, let attempt, _): return askAgain(question, attempt: attempt, at: now)
        }
    }

    /// Continues once the exchanges are done: with a receiver that has lost a value, or with its database.
    mutating func proceed(after actions: [Action], at now: NIODeadline) -> [Action] {
        guard case .settled = phase, exchanges.isIdle else { return actions }
        // The loss may have been minutes ago.
        if exchanges.removeLoss() { return actions + restarted(hasFix: true, at: now) }
        return actions + transfer.give(isAcknowledged: exchanges.reports[.acknowledgements] == .applied, at: now)
    }

    // MARK: The navigation database

    /// Handles the stored navigation database of an identity, or `nil` if there is none.
    package mutating func databaseLoaded(_ bytes: [UInt8]?, of owner: String, at now: NIODeadline) -> [Action] {
        transfer.loaded(bytes, of: owner, at: now)
        return proceed(after: [], at: now)
    }

    private mutating func endDump(after actions: [Action], at now: NIODeadline) -> [Action] {
        if transfer.isDumping { return actions }
        let others = putBack(toStandby: true, at: now)
        return actions + others + (keepsPortOpen ? [] : [.closePort])
    }
}
