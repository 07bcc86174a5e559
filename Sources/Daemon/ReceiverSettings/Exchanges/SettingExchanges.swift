internal import NIOCore

/// The exchanges about the values of a profile, one after the other: a value is read, written if it is another one, and
/// read back. A question is asked twice.
///
/// The caller writes the returned commands, passes the receiver's messages, and calls `wake(at:)` at `deadline`.
struct SettingExchanges {
    private enum Step {
        case read
        case write([Int])
        case settle([Int])
        /// The value was read back. `seen` is another one that the receiver has answered, if any.
        case check([Int], seen: [Int]?)
    }

    private struct Entry {
        let exchange: Exchange
        /// The reason, or `nil` for putting a value back.
        let wanted: WantedSetting?
        /// A Boolean value indicating whether the value is read only, to see whether the receiver still has it.
        var isCheck = false
    }

    /// The outcomes.
    var reports = SettingReports()
    /// The values that were written.
    private(set) var values = WrittenValues()
    private let answerTimeout: TimeAmount
    private let keepsMessages: Bool
    /// The exchanges to make. The first one is in progress.
    private var queue: [Entry] = []
    private var progress: (step: Step, attempt: Int, until: NIODeadline)?
    /// The value that the exchange in progress has read, and the receiver's own one.
    private var current: (read: [Int], original: [Int]) = ([], [])
    /// A Boolean value indicating whether a check has found that the receiver has lost a value.
    private var hasFoundLoss = false

    /// - Parameter keepsMessages: `true` if the profile itself says which messages are sent.
    init(answerTimeout: TimeAmount, keepsMessages: Bool) {
        (self.answerTimeout, self.keepsMessages) = (answerTimeout, keepsMessages)
    }

    /// A Boolean value indicating whether no exchange is in progress.
    var isIdle: Bool { progress == nil }

    /// The time of the next step, or `nil` if there is none.
    var deadline: NIODeadline? { progress?.until }

    // MARK: The queue

    /// Adds the exchanges about a setting, instead of others about the same values.
    mutating func add(_ wanted: WantedSetting, of dialect: (any ReceiverDialect)?) {
        let exchanges = dialect?.exchanges(for: wanted) ?? []
        // The one in progress goes on.
        let first = isIdle ? [] : Array(queue.prefix(1))
        queue =
            first + queue.dropFirst(first.count).filter { old in !exchanges.contains { $0.key == old.exchange.key } }
        reports.begin(wanted, isSupported: !exchanges.isEmpty)
        queue += exchanges.map { Entry(exchange: $0, wanted: wanted) }
    }

    /// Adds the exchanges that bring back all sentences.
    mutating func addAllSentences() {
        let first = isIdle ? [] : queue.prefix(1).filter { $0.wanted == .positionSentencesOnly }
        queue.removeAll { $0.wanted == .positionSentencesOnly }
        queue = first + queue
        var exchanges = values.exchanges.filter { $0.name == .messages }
        exchanges += first.map(\.exchange).filter { new in !exchanges.contains { $0.key == new.key } }
        queue += exchanges.map { Entry(exchange: $0, wanted: nil) }
    }

    /// Adds exchanges that only read the values of these settings, as far as they were applied.
    mutating func addChecks(of settings: [WantedSetting], of dialect: (any ReceiverDialect)?) {
        for wanted in settings where reports[wanted.name] == .applied {
            queue += (dialect?.exchanges(for: wanted) ?? []).map {
                Entry(exchange: $0, wanted: wanted, isCheck: true)
            }
        }
    }

    /// Returns whether a check has found that the receiver has lost a value, since the last call.
    mutating func removeLoss() -> Bool {
        defer { hasFoundLoss = false }
        return hasFoundLoss
    }

    /// Adds the undos of earlier openings that were lost.
    mutating func addLostUndos() {
        let lost = values.exchanges.filter { new in !queue.contains { $0.exchange.key == new.key } }
        queue += lost.map { Entry(exchange: $0, wanted: nil) }
    }

    /// Drops all exchanges.
    mutating func removeAll() { (queue, progress, hasFoundLoss) = ([], nil, false) }

    /// Drops all exchanges, because nothing more can be written.
    mutating func portClosed() {
        removeAll()
        values.portClosed()
    }

    /// Drops all exchanges. Returns the commands that put the values back, and the time that the receiver needs then.
    mutating func putBack() -> (commands: [[UInt8]], settlingTime: TimeAmount) {
        removeAll()
        return values.putBack()
    }

    // MARK: Steps

    /// Begins the first exchange, if none is in progress.
    mutating func proceed(at now: NIODeadline) -> [[UInt8]] {
        isIdle && !queue.isEmpty ? begin(.read, at: now) : []
    }

    private mutating func begin(_ step: Step, attempt: Int = 1, at now: NIODeadline) -> [[UInt8]] {
        let exchange = queue[0].exchange
        progress = (step, attempt, now + answerTimeout)
        switch step {
        case .read, .check: return [exchange.read]
        case .write(let value): return [exchange.write(value)]
        case .settle:
            progress?.until = now + exchange.settlingTime
            return []
        }
    }

    /// Handles a message, which has this verdict on a command.
    mutating func receive(_ message: ReceiverMessage, _ verdict: Verdict?, at now: NIODeadline) -> [[UInt8]] {
        guard let progress else { return [] }
        let exchange = queue[0].exchange
        switch progress.step {
        case .read:
            if let value = exchange.value(message) { return change(exchange, from: value, at: now) }
            if verdict?.refuses(exchange.readCommand) == true { return end(.refused, at: now) }
        case .write(let wanted):
            guard let verdict, verdict.concerns(exchange.writeCommand) else { return [] }
            guard verdict.isAccepted else { return refuse(at: now) }
            // u-blox acknowledges a question and a command alike. Whatever this is, the value is read back.
            return begin(exchange.restarts ? .settle(wanted) : .check(wanted, seen: nil), at: now)
        case .settle: break
        case .check(let wanted, _):
            if verdict?.refuses(exchange.writeCommand) == true { return refuse(at: now) }
            guard let seen = exchange.value(message) else { return [] }
            reports.show(exchange, now: seen)
            if seen == wanted { return apply(wanted, at: now) }
            // It may be a late answer to an earlier question: the verdict waits for the timeout.
            self.progress?.step = .check(wanted, seen: seen)
        }
        return []
    }

    /// Handles a deadline that has passed.
    mutating func wake(at now: NIODeadline) -> [[UInt8]] {
        guard let progress, now >= progress.until else { return [] }
        switch progress.step {
        case .settle(let wanted): return begin(.check(wanted, seen: nil), at: now)
        case let step where progress.attempt < ReceiverSettingsStateMachine.maximumAttempts:
            return begin(step, attempt: progress.attempt + 1, at: now)
        // Some M8 do not answer a command that changes nothing.
        case .write(let wanted): return begin(.check(wanted, seen: nil), at: now)
        case .read, .check(_, seen: nil): return end(.unanswered, at: now)
        case .check: return end(.ignored, at: now)
        }
    }

    private mutating func change(_ exchange: Exchange, from value: [Int], at now: NIODeadline) -> [[UInt8]] {
        let original = values.original(of: exchange, now: value)
        current = (value, original)
        reports.show(exchange, before: original, now: value)
        guard let wanted = queue[0].wanted == nil ? original : exchange.wanted(value) else {
            return end(.unsupported, at: now)
        }
        if value == wanted { return apply(wanted, at: now) }
        if queue[0].isCheck {
            hasFoundLoss = true
            return end(.ignored, at: now)
        }
        // Until it is known which of the two the receiver has, its own value has to be put back.
        values.record(exchange, written: wanted == original ? value : wanted, original: original)
        return begin(.write(wanted), at: now)
    }

    private mutating func apply(_ wanted: [Int], at now: NIODeadline) -> [[UInt8]] {
        values.record(queue[0].exchange, written: wanted, original: current.original)
        return end(.applied, at: now)
    }

    /// Ends the exchange whose value was refused: the receiver still has the value before, which may be an earlier one
    /// of ours.
    private mutating func refuse(at now: NIODeadline) -> [[UInt8]] {
        values.record(queue[0].exchange, written: current.read, original: current.original)
        return end(.refused, at: now)
    }

    /// Ends the exchange in progress. If it failed, the others of its setting are left out: a receiver that does not
    /// send UBX is not to lose its sentences.
    private mutating func end(_ outcome: ReceiverSetting.Outcome, at now: NIODeadline) -> [[UInt8]] {
        let entry = queue.removeFirst()
        let exchange = entry.exchange
        progress = nil
        if let wanted = entry.wanted {
            if outcome != .applied { queue.removeAll { $0.wanted == wanted } }
            // A check without an answer says nothing.
            let isKnown = !entry.isCheck || outcome == .ignored
            if isKnown, !queue.contains(where: { $0.wanted == wanted }) { reports[exchange.name] = outcome }
        } else if exchange.name == .messages, !keepsMessages,
            !values.exchanges.contains(where: { $0.name == .messages })
        {
            reports[.messages] = nil
        }
        return proceed(at: now)
    }
}
