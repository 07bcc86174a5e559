internal import Bytewise
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The rules of the mirror: the decisions about apps as entries of the desktop's permission store, and the effect of a
/// switch there.
///
/// Attack: every program of the session that is not sandboxed writes to the store. A denied app writes `EXACT` for
/// itself. So nothing there grants. A switch to on undoes a denial, so that the app's next request prompts again, each
/// time after a longer pause; a switch to off revokes. The user's programs can ask the daemon for either anyway, and
/// polkit authorizes it as it does in the tray.
///
/// An entry that the agent has not made stays as it is, since it may be the portal's, about a Flatpak of the same ID
/// that is not installed at the moment. A switch of it to off still revokes.
struct PermissionMirrorStateMachine {
    enum Action: Equatable {
        /// Observe the apps of the daemon, or stop observing them.
        case follow, unfollow
        /// Read the store's entries.
        case readEntries
        /// Read the times of the apps' last uses.
        case readUses
        case write(PermissionEntry, id: String)
        case remove(id: String)
        case decide(UserDecision)
        /// Call ``PermissionMirrorStateMachine/waited(at:)`` after a time in seconds.
        case wait(Double)
    }

    /// The least time between two rounds of writing, in seconds.
    ///
    /// Attack: a program changes entries without end, and each change has the agent restore them.
    static let writingInterval = 1.0
    /// The least time from the first switch of an app to on to the next that is passed on, in seconds. Each later
    /// pause is twice as long as the one before, up to ``greatestResettingInterval``.
    ///
    /// Attack: an app that the user denies again and again switches itself on each time, until the user gives in.
    static let resettingInterval = 60.0
    static let greatestResettingInterval = 86_400.0
    /// The time after a refused decision until switches are passed on again, in seconds.
    ///
    /// Attack: a program switches an app off whenever its entry is restored. Each time the user is asked for a
    /// password, until they give it to be rid of the dialogs.
    static let refusalInterval = 60.0

    /// The unique name of the store, or `nil` if it is not running. The agent does not start it.
    private var store: String?
    private var isFollowing = false
    /// The apps with a decision, by their ids, or `nil` if they are not known.
    private var apps: [BytewiseString: AppSummary]?
    /// The times of the last uses, in seconds since 1970.
    private var uses: [BytewiseString: Int64] = [:]
    private var isReading = false
    private var isReadingWanted = false
    /// The entries of the store, or `nil` if they are not known.
    private var entries: [BytewiseString: PermissionEntry]?
    /// The decision that is under way, or made but not in the list of apps yet. Its entry stays as the user left it.
    private var deciding: (id: BytewiseString, revision: Int, isMade: Bool)?
    private var lastWriting: Double?
    private var lastRefusal: Double?
    /// The last switch to on of each app that was passed on, and the pause after it.
    private var resets: [BytewiseString: (time: Double, pause: Double)] = [:]
    /// The granted apps whose entries another program has made, and has switched to off since the last decision.
    private var switchedOff: Set<BytewiseString> = []
    private var isWaiting = false

    // MARK: Events

    /// Handles a change of the owner of the store's name.
    mutating func storeChanged(to owner: String?) -> [Action] {
        guard owner != store else { return [] }
        (store, entries) = (owner, nil)
        guard owner != nil else {
            let wasFollowing = isFollowing
            ended()
            return wasFollowing ? [.unfollow] : []
        }
        guard !isFollowing else { return [.readEntries] }
        isFollowing = true
        return [.readEntries, .follow]
    }

    /// Handles the entries of the store, or `nil` if they cannot be read.
    mutating func received(_ entries: [BytewiseString: PermissionEntry]?, at time: Double) -> [Action] {
        guard store != nil else { return [] }
        var entries = entries
        for (id, entry) in entries ?? [:] {
            let earlier = self.entries?[id]
            let entry = entry.replacing(earlier)
            entries?[id] = entry
            if entry.isOwn || !entry.isOff {
                switchedOff.remove(id)
            } else if let earlier, !earlier.isOff, apps?[id]?.decided.isAuthorized == true {
                switchedOff.insert(id)
            }
        }
        self.entries = entries
        return reconcile(at: time)
    }

    /// Handles the list of apps. Only apps whose kind is `app` are mirrored: the settings show no others.
    mutating func received(_ apps: [AppSummary]) -> [Action] {
        guard isFollowing else { return [] }
        let shown = apps.compactMap { app in app.desktopID.map { ($0, app) } }.filter { $1.decision != nil }
        let earlier = self.apps
        let current = Dictionary(shown) { first, _ in first }
        self.apps = current
        // The user has decided since.
        switchedOff = switchedOff.filter { earlier?[$0]?.revision == current[$0]?.revision }
        return readUses()
    }

    private mutating func readUses() -> [Action] {
        isReadingWanted = isReading
        guard !isReading else { return [] }
        isReading = true
        return [.readUses]
    }

    /// Handles the times of the apps' last uses, which are empty if they could not be read.
    mutating func received(_ uses: [IndicatorEntry], at time: Double) -> [Action] {
        isReading = false
        for use in uses {
            guard let identity = AppIdentity(use.app), identity.kind == .app else { continue }
            let id = BytewiseString(identity.name)
            // Attack: a program learns from the store, to the second, when another one receives a location.
            if apps?[id] != nil { self.uses[id] = use.lastUse.millisecondsSince1970 / 900_000 * 900 }
        }
        if isReadingWanted { return readUses() }
        return reconcile(at: time)
    }

    /// Handles the loss of the daemon. The entries stay.
    mutating func lost() {
        (apps, deciding, switchedOff) = (nil, nil, [])
    }

    /// Handles the end of the list of apps, which the daemon refuses, as to a session that is not active. Call
    /// ``retried()`` after a while.
    mutating func ended() {
        isFollowing = false
        lost()
    }

    /// Requests the list of apps again after its end.
    mutating func retried() -> [Action] {
        guard store != nil, !isFollowing else { return [] }
        isFollowing = true
        return [.follow]
    }

    /// Handles the end of the agent: nothing stays in the store that nobody would keep true.
    mutating func ending() -> [Action] {
        let own = (entries ?? [:]).filter { $0.value.isOwn }.keys.sorted { $0 < $1 }
        return storeChanged(to: nil) + own.map { Action.remove(id: $0.text) }
    }

    /// Handles the end of a decision. If it failed, the switch goes back.
    mutating func decided(isMade: Bool, at time: Double) -> [Action] {
        guard deciding != nil else { return [] }
        if isMade {
            deciding?.isMade = true
            return readUses()
        }
        (deciding, lastRefusal) = (nil, time)
        return reconcile(at: time)
    }

    /// Handles the end of the time that ``Action/wait(_:)`` requested.
    mutating func waited(at time: Double) -> [Action] {
        isWaiting = false
        return reconcile(at: time)
    }

    // MARK: Rules

    private mutating func reconcile(at time: Double) -> [Action] {
        guard let apps, let entries else { return [] }
        if let deciding, deciding.isMade, apps[deciding.id]?.revision != deciding.revision { self.deciding = nil }
        var actions: [Action] = []
        var changes: [(id: BytewiseString, entry: PermissionEntry?)] = []
        for (id, app) in apps.sorted(by: { $0.key < $1.key }) where id != deciding?.id {
            if let entry = entries[id], let decision = decision(by: entry, about: app, id, at: time) {
                guard deciding == nil else { continue }
                if !entry.isOff {
                    let pause = resets[id].map { min(2 * $0.pause, Self.greatestResettingInterval) }
                    resets[id] = (time: time, pause: pause ?? Self.resettingInterval)
                }
                switchedOff.remove(id)
                deciding = (id: id, revision: app.revision, isMade: false)
                actions.append(.decide(decision))
            } else if entries[id]?.isOwn ?? true, entries[id] != wanted(id, app) {
                changes.append((id: id, entry: wanted(id, app)))
            }
        }
        for (id, entry) in entries.sorted(by: { $0.key < $1.key })
        where entry.isOwn && apps[id] == nil && id != deciding?.id { changes.append((id: id, entry: nil)) }
        return actions + perform(changes, at: time)
    }

    /// Returns the decision that a switch stands for, or `nil` if the app was not switched or nothing comes of it.
    private func decision(
        by entry: PermissionEntry, about app: AppSummary, _ id: BytewiseString, at time: Double
    ) -> UserDecision? {
        let isRefused = lastRefusal.map { time - $0 < Self.refusalInterval } ?? false
        guard entry.isSwitched || switchedOff.contains(id), !isRefused else { return nil }
        if entry.isOff { return app.decided.isAuthorized ? .revoke(app) : nil }
        let isSoon = resets[id].map { time - $0.time < $0.pause } ?? false
        guard app.decided == .denied, !isSoon else { return nil }
        return .reset(AppScope(app: app.app, uid: app.uid, revision: app.revision))
    }

    private mutating func perform(
        _ changes: [(id: BytewiseString, entry: PermissionEntry?)], at time: Double
    ) -> [Action] {
        guard !changes.isEmpty, !isWaiting else { return [] }
        if let lastWriting, time - lastWriting < Self.writingInterval {
            isWaiting = true
            return [.wait(lastWriting + Self.writingInterval - time)]
        }
        lastWriting = time
        return changes.map { id, entry in
            if let entry { return write(entry, id) }
            entries?[id] = nil
            return .remove(id: id.text)
        }
    }

    private mutating func write(_ entry: PermissionEntry, _ id: BytewiseString) -> Action {
        entries?[id] = entry
        return .write(entry, id: id.text)
    }

    /// Returns the entry for an app's decision.
    private func wanted(_ id: BytewiseString, _ app: AppSummary) -> PermissionEntry {
        let lastUse = uses[id].map { String($0) }
        return PermissionEntry(
            app.decided.isAuthorized ? .on : .off, lastUse: lastUse ?? entries?[id]?.lastUse ?? "0")
    }
}

extension AppSummary {
    /// The ID of the app's desktop file, or `nil` for an app of another kind.
    fileprivate var desktopID: BytewiseString? {
        guard let identity = AppIdentity(app), identity.kind == .app else { return nil }
        return BytewiseString(identity.name)
    }
}
