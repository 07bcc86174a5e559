public import LocationModel

/// Every decision that holds on this machine, and the one place where it is read.
///
/// Closed by default: an app that is not in the table has nothing. Time is passed in, in seconds since
/// 1970-01-01T00:00:00Z. How decisions come about and end is `AuthorizationMachine`'s.
public struct AuthorizationTable: Sendable {
    /// How long an app that was granted "once" may be without a connection, in seconds.
    public static let onceGraceSeconds: Int64 = 10

    private var decisions: [AppKey: Decision]
    /// The number of decisions by user.
    private var decisionCounts: [UInt32: Int] = [:]
    private var machineServicesEnabled: Bool
    private var usersWithServicesDisabled: Set<UInt32>
    /// What the administrator forbids. Nothing of what was decided is lost by it.
    var restrictions: Set<Restriction> { didSet { generation += 1 } }
    /// The apps that have full accuracy for now, although it was granted reduced. Never stored.
    var temporarilyExact: Set<AppKey> = [] { didSet { generation += 1 } }
    /// Counts the changes of what follows from the table.
    ///
    /// Attack: a grant is revoked, and an entitlement that was looked up before goes on. So everything that can change what
    /// an app may have counts here.
    private(set) var generation: UInt64 = 0

    /// A table as it was stored.
    public init(
        decisions: [AppKey: Decision] = [:], machineServicesEnabled: Bool = true,
        usersWithServicesDisabled: Set<UInt32> = [], restrictions: Set<Restriction> = []
    ) {
        self.decisions = decisions
        for app in decisions.keys { decisionCounts[app.uid, default: 0] += 1 }
        self.machineServicesEnabled = machineServicesEnabled
        self.usersWithServicesDisabled = usersWithServicesDisabled
        self.restrictions = restrictions
    }

    /// What the app may have now.
    ///
    /// A restriction beats everything else; location services that are off beat what was decided.
    public func authorization(of key: AppKey) -> Authorization {
        let enabled = servicesEnabled(for: key.uid)
        let decision = decisions[key]
        let status: AuthorizationStatus =
            if restrictions.cover(key) {
                .restricted
            } else if !enabled {
                .denied
            } else {
                switch decision?.level {
                case nil: .notDetermined
                case .denied: .denied
                case .whenInUse: .authorizedWhenInUse
                case .provisionalAlways, .always: .authorizedAlways
                }
            }
        let isReduced = decision?.accuracy == .reduced && !temporarilyExact.contains(key)
        return Authorization(status: status, accuracy: isReduced ? .reduced : .full, servicesEnabled: enabled)
    }

    /// Returns whether the app sees `authorizedAlways`, but has nothing in the background before the user was asked
    /// again.
    public func isProvisional(_ key: AppKey) -> Bool {
        decisions[key]?.level == .provisionalAlways && authorization(of: key).status == .authorizedAlways
    }

    /// Returns whether the administrator's configuration forbids the app the location.
    public func isRestricted(_ key: AppKey) -> Bool { restrictions.cover(key) }

    /// Returns whether the app has full accuracy for now, although it was granted reduced.
    public func hasTemporaryFullAccuracy(_ key: AppKey) -> Bool { temporarilyExact.contains(key) }

    /// What was decided about the app; `nil` when nobody has, or when the decision has ended.
    public func decision(about key: AppKey) -> Decision? { decisions[key] }

    /// Every app of that user, or of all users, that was decided about.
    public func decidedApps(of uid: UInt32?) -> [AppKey] {
        decisions.keys.filter { uid == nil || $0.uid == uid }
    }

    /// Returns the number of the user's apps that were decided about.
    func decisionCount(of uid: UInt32) -> Int { decisionCounts[uid] ?? 0 }

    /// Records a decision. `nil` forgets what was decided: a request will prompt again.
    mutating func record(_ decision: Decision?, about key: AppKey) {
        generation += 1
        let change = (decision == nil ? 0 : 1) - (decisions[key] == nil ? 0 : 1)
        decisions[key] = decision
        guard change != 0 else { return }
        let count = decisionCount(of: key.uid) + change
        decisionCounts[key.uid] = count > 0 ? count : nil
    }

    /// Returns whether location services are on for a user: both the machine's switch and the user's own.
    public func servicesEnabled(for uid: UInt32) -> Bool {
        machineServicesEnabled && !usersWithServicesDisabled.contains(uid)
    }

    /// The switch of the whole machine.
    public var servicesEnabledOnMachine: Bool { machineServicesEnabled }

    /// Turns location services on or off, for one user or, where `uid` is `nil`, for the machine.
    mutating func setServicesEnabled(_ enabled: Bool, for uid: UInt32?) {
        generation += 1
        guard let uid else {
            machineServicesEnabled = enabled
            return
        }
        if enabled { usersWithServicesDisabled.remove(uid) } else { usersWithServicesDisabled.insert(uid) }
    }
}

// MARK: - Requests

extension AuthorizationTable {
    /// What becomes of a request.
    enum RequestOutcome: Sendable, Equatable {
        /// It has its answer already: the authorization as it is.
        case answered
        /// A user is to be asked.
        case prompt
        /// Neither a manifest nor the app itself says what it wants the location for.
        case usageDescriptionMissing
    }

    /// What becomes of a request for `level`, for which the app or its manifest gives `usageDescription`.
    ///
    /// Only an app that nobody has decided about prompts; for `always`, one that has "while in use" prompts once more.
    func outcome(ofRequestFor level: RequestedLevel, usageDescription: String?, by key: AppKey) -> RequestOutcome {
        switch authorization(of: key).status {
        case .restricted, .denied, .authorizedAlways: return .answered
        case .authorizedWhenInUse where level == .whenInUse || decisions[key]?.alwaysQuestionSpent == true:
            return .answered
        case .notDetermined, .authorizedWhenInUse:
            return (usageDescription ?? "").allSatisfy(\.isWhitespace) ? .usageDescriptionMissing : .prompt
        }
    }
}
