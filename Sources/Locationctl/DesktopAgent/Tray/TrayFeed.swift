internal import Bytewise
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The tray's calls to the daemon. Reading never asks the user for a password.
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

    /// Creates the feed of a user's apps. For `nil`, they are the caller's apps or, for root, the apps of all users.
    init(_ daemon: DaemonConnection, uid: Int?) {
        self.daemon = daemon
        scope = UserScope(uid: uid, allowInteractiveAuthentication: false)
    }

    /// The apps that use the location, until the daemon refuses to list them. Waits for a daemon that is not running.
    var uses: Feed<[IndicatorEntry]> {
        Feed(isTemporary: { error, _ in error.isUnreachable }) { onValue in
            // The names of apps, empty for apps without a name. All entries have to be read to find one.
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

    /// Returns the entries with the names from their desktop entries, as in prompts.
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
