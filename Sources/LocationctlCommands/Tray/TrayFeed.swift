internal import Bytewise
internal import LocationModel
internal import LocationProtocol

/// The tray's calls to the daemon. For what is only shown, nobody is asked for a password.
struct TrayFeed: Sendable {
    enum Event: Sendable {
        /// The apps that use the location.
        case uses([IndicatorEntry])
        /// The daemon has gone away.
        case lost
        /// The daemon refuses to say who uses the location.
        case ended
    }

    /// The decisions about the apps, and the switch of location services.
    struct Lists: Sendable {
        let grants: [AppSummary]
        let services: GetServices.Reply
    }

    /// The delay between attempts to reach a daemon that is not there.
    private static let retry = Duration.seconds(1)
    /// The maximum number of names that are kept.
    private static let maximumNames = 1000

    private let daemon: DaemonConnection
    private let scope: UserScope

    /// Creates the feed of a user's apps; with `nil`, of the caller's or, for root, of all users.
    init(_ daemon: DaemonConnection, uid: Int?) {
        self.daemon = daemon
        scope = UserScope(uid: uid, allowInteractiveAuthentication: false)
    }

    /// Passes each event to `body` until the task is cancelled or the daemon refuses.
    func follow(_ body: (Event) -> Void) async {
        // The names of apps, empty for those that have none: all entries are read for one of them.
        var names: [BytewiseString: String] = [:]
        while !Task.isCancelled {
            do {
                try await Reconnection(delay: Self.retry, isTemporary: Self.isTemporary).run { onReply in
                    try await daemon.lists(GetIndicator.self, scope) { list in
                        _ = onReply()
                        body(.uses(Self.named(list.apps, &names)))
                        return true
                    }
                } onLost: {
                    body(.lost)
                }
            } catch {
                guard Self.isTemporary(error) else { return body(.ended) }
            }
            try? await Task.sleep(for: Self.retry)
        }
    }

    private static func isTemporary(_ error: any Error) -> Bool { (error as? Failure)?.status == .unreachable }

    /// Returns the lists, or `nil` if they cannot be read.
    func read() async -> Lists? {
        async let grants = daemon.list(ListApps.self, scope).apps
        async let services = daemon.call(GetServices.self, scope)
        return try? await Lists(grants: grants, services: services)
    }

    /// Makes a decision. The user has clicked, and may be asked for a password. Returns the reason if it was not made.
    func decide(_ decision: UserDecision) async -> String? {
        if case .failure(let failure) = await daemon.attempt(decision) { failure.message } else { nil }
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
