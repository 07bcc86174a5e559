internal import LocationModel
internal import LocationProtocol

/// A decision about an app.
enum AppDecision: Equatable {
    case revoke
    case deny
    case grant(RequestedLevel, GrantLifetime, AccuracyAuthorization)
}

/// The question that confirms a decision before it is made.
struct DashboardQuestion: Equatable {
    /// The user's intention.
    enum Subject: Equatable {
        /// To take a grant away, or to deny an app that nobody has decided about.
        case revoke(AppDecision)
        /// To leave the app the same grant with reduced accuracy.
        case reduce(AppDecision)
        /// To allow the app, in one of several ways.
        case allow(AccuracyAuthorization)
    }

    /// A key and what it does.
    struct Choice: Equatable {
        var letter: Character
        var label: String
        var decision: AppDecision?
    }

    /// The app that the question is about. The decision is about this one, whatever the list shows by then.
    let app: WatchedApp
    var subject: Subject

    /// The choices, the safe one last.
    var choices: [Choice] {
        let no = Choice(letter: "n", label: "No, change nothing")
        switch subject {
        case .revoke(let decision):
            return [Choice(letter: "y", label: "Yes, take it away", decision: decision), no]
        case .reduce(let decision):
            return [Choice(letter: "y", label: "Yes, to a cell of about 5 km", decision: decision), no]
        case .allow(let accuracy):
            return [
                Choice(
                    letter: "w", label: "Allow while in use", decision: .grant(.whenInUse, .permanent, accuracy)),
                Choice(
                    letter: "u", label: "Allow while in use, until tomorrow",
                    decision: .grant(.whenInUse, .untilTomorrow, accuracy)),
                Choice(
                    letter: "a", label: "Always allow, in background too",
                    decision: .grant(.always, .permanent, accuracy)),
                no,
            ]
        }
    }

    /// Returns the question about revoking the grant of `app`, or the reason why there is nothing to revoke.
    static func revoke(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        switch app.summary?.decided {
        case .authorizedWhenInUse, .authorizedAlways:
            .success(DashboardQuestion(app: app, subject: .revoke(.revoke)))
        case .notDetermined, nil: .success(DashboardQuestion(app: app, subject: .revoke(.deny)))
        case .denied where app.summary?.lifetime == nil: .failure(.servicesOff)
        case .denied: .failure(NothingToDo(message: "is denied already"))
        case .restricted: .failure(.restricted)
        }
    }

    /// Returns the question about reducing the accuracy of `app`, or the reason why that is not possible.
    static func reduce(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        guard let summary = app.summary, summary.decided.isAuthorized else {
            return .failure(NothingToDo(message: "may not have the location, so there is nothing to reduce"))
        }
        guard summary.accuracy == .full else { return .failure(NothingToDo(message: "has reduced accuracy already")) }
        let level: RequestedLevel = summary.decided == .authorizedAlways ? .always : .whenInUse
        let decision = AppDecision.grant(level, summary.lifetime ?? .permanent, .reduced)
        return .success(DashboardQuestion(app: app, subject: .reduce(decision)))
    }

    /// Returns the question about allowing `app`, or the reason why nobody can.
    static func allow(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        if app.summary?.decided == .restricted { return .failure(.restricted) }
        let current = app.summary.flatMap { $0.decided.isAuthorized ? $0.accuracy : nil }
        return .success(DashboardQuestion(app: app, subject: .allow(current ?? .full)))
    }

    /// The reason why there is no question, as the end of a sentence about the app.
    struct NothingToDo: Error, Equatable {
        var message: String
        static let restricted = NothingToDo(
            message: "is restricted by the administrator's configuration, which nobody can change here")
        static let servicesOff = NothingToDo(message: "gets nothing: location services are off")
    }
}
