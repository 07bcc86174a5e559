public import LocationModel

/// The decisions in force on this machine, and the only place that evaluates them.
///
/// Closed by default: an app without an entry in the table gets nothing. `AuthorizationStateMachine` makes and ends
/// decisions.
public struct AuthorizationTable: Sendable {
    /// The grace period of a grant for "once" after the app's last connection is closed, in seconds.
    public static let onceGraceSeconds: Int64 = 10

    private var decisions: [AppKey: Decision]
    /// The number of decisions per user, by uid.
    private var decisionCounts: [UInt32: Int] = [:]
    private var machineServicesEnabled: Bool
    private var usersWithServicesDisabled: Set<UInt32>
    /// The limits that users' desktops have set with their own switches, by the agent that set each.
    private var desktopLimits: [UInt32: [AppIdentity: DesktopLimit]]
    /// The administrator's restrictions. They override decisions, but do not delete them.
    var restrictions: Set<Restriction> { didSet { generation += 1 } }
    /// The apps that currently have full accuracy despite a reduced grant. Never stored.
    var temporarilyFull: Set<AppKey> = [] { didSet { generation += 1 } }
    /// The revisions of the present decisions.
    private var revisions: DecisionRevisions
    /// The number of changes to anything that an app's authorization depends on.
    ///
    /// Attack: a grant is revoked, but an entitlement that was looked up earlier remains in use. So every change that
    /// can affect an app's authorization increments this number.
    private(set) var generation: UInt64 = 0

    /// Creates a table from the stored decisions and switches and the configured restrictions.
    ///
    /// - Parameters:
    ///   - desktopLimits: The limits that desktops have set, by their agents.
    ///   - firstRevision: The revision of all present decisions. Choose one that no earlier run has reached, so that a
    ///     call that was prepared before a restart does not match.
    public init(
        decisions: [AppKey: Decision] = [:], machineServicesEnabled: Bool = true,
        usersWithServicesDisabled: Set<UInt32> = [], desktopLimits: [AppKey: DesktopLimit] = [:],
        restrictions: Set<Restriction> = [], firstRevision: UInt64 = 1
    ) {
        revisions = DecisionRevisions(first: firstRevision)
        self.desktopLimits = [:]
        for (agent, limit) in desktopLimits { self.desktopLimits[agent.uid, default: [:]][agent.app] = limit }
        self.decisions = decisions
        for app in decisions.keys { decisionCounts[app.uid, default: 0] += 1 }
        self.machineServicesEnabled = machineServicesEnabled
        self.usersWithServicesDisabled = usersWithServicesDisabled
        self.restrictions = restrictions
    }

    /// Returns the app's current authorization.
    ///
    /// A restriction overrides everything else. Location services that are off override a decision.
    public func authorization(of key: AppKey) -> Authorization {
        let enabled = servicesEnabled(for: key.uid)
        let decided = decidedStatus(of: key)
        let isReduced =
            decisions[key]?.accuracy == .reduced && !temporarilyFull.contains(key)
            || isReducedByDesktop(for: key.uid)
        return Authorization(
            status: enabled || decided == .restricted ? decided : .denied, accuracy: isReduced ? .reduced : .full,
            servicesEnabled: enabled, decision: enabled ? nil : decided)
    }

    /// Returns the app's status while location services are on.
    private func decidedStatus(of key: AppKey) -> AuthorizationStatus {
        if restrictions.cover(key) { return .restricted }
        return switch decisions[key]?.level {
        case nil: .notDetermined
        case .denied: .denied
        case .whenInUse: .authorizedWhenInUse
        case .provisionalAlways, .always: .authorizedAlways
        }
    }

    /// Returns whether the app sees `authorizedAlways`, but receives nothing in the background until the user has
    /// confirmed it at a second prompt.
    public func isProvisional(_ key: AppKey) -> Bool {
        decisions[key]?.level == .provisionalAlways && authorization(of: key).status == .authorizedAlways
    }

    /// Returns whether the administrator's configuration bars the app from the location.
    public func isRestricted(_ key: AppKey) -> Bool { restrictions.cover(key) }

    /// Returns whether the app currently has full accuracy despite a reduced grant.
    public func hasTemporaryFullAccuracy(_ key: AppKey) -> Bool { temporarilyFull.contains(key) }

    /// Returns the decision about the app, or `nil` if there is no decision or it has ended.
    public func decision(about key: AppKey) -> Decision? { decisions[key] }

    /// Returns the apps with a decision, of one user or, if `uid` is `nil`, of all users.
    public func decidedApps(of uid: UInt32?) -> [AppKey] {
        decisions.keys.filter { uid == nil || $0.uid == uid }
    }

    /// Returns whether any of the user's apps was granted the location always. A provisional grant does not count,
    /// because nothing is recorded in the background under it.
    public func hasAlwaysGrant(of uid: UInt32) -> Bool {
        decisions.contains { $0.key.uid == uid && $0.value.level == .always }
    }

    /// A Boolean value indicating whether any app of any user is granted the location.
    public var hasGrant: Bool { decisions.contains { $0.value.grants } }

    /// Returns the revision of the present decision about the app, or of its absence. The revision changes with every
    /// change of the decision, with its end, with the beginning and end of temporary full accuracy, and with a restart.
    /// It is at least 1 and below 2^53.
    public func revision(of key: AppKey) -> UInt64 { revisions[key] }

    /// Marks the decision about the app as changed.
    mutating func revise(_ key: AppKey) { revisions.change(key, isKept: decisions[key] != nil) }

    /// Returns the number of the user's apps that have a decision.
    func decisionCount(of uid: UInt32) -> Int { decisionCounts[uid] ?? 0 }

    /// Records a decision. `nil` removes the decision, so that the app's next request prompts again.
    mutating func record(_ decision: Decision?, about key: AppKey) {
        generation += 1
        let change = (decision == nil ? 0 : 1) - (decisions[key] == nil ? 0 : 1)
        decisions[key] = decision
        revise(key)
        guard change != 0 else { return }
        let count = decisionCount(of: key.uid) + change
        decisionCounts[key.uid] = count > 0 ? count : nil
    }

    /// Returns whether location services are on for a user: according to the machine-wide switch, the user's own switch
    /// and the switch of the user's desktop, if there is one.
    public func servicesEnabled(for uid: UInt32) -> Bool {
        machineServicesEnabled && !usersWithServicesDisabled.contains(uid) && !isSwitchedOffByDesktop(for: uid)
    }

    /// Returns whether the user's desktop has turned location services off with its own switch.
    public func isSwitchedOffByDesktop(for uid: UInt32) -> Bool {
        desktopLimits[uid]?.values.contains(.off) == true
    }

    /// Returns whether the user's desktop limits all apps to reduced accuracy.
    public func isReducedByDesktop(for uid: UInt32) -> Bool {
        // This is checked for most deliveries, and there is almost never a limit.
        !desktopLimits.isEmpty && desktopLimits[uid] != nil
    }

    /// Returns the agents of a user's desktops that have set a limit, with their limits.
    public func desktopLimits(of uid: UInt32) -> [AppIdentity: DesktopLimit] { desktopLimits[uid] ?? [:] }

    /// A Boolean value indicating whether the machine-wide location services switch is on.
    public var servicesEnabledOnMachine: Bool { machineServicesEnabled }

    /// Turns location services on or off, for one user or, if `uid` is `nil`, for the whole machine.
    mutating func setServicesEnabled(_ enabled: Bool, for uid: UInt32?) {
        generation += 1
        guard let uid else {
            machineServicesEnabled = enabled
            return
        }
        if enabled { usersWithServicesDisabled.remove(uid) } else { usersWithServicesDisabled.insert(uid) }
    }

    /// Sets the limit of an agent of a user's desktop. `nil` removes the limit.
    mutating func setDesktopLimit(_ limit: DesktopLimit?, by agent: AppKey) {
        generation += 1
        desktopLimits[agent.uid, default: [:]][agent.app] = limit
        if desktopLimits[agent.uid]?.isEmpty == true { desktopLimits[agent.uid] = nil }
    }
}

// MARK: - Requests

extension AuthorizationTable {
    /// The outcome of a request.
    enum RequestOutcome: Sendable, Equatable {
        /// The request is answered at once, with the current authorization.
        case answered
        /// The user has to be prompted.
        case prompt
        /// There is no usage description, neither from a manifest nor from the app itself.
        case usageDescriptionMissing
    }

    /// Returns the outcome of a request for `level`. `usageDescription` comes from the manifest or from the app itself.
    ///
    /// Only requests of an app without a decision prompt, and one more for `always` from an app with a permanent "while
    /// in use".
    func outcome(ofRequestFor level: RequestedLevel, usageDescription: String?, by key: AppKey) -> RequestOutcome {
        switch authorization(of: key).status {
        case .restricted, .denied, .authorizedAlways: return .answered
        // As in Core Location, a grant for a limited time is not extended by a request for more.
        case .authorizedWhenInUse
        where level == .whenInUse || decisions[key]?.alwaysPromptSpent == true
            || decisions[key]?.lifetime != .permanent:
            return .answered
        case .notDetermined, .authorizedWhenInUse:
            return (usageDescription ?? "").allSatisfy(\.isWhitespace) ? .usageDescriptionMissing : .prompt
        }
    }
}

// MARK: - Reduced accuracy

extension AuthorizationTable {
    /// Returns whether any app of a user other than `uid` was granted reduced accuracy, or full accuracy that the
    /// user's desktop limits to reduced accuracy.
    ///
    /// Disabled location services, a restriction and temporary full accuracy make no difference: the app has reduced
    /// accuracy again when they end.
    public func hasReducedGrant(except uid: UInt32? = nil) -> Bool {
        decisions.contains { app, decision in
            app.uid != uid && decision.grants
                && (decision.accuracy == .reduced || desktopLimits[app.uid]?.values.contains(.reduced) == true)
        }
    }
}
