internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// Everything known about an app: its authorization and its uses of the location.
struct WatchedApp: Equatable {
    let key: AppKey
    /// The app with its decision; `nil` if it is neither connected nor decided.
    var summary: AppSummary?
    var sessions: [SessionSummary] = []
    /// The use of the location now or in the last 24 hours.
    var use: IndicatorEntry?
    /// The deliveries in the access log.
    var log: [AccessLogEntry] = []

    /// A Boolean value indicating whether the app uses the location now.
    var isActive: Bool { use?.active == true }

    /// The time of the last use. The log only has the hour of a use.
    var lastUse: Timestamp? { use?.lastUse ?? log.map(\.hour).max() }

    /// The display name from the app's manifest, or the app's identity.
    var name: String { summary?.displayName ?? use?.displayName ?? key.app.description }
    /// A Boolean value indicating whether the app has a name other than its identity.
    var hasDisplayName: Bool { summary?.displayName != nil || use?.displayName != nil }

    /// Returns whether the app's name or identity contains a lower-case text.
    func isNamed(_ text: String) -> Bool {
        [name, key.app.description].contains { DisplayText.shown($0).lowercased().contains(text) }
    }

    /// The protocols of the app's connections, other than the daemon's own.
    var fronts: String { FrontText.foreign(summary?.fronts ?? []) }

    /// Returns whether the app uses the location now, or did in the time before `now`.
    func wasActive(within seconds: Double, of now: Timestamp) -> Bool {
        isActive || lastUse.map { now.seconds(since: $0) <= seconds } ?? false
    }

    /// Returns the deliveries in each of the last 24 clock hours, the current hour last. An unknown number counts as
    /// one.
    func hourlyDeliveries(at now: Timestamp) -> [Int] {
        var hours = [Int](repeating: 0, count: 24)
        let current = now.millisecondsSince1970 / 3_600_000
        for entry in log {
            let age = current - entry.hour.millisecondsSince1970 / 3_600_000
            if (0..<24).contains(age) { hours[23 - Int(age)] += entry.deliveries ?? 1 }
        }
        return hours
    }
}

extension [WatchedApp] {
    /// Joins the daemon's lists. Apps that use the location now come first, in the order of their names; then past
    /// users, latest first; then the rest.
    init(apps: [AppSummary], sessions: [SessionSummary], uses: [IndicatorEntry], log: [AccessLogEntry]) {
        var all: [AppKey: WatchedApp] = [:]
        func change(_ app: String, _ uid: Int, _ body: (inout WatchedApp) -> Void) {
            guard let identity = AppIdentity(app) else { return }
            let key = AppKey(uid: UInt32(clamping: uid), app: identity)
            body(&all[key, default: WatchedApp(key: key)])
        }
        for app in apps { change(app.app, app.uid) { $0.summary = app } }
        for session in sessions { change(session.app, session.uid) { $0.sessions.append(session) } }
        for use in uses { change(use.app, use.uid) { $0.use = use } }
        for entry in log { change(entry.app, entry.uid) { $0.log.append(entry) } }
        self = all.values.sorted { $0.precedes($1) }
    }
}

extension WatchedApp {
    fileprivate func precedes(_ other: WatchedApp) -> Bool {
        if isActive != other.isActive { return isActive }
        if !isActive, lastUse != other.lastUse {
            return (lastUse?.millisecondsSince1970 ?? .min) > (other.lastUse?.millisecondsSince1970 ?? .min)
        }
        if key.uid != other.key.uid { return key.uid < other.key.uid }
        return key.app.description.utf8.lexicographicallyPrecedes(other.key.app.description.utf8)
    }
}
