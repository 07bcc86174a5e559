internal import LocationModel
internal import LocationProtocol

/// The contents of the tray: the apps that use the location, the possible changes of their grants, and the switch of
/// location services.
struct TrayState: Equatable {
    /// An app in the tray.
    struct App: Equatable {
        let key: AppKey
        /// The display name, or the app's identity.
        var name: String
        var isActive: Bool
        var isInBackground: Bool
        /// The app with its changeable grant, or `nil` if it has no grant or only an administrator may change it.
        var granted: AppSummary?
    }

    /// The maximum number of listed apps. With more, the menu would be longer than a screen.
    static let maximumCount = 12

    /// A Boolean value indicating whether the daemon answers.
    private(set) var isConnected = false
    private(set) var uses: [IndicatorEntry] = []
    private(set) var grants: [AppSummary] = []
    private(set) var services: GetServices.Reply?
    /// A Boolean value indicating whether this user also decides about system services.
    let isAdministrator: Bool
    /// The user whose switch is shown, or `nil` for the caller.
    let uid: Int?

    init(isAdministrator: Bool, uid: Int? = nil) {
        self.isAdministrator = isAdministrator
        self.uid = uid
    }

    /// Applies the list of apps that use the location.
    mutating func received(_ uses: [IndicatorEntry]) {
        isConnected = true
        self.uses = uses
    }

    /// Applies the decisions about the apps, and the switch.
    mutating func received(_ grants: [AppSummary], _ services: GetServices.Reply) {
        self.grants = grants
        self.services = services
    }

    /// Handles the loss of the daemon.
    mutating func lost() { self = TrayState(isAdministrator: isAdministrator, uid: uid) }

    /// The apps that use the location now, in the order of their identities, so that none moves while the user points
    /// at it. Then the apps that did so in the last 24 hours and still may, latest use first.
    var apps: [App] {
        // Attack: a program whose path differs from another's only in the encoding of an accent gets the other's grant.
        let decided = Dictionary(
            grants.compactMap { grant -> (AppKey, AppSummary)? in
                guard let app = AppIdentity(grant.app), let uid = UInt32(exactly: grant.uid) else { return nil }
                return (AppKey(uid: uid, app: app), grant)
            }, uniquingKeysWith: { first, _ in first })
        let all = uses.compactMap { use -> App? in
            guard let identity = AppIdentity(use.app), let uid = UInt32(exactly: use.uid) else { return nil }
            let summary = decided[AppKey(uid: uid, app: identity)]
            var app = App(
                key: AppKey(uid: uid, app: identity), name: summary?.displayName ?? use.displayName ?? use.app,
                isActive: use.active, isInBackground: use.background)
            if let summary, summary.decided.isAuthorized, isAdministrator || identity.kind != .service {
                app.granted = summary
            }
            return app
        }
        let active = all.filter(\.isActive).sorted {
            ($0.key.app.description, $0.key.uid) < ($1.key.app.description, $1.key.uid)
        }
        return active + all.filter { !$0.isActive && $0.granted != nil }
    }

    /// A Boolean value indicating whether the item is shown: while an app uses the location, and while services are
    /// off, so that the user can switch them on.
    var isActive: Bool { uses.contains(where: \.active) || isOn == false }

    /// A Boolean value indicating whether location services are on, or `nil` if that is unknown.
    var isOn: Bool? { services.map { $0.machine && $0.user } }
}
