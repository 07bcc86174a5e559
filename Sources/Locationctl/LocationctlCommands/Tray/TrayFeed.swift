internal import Bytewise
internal import LocationModel
internal import LocationProtocol

/// The tray's calls to the daemon. For what is only shown, nobody is asked for a password.
struct TrayFeed: Sendable {
    /// The decisions about the apps, and the switch of location services.
    struct Lists: Sendable {
        let grants: [AppSummary]
        let services: GetServices.Reply
    }

    /// The maximum number of names that are kept.
    private static let maximumNames = 1000

    let daemon: DaemonConnection
    private let scope: UserScope

    /// Creates the feed of a user's apps; with `nil`, of the caller's or, for root, of all users.
    init(_ daemon: DaemonConnection, uid: Int?) {
        self.daemon = daemon
        scope = UserScope(uid: uid, allowInteractiveAuthentication: false)
    }

    /// The apps that use the location, until the daemon refuses to say that. A daemon that is not there is waited for.
    var uses: Feed<[IndicatorEntry]> {
        Feed(isTemporary: { error, _ in error.isUnreachable }) { onValue in
            // The names of apps, empty for those that have none: all entries are read for one of them.
            var names: [BytewiseString: String] = [:]
            try await daemon.lists(GetIndicator.self, scope) { list in
                onValue(Self.named(list.apps, &names))
                return true
            }
        }
    }

    /// Returns the lists, or `nil` if they cannot be read.
    func read() async -> Lists? {
        async let grants = daemon.list(ListApps.self, scope).apps
        async let services = daemon.call(GetServices.self, scope)
        return try? await Lists(grants: grants, services: services)
    }

    /// Returns the entries with the names of their desktop entries, as prompts have them.
    private static func named(_ uses: [IndicatorEntry], _ names: inout [BytewiseString: String]) -> [IndicatorEntry] {
        var named = uses
        for index in named.indices.prefix(TrayState.maximumCount) where named[index].displayName == nil {
            let app = BytewiseString(named[index].app)
            let name = names[app] ?? name(of: named[index].app)
            if names.count < maximumNames { names[app] = name }
            named[index].displayName = name.isEmpty ? nil : name
        }
        return named
    }

    private static func name(of app: String) -> String {
        DesktopEntry(of: app, in: DesktopEntry.folders, languages: Languages.preferred ?? [])?.name ?? ""
    }
}
