internal import Bytewise
public import LocationModel

/// Every app's authorization, and how it comes about: requests, questions, answers, decisions, and how they end.
///
/// Each mutating function returns what has to be done, in that order. Time is passed in, in whole seconds since
/// 1970-01-01T00:00:00Z. A clock that is set back shortens nothing that closes: what was counted from a later moment is
/// counted from now.
///
/// What opens takes effect when it is on the disk; what closes takes effect at once, before it is written, and stays so
/// when writing fails. A decision that does both takes effect at once as far as it closes.
///
/// What it keeps is bounded by the apps that are decided about or connected and the requests that are pending, which
/// the caller bounds.
public struct AuthorizationMachine: Sendable {
    /// How long a question stays open when nobody waits for its answer any more, in seconds. An app that asks, goes and
    /// asks anew so makes no prompt flicker: it comes back to the same one.
    public static let abandonedQuestionSeconds: Int64 = 10
    /// After so many dismissals in a row the user is left in peace.
    public static let dismissalsInARow = 3
    /// How long after those the app's requests prompt nobody, in seconds.
    public static let peaceSeconds: Int64 = 60
    /// The greatest number of open prompts of one user.
    ///
    /// Attack: two hundred programs, each with a path of its own, ask at once. The list of their prompts was longer than a
    /// reply may be, which ended every agent, and no user can answer so many.
    public static let maximumOpenPromptsPerUser = 8
    /// The greatest number of apps of one user with a decision.
    ///
    /// Attack: a user grants without end what does not exist: each grant stays in memory and in the database, and
    /// lengthens what is shown to the administrator.
    public static let maximumDecisionsPerUser = 1000

    /// What holds now.
    public internal(set) var table: AuthorizationTable
    /// The apps' manifests. They are about an app, whoever runs it.
    public internal(set) var manifests: [AppIdentity: AppManifest]
    /// When `advance(to:)` has something to do, in seconds since 1970; `nil`: never. Told by `Action.wake` as well.
    public private(set) var deadline: Int64?

    /// A Boolean value indicating whether the table is all that there is: a machine that is made of it anew knows as
    /// much.
    public var isAtRest: Bool {
        enabling.isEmpty
            && states.allSatisfy { app, state in
                state.isIdle && table.decision(about: app)?.lifetime != .once && !table.hasTemporaryFullAccuracy(app)
            }
    }

    var states: [AppKey: AppState] = [:]
    /// The number of open prompts by user.
    var openPrompts: [UInt32: Int] = [:]
    /// The apps that wait for one of their user's prompts to be closed.
    var queue = PromptQueue()
    /// The services switches that are being turned on, by user, and the writes after which they are on.
    var enabling: [UInt32?: UInt64] = [:]
    /// What is to be done after the change that is under way.
    var actions: [Action] = []
    private(set) var now: Int64
    private var deadlines: [AppKey: Int64] = [:]
    /// What the last `Action.wake` said.
    private var toldDeadline: Int64?
    private var touched: Set<AppKey> = []
    private var nextQuestion: UInt64
    private var nextWrite: UInt64 = 1

    /// A machine that goes on with what was stored, no app being connected yet. Call `advance(to:)` next: it ends what
    /// ended meanwhile.
    ///
    /// - Parameter firstQuestion: the id of the first question. An answer that a user typed before a restart must not
    ///   meet another question: begin where no earlier run has been.
    public init(
        table: AuthorizationTable = AuthorizationTable(), manifests: [AppIdentity: AppManifest] = [:],
        firstQuestion: UInt64 = 1, at now: Int64
    ) {
        self.table = table
        self.manifests = manifests
        self.now = now
        nextQuestion = firstQuestion
        for app in table.decidedApps(of: nil) {
            // An app that was granted "once" has ten seconds to come back after a restart.
            if table.decision(about: app)?.lifetime == .once { states[app] = AppState(absentSince: now) }
            deadlines[app] = deadline(of: app)
        }
        deadline = deadlines.values.min()
    }

    /// The questions that are open, the oldest first.
    public var questions: [Question] {
        states.values.compactMap(\.question).sorted { $0.id < $1.id }
    }

    /// The question about the app that is open; there is one at most.
    public func question(about app: AppKey) -> Question? { states[app]?.question }

    /// The accuracy of a decision about the app that names none, where nobody has decided yet.
    public func defaultAccuracy(of app: AppIdentity) -> AccuracyAuthorization {
        manifests[app]?.defaultAccuracy ?? .full
    }

    // MARK: Time and connections

    /// Time has passed: ends what ends by it.
    public mutating func advance(to now: Int64) -> [Action] {
        begin(at: now)
        return finish()
    }

    /// The app made its first connection.
    public mutating func connected(_ app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        modify(app) { $0.isConnected = true }
        return finish()
    }

    /// The app's last connection was closed. Its requests are gone with it.
    public mutating func disconnected(_ app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        modify(app) { state in
            state.isConnected = false
            state.absentSince = now
            state.askers = []
            state.waiting = []
        }
        noteAbandonment(of: app)
        return finish()
    }

    // MARK: Configuration

    /// The administrator's configuration was read: it holds at once. Questions that are open keep their text.
    public mutating func use(
        restrictions: Set<Restriction>, manifests: [AppIdentity: AppManifest], at now: Int64
    ) -> [Action] {
        begin(at: now)
        self.manifests = manifests
        changeForAll { $0.restrictions = restrictions }
        return finish()
    }
}

// MARK: - The frame of each change

extension AuthorizationMachine {
    /// Ends what has ended by `now`, before something happens then: a timer may come late.
    mutating func begin(at now: Int64) {
        setClock(now)
        endWhatIsOver()
    }

    mutating func setClock(_ now: Int64) {
        if now < self.now { rebase(to: now) }
        self.now = now
    }

    mutating func endWhatIsOver() {
        guard let deadline, deadline <= now else { return }
        for app in deadlines.filter({ $0.value <= now }).keys.sorted(by: precedes) { end(app) }
    }

    /// What has to be done, and when the next thing ends.
    mutating func finish() -> [Action] {
        for app in touched.sorted(by: precedes) {
            // What happened may have been what kept something from ending.
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
        if deadline != toldDeadline {
            toldDeadline = deadline
            actions.append(.wake(at: deadline))
        }
        defer { actions = [] }
        return actions
    }

    /// Changes what is remembered of an app.
    mutating func modify(_ app: AppKey, _ change: (inout AppState) -> Void) {
        touched.insert(app)
        change(&states[app, default: AppState(absentSince: now)])
    }

    mutating func makeQuestionID() -> UInt64 {
        defer { nextQuestion += 1 }
        return nextQuestion
    }

    mutating func makeWrite(_ change: Write.Change) -> Write {
        defer { nextWrite += 1 }
        return Write(id: nextWrite, change: change)
    }

    /// The clock was set back. What began later than now begins now, so that nothing lasts as long as the clock was
    /// off.
    private mutating func rebase(to now: Int64) {
        for app in states.keys {
            modify(app) { state in
                state.absentSince = min(state.absentSince, now)
                state.abandonedSince = state.abandonedSince.map { min($0, now) }
                state.lastDismissal = min(state.lastDismissal, now)
            }
        }
    }
}

/// Returns whether `a` comes before `b`, by user and by the bytes of the name: an order in which the same happens each time.
package func precedes(_ a: AppKey, _ b: AppKey) -> Bool {
    (a.uid, BytewiseString(a.app.description)) < (b.uid, BytewiseString(b.app.description))
}
