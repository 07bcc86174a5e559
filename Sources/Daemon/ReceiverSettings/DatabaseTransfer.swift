internal import NIOCore

/// The commands for a receiver's navigation database: its orbits, its clock, its last place.
struct DatabaseCommands {
    /// The question for the receiver's unique identifier, or `nil` if it has none.
    var identityQuestion: ReceiverMessage?
    /// Returns the unique identifier in a message, or `nil` if it is something else.
    var identifier: (ReceiverMessage) -> [UInt8]? = { _ in nil }
    /// The question for the database.
    let question: ReceiverMessage
    /// Returns whether a message is a part of the database.
    let isPart: (ReceiverMessage) -> Bool
    /// Returns the number of parts in the message that ends them, which also acknowledges one that is given back.
    /// Without it, a silence ends them.
    var count: ((ReceiverMessage) -> Int?)?
    /// The commands that stop the receiver's engine before a database is given back, and start it again.
    var stop, start: ReceiverMessage?
}

/// Gives a receiver the navigation database of its last run, and asks it for the present one: once it has had a fix for
/// five minutes, each hour then, and before the port is closed.
///
/// Attack: a receiver passes off commands as its database, to have them written to its port, or to another one's, at
/// the next start. Only whole messages that are parts of a database are kept and given back, to the receiver with the
/// same identity alone. A database that is cut off or too long, or lacks the stated number of parts, replaces nothing.
///
/// Attack: a false signal gives a receiver false orbits, and the database would carry them into its next start. So
/// while the location is doubtful, none is asked for or kept, and none is given back.
package struct DatabaseTransfer {
    private enum Phase {
        /// There is no receiver, or none with a database.
        case idle
        case identifying(attempt: Int, until: NIODeadline)
        /// The stored database is being read.
        case loading
        /// The stored database is to be given back, after the settings.
        case ready
        case giving(until: NIODeadline)
        case waiting(until: NIODeadline)
        /// The next message about a fix says whether there is one.
        case checkingFix
        case dumping(until: NIODeadline, end: NIODeadline)
    }

    /// The greatest length of a database, in bytes.
    package static let maximumLength = 65_536
    /// The time between two checks whether the receiver has a fix, and between two databases.
    static let checkInterval = TimeAmount.minutes(5)
    static let dumpInterval = TimeAmount.hours(1)
    /// The time that a database may take and, before the port is closed, the least time between two of them.
    static let dumpTime = TimeAmount.seconds(60)
    static let closingTime = TimeAmount.seconds(10)
    static let closingInterval = TimeAmount.minutes(10)
    /// The silence that ends a database, or cuts it off.
    static let silence = TimeAmount.seconds(2)
    /// The time to wait for the acknowledgement of a part, and the pause after a part without one.
    static let (acknowledgementTime, pause) = (TimeAmount.seconds(1), TimeAmount.milliseconds(10))
    /// The least capacity of a line that carries a database beside the fixes, in bytes per second: 19,200 baud.
    static let leastCapacity = 1900.0

    var outcome: ReceiverSetting.Outcome?
    /// A Boolean value indicating whether the receiver's last location is doubtful.
    var isSuspect = false
    private let device: String
    private let answerTimeout: TimeAmount
    private var phase = Phase.idle
    private var commands: DatabaseCommands?
    /// The receiver's own answer, and the identity that the database belongs to.
    private var (identity, owner) = (ReceiverIdentity?.none, String?.none)
    /// The capacity of the line in bytes per second, or `nil`.
    private var capacity: Double?
    private var isAcknowledged = false
    /// A Boolean value indicating whether there has been a fix since the beginning, and at the last check.
    private var (hasFix, hadFixAtCheck) = (false, false)
    /// The parts to give back, the next one last, or the received ones.
    private var parts: [ReceiverMessage] = []
    private var length = 0
    private var lastDump: NIODeadline?

    typealias Action = ReceiverSettingsStateMachine.Action

    /// - Parameter device: The name of the device at the port, for receivers without a unique identifier.
    init(device: String, answerTimeout: TimeAmount) { (self.device, self.answerTimeout) = (device, answerTimeout) }

    /// A Boolean value indicating whether the receiver's messages matter.
    var isListening: Bool {
        switch phase {
        case .idle, .waiting: false
        default: true
        }
    }

    var isDumping: Bool { if case .dumping = phase { true } else { false } }

    /// The time of the next step, or `nil` if there is none.
    var deadline: NIODeadline? {
        switch phase {
        case .idle, .loading, .ready, .checkingFix: nil
        case .identifying(_, let until), .giving(let until), .waiting(let until), .dumping(let until, _): until
        }
    }

    // MARK: Beginning and end

    /// Begins with a receiver that has just answered. `commands` is `nil` if it does not give its database away.
    mutating func begin(
        _ commands: DatabaseCommands?, of identity: ReceiverIdentity, capacity: Double?, hasFix: Bool,
        at now: NIODeadline
    ) -> [Action] {
        (self.commands, self.identity, self.capacity) = (commands, identity, capacity)
        (self.hasFix, hadFixAtCheck) = (hasFix, false)
        outcome = commands == nil ? .unsupported : nil
        // A daemon that was killed may have left it with a stopped engine.
        return commands == nil ? [] : write(commands?.start) + identify(attempt: 1, at: now)
    }

    /// Ends everything. Returns the command that the receiver needs in the midst of a database.
    mutating func end() -> [Action] {
        defer { (phase, parts) = (.idle, []) }
        if case .giving = phase { return write(commands?.start) }
        return []
    }

    private func write(_ message: ReceiverMessage?) -> [Action] { message.map { [.write($0.frame)] } ?? [] }

    private mutating func identify(attempt: Int, at now: NIODeadline) -> [Action] {
        guard let question = commands?.identityQuestion, attempt <= ReceiverSettingsStateMachine.maximumAttempts else {
            return load([identity?.maker, identity?.model, identity?.firmware, device].map { $0 ?? "" })
        }
        phase = .identifying(attempt: attempt, until: now + answerTimeout)
        return write(question)
    }

    private mutating func load(_ texts: [String]) -> [Action] {
        let owner = texts.joined(separator: "|")
        if self.owner != owner { lastDump = nil }
        (self.owner, phase) = (owner, .loading)
        return [.loadDatabase(of: owner)]
    }

    private mutating func wait(_ time: TimeAmount = checkInterval, at now: NIODeadline) {
        (phase, parts) = (.waiting(until: now + time), [])
    }

    // MARK: Giving back

    /// Handles the stored database of `owner`, or `nil` if there is none.
    mutating func loaded(_ bytes: [UInt8]?, of owner: String, at now: NIODeadline) {
        guard case .loading = phase, owner == self.owner else { return }
        let bytes = bytes ?? []
        var scanner = MessageScanner()
        parts = scanner.messages(in: bytes.span.bytes).filter { commands?.isPart($0) == true }.reversed()
        if parts.isEmpty || hasFix || isSuspect { wait(at: now) } else { phase = .ready }
    }

    /// Begins to give the database back, because the settings are done.
    mutating func give(isAcknowledged: Bool, at now: NIODeadline) -> [Action] {
        guard case .ready = phase else { return [] }
        (self.isAcknowledged, outcome) = (isAcknowledged, .sent)
        return write(commands?.stop) + giveNext(at: now)
    }

    private mutating func giveNext(at now: NIODeadline) -> [Action] {
        guard !hasFix, let part = parts.popLast() else {
            wait(at: now)
            return write(commands?.start)
        }
        let lineTime = capacity.map { Int64(Double(part.frame.count) / $0 * 1e9) } ?? 0
        phase = .giving(until: now + .nanoseconds(lineTime) + (isAcknowledged ? Self.acknowledgementTime : Self.pause))
        return write(part)
    }

    // MARK: Asking

    /// Asks for the database because the port is closed next. Returns `nil` if it is not worth that.
    mutating func beginLast(at now: NIODeadline) -> [Action]? {
        if isSuspect { return nil }
        if let lastDump, now - lastDump < Self.closingInterval { return nil }
        switch phase {
        case .waiting, .checkingFix: return dump(for: Self.closingTime, at: now)
        default: return nil
        }
    }

    private mutating func dump(for time: TimeAmount, at now: NIODeadline) -> [Action] {
        (phase, parts, length) = (.dumping(until: now + answerTimeout + Self.silence, end: now + time), [], 0)
        return write(commands?.question)
    }

    private mutating func collect(_ part: ReceiverMessage, before end: NIODeadline, at now: NIODeadline) -> [Action] {
        parts.append(part)
        phase = .dumping(until: min(end, now + Self.silence), end: end)
        length += part.frame.count
        return length <= Self.maximumLength ? [] : endDump(isComplete: false, at: now)
    }

    private mutating func endDump(isComplete: Bool, at now: NIODeadline) -> [Action] {
        let bytes = parts.flatMap(\.frame)
        lastDump = now
        wait(Self.dumpInterval, at: now)
        if isComplete, !bytes.isEmpty, let owner { return [.keepDatabase(bytes, of: owner)] }
        outcome = outcome ?? .unanswered
        return []
    }

    // MARK: Messages and time

    mutating func receive(_ message: ReceiverMessage, at now: NIODeadline) -> [Action] {
        let isFix = message.isFix
        if isFix == true { hasFix = true }
        switch phase {
        case .identifying: return commands?.identifier(message).map { load([identity?.maker ?? "", "\($0)"]) } ?? []
        case .ready where hasFix: wait(at: now)
        case .giving where hasFix || isAcknowledged && commands?.count?(message) != nil: return giveNext(at: now)
        case .checkingFix:
            guard let isFix else { return [] }
            let isSound = isFix && !isSuspect
            defer { hadFixAtCheck = isSound }
            if isSound, hadFixAtCheck { return dump(for: Self.dumpTime, at: now) }
            wait(at: now)
        case .dumping where isSuspect: wait(at: now)
        case .dumping(_, let end):
            if commands?.isPart(message) == true { return collect(message, before: end, at: now) }
            if let count = commands?.count?(message) { return endDump(isComplete: count == parts.count, at: now) }
        default: break
        }
        return []
    }

    /// Handles a deadline that has passed.
    mutating func wake(at now: NIODeadline) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .identifying(let attempt, _): return identify(attempt: attempt + 1, at: now)
        case .giving:
            // Acknowledged parts whose acknowledgement is lost are followed by others as if they were not.
            isAcknowledged = false
            return giveNext(at: now)
        case .waiting:
            phase = .checkingFix
            if let capacity, capacity < Self.leastCapacity { wait(Self.dumpInterval, at: now) }
        case .dumping(_, let end): return endDump(isComplete: commands?.count == nil && now < end, at: now)
        case .idle, .loading, .ready, .checkingFix: break
        }
        return []
    }
}
