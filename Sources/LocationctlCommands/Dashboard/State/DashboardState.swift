internal import LocationModel
internal import LocationProtocol

/// The state of the dashboard: what the daemon has reported, and what is on the screen.
///
/// It has no clock and no connection. Times are seconds on a clock that never goes back; actions are returned as
/// requests.
struct DashboardState {
    /// The contents below the position.
    enum View: Equatable {
        case overview, details, prompts
        case question(DashboardQuestion)
    }

    /// The access to the management socket.
    enum Management: Equatable {
        case unknown, open
        case failed(String)
    }

    /// The shortest time between two readings of the apps and of the access log, in seconds.
    static let listsInterval = 2.0
    static let logInterval = 60.0

    /// The identity of this program, which is an app like any other.
    let ownApp: AppKey?
    /// A Boolean value indicating whether the user wants to see the location.
    let wantsPosition: Bool

    // MARK: From the daemon

    var isConnected = false
    /// A Boolean value indicating whether the daemon has run and cannot be reached any more.
    var isLost = false
    var authorization: Authorization?
    var history = MotionHistory()
    var location: Location? { history.samples.last?.location }
    /// The last event of the subscription that is not a location.
    var positionEvent: UpdateEvent?
    /// The reason why there is no subscription.
    var subscriptionFailure: String?
    var isSubscribed = false
    /// A Boolean value indicating whether the authorization has changed since the subscription was opened.
    var isAuthorizationNew = false
    var management = Management.unknown
    var lists: DashboardEvent.Lists?
    var receivers: [ReceiverSummary] = []
    var satellites: [ReceiverSatellites] = []
    var rates = FixRates()
    var followsReceivers = false
    var sessions: [SessionSummary]?
    var uses: [IndicatorEntry]?
    var log: [AccessLogEntry]?
    var hasReadLog = false
    var apps: [WatchedApp] = []
    var listsSchedule = ReadingSchedule(interval: listsInterval)
    var logSchedule = ReadingSchedule(interval: logInterval)
    /// The prompts, and the keys that answer them.
    var agent = AgentState()

    // MARK: On the screen

    var view = View.overview
    /// The app at the cursor. It stays at this app when the list changes. Attack: an app makes itself move up when a
    /// finger is on its way to a key that is meant for another one.
    var selection: AppKey?
    /// The message about the latest event.
    var notice: String?

    init(ownApp: AppKey? = nil, wantsPosition: Bool = true) {
        self.ownApp = ownApp
        self.wantsPosition = wantsPosition
    }

    /// The app at the cursor.
    var selectedApp: WatchedApp? { apps.first { $0.key == selection } }

    /// A Boolean value indicating whether everything that a first screen shows has arrived.
    var isComplete: Bool {
        guard isConnected, authorization != nil else { return false }
        if case .failed = management { return true }
        return lists != nil && hasReadLog && sessions != nil && uses != nil && agent.isConnected
    }
}
