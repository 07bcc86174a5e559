internal import NIOCore

/// The way of a receiver into its standby, while its port is open for nothing else.
///
/// A first command is followed by a look whether the receiver sleeps: longer than a fix takes at its slowest. If it
/// does not, the next form of the command is tried. Later, the form that has worked is sent without waiting.
struct StandbyTrial {
    private enum Phase {
        case idle
        /// The receiver restarts, and hears no command.
        case restarting(until: NIODeadline)
        /// The port is open to see whether the receiver sleeps.
        case checking(form: Int, asleep: NIODeadline, until: NIODeadline)
    }

    typealias Action = ReceiverSettingsStateMachine.Action

    /// The time after a command for standby until messages show that it had no effect.
    static let fallingAsleep = TimeAmount.seconds(5)
    /// Bytes that wake a receiver at any baud rate: any edge on RXD. 0xFF begins no message.
    private static let wakeBytes = [UInt8](repeating: 0xFF, count: 8)

    var outcome: ReceiverSetting.Outcome?
    /// A Boolean value indicating whether the receiver was sent to standby, and not woken since.
    private(set) var isAsleep = false
    private var phase = Phase.idle
    private var forms: [Standby] = []
    /// The form that works, if that is known, or `nil`.
    private var provenForm: Int?
    private var neverSleeps = false
    /// A Boolean value indicating whether there was a fix before. Otherwise, there being none then proves nothing.
    private var hadFix = false
    /// The longest time between two fixes.
    private var interval = TimeAmount.seconds(1)

    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// A Boolean value indicating whether the receiver's messages matter.
    var isListening: Bool { if case .checking = phase { true } else { false } }

    /// The time of the next step, or `nil` if there is none.
    var deadline: NIODeadline? {
        switch phase {
        case .idle: nil
        case .restarting(let until), .checking(_, _, let until): until
        }
    }

    /// Sends the receiver to standby, as soon as it has restarted.
    ///
    /// - Parameters:
    ///   - forms: The commands in the order to try them.
    ///   - settlingTime: The time that the receiver needs for its restart.
    ///   - longestInterval: The greatest time between two fixes, in milliseconds.
    mutating func begin(
        _ forms: [Standby], after settlingTime: TimeAmount, hadFix: Bool, longestInterval: Int, at now: NIODeadline
    ) -> [Action] {
        guard !neverSleeps, !forms.isEmpty else { return [] }
        (self.forms, self.hadFix) = (forms, hadFix)
        interval = .milliseconds(Int64(max(1000, min(10_000, longestInterval))))
        guard settlingTime > .zero else { return send(at: now) }
        phase = .restarting(until: now + settlingTime)
        return []
    }

    /// Ends the look at the receiver.
    mutating func end() { phase = .idle }

    /// Returns the commands that wake the receiver. One whose engine was stopped may send nothing that it could be
    /// known by, so it gets the command that starts its engine, too.
    mutating func wakeCommands(_ start: [UInt8]?) -> [Action] {
        defer { isAsleep = false }
        return [.write(Self.wakeBytes)] + (isAsleep ? start.map { [.write($0)] } ?? [] : [])
    }

    private mutating func send(at now: NIODeadline) -> [Action] {
        guard let provenForm else { return tryForm(0, at: now) }
        (isAsleep, phase) = (true, .idle)
        return [.write(forms[provenForm].command)]
    }

    private mutating func tryForm(_ form: Int, at now: NIODeadline) -> [Action] {
        let asleep = now + Self.fallingAsleep
        let end = asleep + .seconds(1)
        (isAsleep, phase) = (true, .checking(form: form, asleep: asleep, until: end + interval))
        return [.write(forms[form].command)]
    }

    // MARK: Messages and time

    /// Handles a message, which has this verdict on a command.
    mutating func receive(_ message: ReceiverMessage, _ verdict: Verdict?, at now: NIODeadline) -> [Action] {
        guard case .checking(let form, let asleep, _) = phase else { return [] }
        if verdict?.isAccepted == false { return didNotSleep(form, at: now) }
        guard now >= asleep, let isFix = message.isFix, isFix || forms[form].silences else { return [] }
        return didNotSleep(form, at: now)
    }

    /// Handles a deadline that has passed.
    mutating func wake(at now: NIODeadline) -> [Action] {
        switch phase {
        case .idle: return []
        case .restarting:
            let actions = send(at: now)
            return isIdle ? actions + [.closePort] : actions
        case .checking(let form, _, _):
            let isProven = hadFix || forms[form].silences
            if isProven { provenForm = form }
            (outcome, phase) = (isProven ? .applied : .sent, .idle)
            return [.closePort]
        }
    }

    private mutating func didNotSleep(_ form: Int, at now: NIODeadline) -> [Action] {
        if form + 1 < forms.count { return tryForm(form + 1, at: now) }
        (neverSleeps, isAsleep) = (true, false)
        (outcome, phase) = (.ignored, .idle)
        return [.closePort]
    }
}
