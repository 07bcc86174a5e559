internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// An event for the dashboard.
enum DashboardEvent: Sendable {
    /// The daemon answers. Everything from an earlier daemon is void.
    case connected
    /// The daemon can no longer be reached.
    case lost
    /// The authorization of this program.
    case authorization(Authorization)
    /// An event of this program's subscription.
    case update(Update)
    /// The subscription has ended; `failure` says why.
    case subscriptionEnded(failure: String?)
    /// The management socket cannot be used, for a reason in words for the user.
    case managementFailed(String)
    case prompts([Prompt])
    /// The apps with their decisions.
    case apps([AppSummary])
    case sessions([SessionSummary])
    case uses([IndicatorEntry])
    case receivers([ReceiverSummary])
    case satellites([ReceiverSatellites])
    /// The lists of ``DashboardRequest/readLists``.
    case lists(Lists)
    /// The access log; `nil` if it cannot be read.
    case log([AccessLogEntry]?)
    /// The result of an answer; `failure` says why the daemon did not accept it.
    case answered(PromptAnswer, AccuracyAuthorization?, failure: String?)
    /// The result of a decision: the app with its new decision, or the reason why the daemon did not accept it.
    case decided(WatchedApp, Result<AppSummary?, Failure>)
    /// The request for the location failed.
    case requestFailed(String)
    /// A minute has passed.
    case minute
    /// The time of a wait request has passed.
    case listsDue, logDue

    /// The values that the daemon does not announce changes to.
    struct Lists: Sendable, Equatable {
        var services: GetServices.Reply
        var statistics: Statistics
        var receivers: [ReceiverSummary]
    }
}

/// An action of the dashboard, which its shell performs.
enum DashboardRequest: Equatable {
    /// Open a subscription to the location.
    case subscribe
    /// Request the authorization of this program, which prompts the user.
    case requestAuthorization
    /// Observe the receivers and their satellites, or stop observing them.
    case followReceivers(Bool)
    /// Open the streams of the management socket again.
    case openManagement
    case readLists
    case readLog
    /// Send ``DashboardEvent/listsDue`` or ``DashboardEvent/logDue`` after this many seconds.
    case waitForLists(Double)
    case waitForLog(Double)
    case answer(id: Int, PromptAnswer, AccuracyAuthorization?)
    case decide(UserDecision, WatchedApp)
    case end
    case suspend
}
