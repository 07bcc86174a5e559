internal import LocationModel
internal import LocationProtocol

/// The state of the dashboard: what the daemon has reported, and what is on the screen.
///
/// It has no clock and no connection. Times are seconds on a clock that never goes back; actions are returned as
/// requests.
package struct DashboardState {
    /// The contents below the position.
    enum View: Equatable {
        case overview, details, prompts, help
        case question(DashboardQuestion)
    }

    /// The access to the management socket.
    enum Management: Equatable {
        case unknown, open
        case failed(String)
    }

    /// The reasons for showing or hiding the location.
    package enum PositionDisplay: Equatable {
        case shown
        /// The user declined it (--no-position).
        case declined
        /// The apps of another user are shown (--uid).
        case ofOtherUser
        /// The screen is printed once.
        case printed
    }

    /// The shortest time between two readings of the apps and of the access log, in seconds.
    static let listsInterval = 2.0
    static let logInterval = 60.0
    /// The maximum length of the filter.
    static let maximumFilter = 40
    /// The number of apps that PageUp and PageDown move the cursor by, and the number for the wheel.
    static let page = 10
    static let wheelStep = 3

    /// The identity of this program, which is an app like any other.
    let ownApp: AppKey?
    /// The reason for showing the location or not.
    let positionDisplay: PositionDisplay
    /// A Boolean value indicating whether the user wants to see the location.
    var wantsPosition: Bool { positionDisplay == .shown }

    // MARK: From the daemon

    var isConnected = false
    /// A Boolean value indicating whether the daemon was running and can no longer be reached.
    var isLost = false
    var authorization: Authorization?
    var history = MotionHistory()
    var location: Location? { history.samples.last?.location }
    /// The subscription's last event other than a location.
    var positionEvent: UpdateEvent?
    /// The reason why there is no subscription.
    var subscriptionFailure: String?
    var isSubscribed = false
    /// The time when the subscription was opened, in seconds.
    var subscribedSince: Double?
    /// A Boolean value indicating whether the authorization has changed since the subscription was opened.
    var isAuthorizationNew = false
    var management = Management.unknown
    var lists: DashboardEvent.Lists?
    var decisions: [AppSummary]?
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
    /// The app at the cursor. The cursor stays at this app when the list changes. Attack: an app moves itself up the
    /// list while a finger is on its way to a key that is meant for another app.
    var selection: AppKey?
    /// The text that the name or the identity of each app on the screen contains.
    var filter = ""
    /// A Boolean value indicating whether keys change the filter.
    var isFilterOpen = false
    /// The message about the latest event.
    var notice: String?

    init(ownApp: AppKey? = nil, positionDisplay: PositionDisplay = .shown) {
        self.ownApp = ownApp
        self.positionDisplay = positionDisplay
    }

    /// A Boolean value indicating whether the location dates from before the receiver was lost or updates were
    /// suspended.
    var isLocationOld: Bool {
        location != nil && [.receiverLost, .suspended].contains(positionEvent)
    }

    /// The time without a new location, in seconds, or `nil` while locations arrive or none is expected.
    func secondsWithoutLocation(at time: Double) -> Double? {
        guard isSubscribed else { return nil }
        if isLocationOld { return history.samples.last.map { max(0, time - $0.time) } }
        return location == nil ? subscribedSince.map { max(0, time - $0) } : nil
    }

    /// The apps on the screen.
    var shownApps: [WatchedApp] {
        let text = filter.lowercased()
        return text.isEmpty ? apps : apps.filter { $0.isNamed(text) }
    }

    /// The app at the cursor. An app that the filter hides is not selected.
    var selectedApp: WatchedApp? { shownApps.first { $0.key == selection } }

    /// A Boolean value indicating whether everything for a first screen has arrived.
    var isComplete: Bool {
        guard isConnected, authorization != nil else { return false }
        if case .failed = management { return true }
        return lists != nil && decisions != nil && hasReadLog && sessions != nil && uses != nil && agent.isConnected
    }
}
