internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The question that confirms a decision before it is made.
struct DashboardQuestion: Equatable {
    /// The user's intention.
    enum Subject: Equatable {
        /// To withdraw the grant.
        case revoke
        /// To deny an undecided app.
        case deny
        /// To reduce the accuracy of the grant.
        case reduce
        /// To allow the app, in one of several ways.
        case allow(AccuracyAuthorization)
    }

    /// A key and its effect.
    struct Choice: Equatable {
        var letter: Character
        var label: String
        var decision: UserDecision?
    }

    /// The app that the question and the decision are about, whatever the list shows by then.
    let app: WatchedApp
    var subject: Subject

    /// The choices, the safe one last.
    var choices: [Choice] {
        let no = Choice(letter: "n", label: "No, change nothing")
        let summary = app.decidable
        switch subject {
        case .revoke: return [Choice(letter: "y", label: "Yes, take it away", decision: .revoke(summary)), no]
        case .deny: return [Choice(letter: "y", label: "Yes, take it away", decision: .deny(summary)), no]
        case .reduce:
            return [Choice(letter: "y", label: "Yes, to a cell of about 5 km", decision: .reduce(summary)), no]
        case .allow(let accuracy):
            return [
                Choice(
                    letter: "w", label: "Allow while in use",
                    decision: .allow(summary, .whenInUse, .permanent, accuracy)),
                Choice(
                    letter: "u", label: "Allow while in use, until tomorrow",
                    decision: .allow(summary, .whenInUse, .untilTomorrow, accuracy)),
                Choice(
                    letter: "a", label: "Always allow, in background too",
                    decision: .allow(summary, .always, .permanent, accuracy)),
                no,
            ]
        }
    }

    /// Returns the question about revoking the grant of `app`, or the reason why there is nothing to revoke.
    static func revoke(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        switch app.summary?.decided {
        case .authorizedWhenInUse, .authorizedAlways: .success(DashboardQuestion(app: app, subject: .revoke))
        case .notDetermined, nil: .success(DashboardQuestion(app: app, subject: .deny))
        case .denied: .failure(NothingToDo(message: "is denied already"))
        case .restricted: .failure(.restricted)
        }
    }

    /// Returns the question about reducing the accuracy of `app`, or the reason why that is not possible.
    static func reduce(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        guard let summary = app.summary, summary.decided.isAuthorized, let decision = summary.decision else {
            return .failure(NothingToDo(message: "may not have the location, so there is nothing to reduce"))
        }
        if decision.isApproximate { return .failure(NothingToDo(message: "has reduced accuracy already")) }
        return .success(DashboardQuestion(app: app, subject: .reduce))
    }

    /// Returns the question about allowing `app`, or the reason why no user can. The accuracy is the granted accuracy:
    /// a temporary full accuracy must not become permanent.
    static func allow(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        if app.summary?.decided == .restricted { return .failure(.restricted) }
        let current = app.summary?.decision.flatMap { $0.grants ? $0.accuracy : nil }
        return .success(DashboardQuestion(app: app, subject: .allow(current ?? .full)))
    }

    /// The reason why there is no question, as the end of a sentence about the app.
    struct NothingToDo: Error, Equatable {
        var message: String
        static let restricted = NothingToDo(
            message: "is restricted by the administrator's configuration, which cannot be changed here")
    }
}

extension WatchedApp {
    /// The app as a decision names it. An app that is known only from its uses is undecided: revision 0.
    fileprivate var decidable: AppSummary {
        summary
            ?? AppSummary(
                key: key, authorization: Authorization(status: .notDetermined, accuracy: .full, servicesEnabled: true),
                revision: 0)
    }
}
