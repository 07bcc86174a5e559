internal import Bytewise
public import LocationModel

/// The state machine for every app's authorization: requests, prompts, answers, decisions, and how they end.
///
/// Each mutating function returns the actions to perform, in order. Time is passed in, in whole seconds since
/// 1970-01-01T00:00:00Z. Setting the clock back does not extend any timeout: a timeout that began at a later time
/// counts from now.
///
/// A grant takes effect when it is on the disk. A reduction of access takes effect at once, before it is written, and
/// stays in effect if the write fails. A decision that does both reduces access first.
///
/// Memory is bounded by the number of apps with a decision or a connection and by the number of pending requests. The
/// caller limits connections and requests.
public struct AuthorizationStateMachine: Sendable {
    /// The time that an abandoned prompt stays open, in seconds. An app that requests, disconnects and requests again
    /// returns to the same prompt, instead of making prompts flicker.
    public static let abandonedPromptSeconds: Int64 = 10
    /// The number of dismissals in a row after which an app's requests no longer prompt.
    public static let maximumDismissals = 3
    /// The duration of the quiet period after these dismissals, when the app's requests do not prompt, in seconds.
    public static let quietPeriodSeconds: Int64 = 60
    /// The maximum number of open prompts of one user.
    ///
    /// Attack: two hundred programs, each with its own path, request the location at once. The list of their prompts
    /// exceeds the maximum length of a reply, which ends every agent, and no user can answer so many prompts.
    public static let maximumOpenPromptsPerUser = 8
    /// The maximum number of apps of one user that have a decision.
    ///
    /// Attack: a user keeps granting apps that do not exist. Each grant stays in memory and in the database, and
    /// lengthens the lists that the administrator sees.
    public static let maximumDecisionsPerUser = 1000

    /// The decisions and switches that are in effect.
    public internal(set) var table: AuthorizationTable
    /// The apps' manifests. A manifest applies to its app, whichever user runs it.
    public internal(set) var manifests: [AppIdentity: AppManifest]
    /// The next time when `advance(to:)` has something to do, in seconds since 1970, or `nil` if there is no such time.
    /// `Action.wake` reports it, too.
    public private(set) var deadline: Int64?

    /// A Boolean value indicating whether the table is the whole state: a state machine created from it would continue
    /// without loss.
    public var hasOnlyStoredState: Bool {
        enabling.isEmpty
            && states.allSatisfy { app, state in
                state.isIdle && table.decision(about: app)?.lifetime != .once && !table.hasTemporaryFullAccuracy(app)
            }
    }

    /// The maximum time until the end of "until tomorrow", in seconds: a day, and another day in case the clock was
    /// wrong.
    static let maximumLeadSeconds: Int64 = 172_800

    var states: [AppKey: AppState] = [:]
    private let calendar: @Sendable (Int64) -> Int64
    /// A Boolean value indicating whether the stored ends have been compared with the clock.
    private var hasCheckedEnds = false
    /// The number of open prompts per user, by uid.
    var openPrompts: [UInt32: Int] = [:]
    /// The apps that wait until one of their user's prompts is closed.
    var queue = PromptQueue()
    /// The services switches that are being turned on, by uid (`nil` for the machine's switch), with the writes that
    /// complete this.
    var enabling: [UInt32?: UInt64] = [:]
    /// The actions of the change in progress.
    var actions: [Action] = []
    private(set) var now: Int64
    private var deadlines: [AppKey: Int64] = [:]
    /// The time in the last `Action.wake`.
    private var reportedDeadline: Int64?
    private var touched: Set<AppKey> = []
    private var nextPromptID: UInt64
    private var nextWrite: UInt64 = 1

    /// Creates a state machine that continues from stored data, with no app connected yet. Call `advance(to:)` next,
    /// which ends everything that has expired in the meantime.
    ///
    /// A grant for "once" belongs to the processes that had it. It takes effect again when one of them returns within
    /// 10 s (``returned(_:as:at:)``), and ends otherwise.
    ///
    /// - Parameters:
    ///   - onceHolders: The processes that had a grant for "once", by app.
    ///   - firstPromptID: The ID of the first prompt. An answer that a user typed before a restart must not apply to
    ///     another prompt, so choose an ID that no earlier run has reached.
    ///   - nextMidnight: Returns the first local midnight after a time, both in seconds since 1970.
    public init(
        table: AuthorizationTable = AuthorizationTable(), manifests: [AppIdentity: AppManifest] = [:],
        onceHolders: [AppKey: Set<ProcessStart>] = [:], firstPromptID: UInt64 = 1, at now: Int64,
        nextMidnight: @escaping @Sendable (Int64) -> Int64
    ) {
        self.table = table
        self.manifests = manifests
        self.now = now
        calendar = nextMidnight
        nextPromptID = firstPromptID
        for app in table.decidedApps(of: nil) {
            if let decision = table.decision(about: app), decision.lifetime == .once {
                var state = AppState(absentSince: now)
                state.returning = Returning(decision: decision, holders: onceHolders[app] ?? [], since: now)
                states[app] = state
                self.table.record(nil, about: app)
            }
            deadlines[app] = deadline(of: app)
        }
        deadline = deadlines.values.min()
    }

    /// The open prompts, oldest first.
    public var prompts: [OpenPrompt] {
        states.values.compactMap(\.prompt).sorted { $0.id < $1.id }
    }

    /// Returns the open prompt about the app, or `nil` if there is none. There is at most one such prompt.
    public func prompt(about app: AppKey) -> OpenPrompt? { states[app]?.prompt }

    /// Returns the accuracy of a first decision about the app that does not specify an accuracy.
    public func defaultAccuracy(of app: AppIdentity) -> AccuracyAuthorization {
        manifests[app]?.defaultAccuracy ?? .full
    }

    // MARK: Time and connections

    /// Ends everything whose time has come by `now`.
    public mutating func advance(to now: Int64) -> [Action] {
        begin(at: now)
        return finish()
    }

    /// Handles an app's first connection.
    public mutating func connected(_ app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        modify(app) { $0.isConnected = true }
        return finish()
    }

    /// Handles a connection of a process. If the process had the app's grant for "once" before the restart, the grant
    /// takes effect again.
    ///
    /// Attack: a user answers "once" in the evening and switches the machine off. In the morning, another process of
    /// the app starts with the session, within 10 s of the daemon, and has the location.
    public mutating func returned(_ app: AppKey, as process: ProcessStart, at now: Int64) -> [Action] {
        begin(at: now)
        if let returning = states[app]?.returning, returning.holders.contains(process) {
            set(returning.decision, about: app, endingTemporaryAccuracy: true)
        }
        return finish()
    }

    /// A Boolean value indicating whether a grant for "once" waits for one of its processes to return.
    public var awaitsReturn: Bool { states.values.contains { $0.returning != nil } }

    /// Handles that all processes of an app are in the background. Temporary full accuracy ends, as in Core Location.
    public mutating func wentToBackground(_ app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        if table.hasTemporaryFullAccuracy(app) { setTemporaryFullAccuracy(false, app) }
        return finish()
    }

    /// Handles the closing of an app's last connection, which also drops the app's requests.
    public mutating func disconnected(_ app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        modify(app) { state in
            state.isConnected = false
            state.absentSince = now
            state.joined = []
            state.waiting = []
        }
        startAbandonment(of: app)
        return finish()
    }

    // MARK: Configuration

    /// Applies the administrator's configuration at once. Open prompts keep their text.
    public mutating func use(
        restrictions: Set<Restriction>, manifests: [AppIdentity: AppManifest], at now: Int64
    ) -> [Action] {
        begin(at: now)
        self.manifests = manifests
        changeForAll { $0.restrictions = restrictions }
        return finish()
    }
}

// MARK: - Beginning and ending a change

extension AuthorizationStateMachine {
    /// Begins a change at `now`. It first ends everything that has expired, because a timer may be late.
    mutating func begin(at now: Int64) {
        setClock(now)
        expireDue()
        if !hasCheckedEnds { limitEnds() }
    }

    mutating func setClock(_ now: Int64) {
        if now < self.now { rebase(to: now) }
        self.now = now
    }

    mutating func expireDue() {
        guard let deadline, deadline <= now else { return }
        for app in deadlines.filter({ $0.value <= now }).keys.sorted(by: precedes) { end(app) }
    }

    /// Finishes a change. Returns its actions, with the next `Action.wake` if the deadline has changed.
    mutating func finish() -> [Action] {
        for app in touched.sorted(by: precedes) {
            // The change may have removed the last condition that kept something from ending.
            if let moment = deadline(of: app), moment <= now { end(app) }
        }
        for app in touched where states[app]?.waiting.isEmpty != false { queue.remove(app) }
        promptForWaitingApps()
        for app in touched {
            deadlines[app] = deadline(of: app)
            if states[app]?.isIdle == true, deadlines[app] == nil { states[app] = nil }
        }
        touched = []
        deadline = deadlines.values.min()
        if deadline != reportedDeadline {
            reportedDeadline = deadline
            actions.append(.wake(at: deadline))
        }
        defer { actions = [] }
        return actions
    }

    /// Changes the state of an app.
    mutating func modify(_ app: AppKey, _ change: (inout AppState) -> Void) {
        touched.insert(app)
        change(&states[app, default: AppState(absentSince: now)])
    }

    mutating func makePromptID() -> UInt64 {
        defer { nextPromptID += 1 }
        return nextPromptID
    }

    mutating func makeWrite(_ change: Write.Change) -> Write {
        defer { nextWrite += 1 }
        return Write(id: nextWrite, change: change)
    }

    /// Handles a clock that was set back. Periods that began later than `now` begin at `now`, so that the clock's error
    /// does not extend them.
    private mutating func rebase(to now: Int64) {
        hasCheckedEnds = false
        for app in states.keys {
            modify(app) { state in
                state.absentSince = min(state.absentSince, now)
                if let returning = state.returning { state.returning?.since = min(returning.since, now) }
                state.abandonedSince = state.abandonedSince.map { min($0, now) }
                state.lastDismissal = min(state.lastDismissal, now)
            }
        }
    }
}

extension AuthorizationStateMachine {
    /// Returns the lifetime of a decision "until tomorrow" that is made at `now`: until the next local midnight, or a
    /// day if the calendar's answer cannot be right.
    public func untilTomorrow(at now: Int64) -> Decision.Lifetime {
        let midnight = calendar(now)
        let isSensible = midnight > now && midnight <= now + Self.maximumLeadSeconds
        return .until(secondsSince1970: isSensible ? midnight : now + 86_400)
    }

    /// Returns whether a decision "until tomorrow" ends later than is possible.
    func isTooLong(_ decision: Decision) -> Bool {
        decision.lifetime.end.map { $0 > now + Self.maximumLeadSeconds } ?? false
    }

    /// Moves the end of decisions "until tomorrow" to the next midnight if it is more than two days ahead. Called at
    /// the start, and after the clock was set back.
    ///
    /// Attack, or accident: "until tomorrow" is answered while the clock is a year ahead, and lasts for that year.
    private mutating func limitEnds() {
        hasCheckedEnds = true
        for app in table.decidedApps(of: nil).sorted(by: precedes) {
            guard var decision = table.decision(about: app), isTooLong(decision) else { continue }
            decision.lifetime = untilTomorrow(at: now)
            set(decision, about: app, endingTemporaryAccuracy: false)
            // A decision that is being written replaces the old row.
            if states[app]?.opening == nil { actions.append(.write(makeWrite(.decision(decision, about: app)))) }
        }
    }
}

/// Returns whether `a` comes before `b`, by uid and then by the bytes of the name. This order makes results
/// reproducible.
package func precedes(_ a: AppKey, _ b: AppKey) -> Bool {
    (a.uid, BytewiseString(a.app.description)) < (b.uid, BytewiseString(b.app.description))
}
