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
        let no = Choice(letter: "n", label: translated("No, change nothing"))
        let summary = app.decidable
        switch subject {
        case .revoke:
            // Translators: The answer to "Take the location away?".
            return [Choice(letter: "y", label: translated("Yes, take it away"), decision: .revoke(summary)), no]
        case .deny: return [Choice(letter: "y", label: translated("Yes, take it away"), decision: .deny(summary)), no]
        case .reduce:
            // Translators: The answer to "Reduce the accuracy?". A cell is a square.
            let label = translated("Yes, to a cell of about 5 km")
            return [Choice(letter: "y", label: label, decision: .reduce(summary)), no]
        case .allow(let accuracy):
            return [
                Choice(
                    // Translators: The app has the location whenever it is in use, and not in the background.
                    letter: "w", label: translated("Allow while in use"),
                    decision: .allow(summary, .whenInUse, .permanent, accuracy)),
                Choice(
                    // Translators: The app has the location while it is in use, until midnight.
                    letter: "u", label: translated("Allow while in use, until tomorrow"),
                    decision: .allow(summary, .whenInUse, .untilTomorrow, accuracy)),
                Choice(
                    // Translators: The app has the location at any time, also while the user does not use it.
                    letter: "a", label: translated("Always allow, in background too"),
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
        case .denied: .failure(NothingToDo(message: translated("{app} is denied already.", ["app": app.shortName])))
        case .restricted: .failure(.restricted(app))
        }
    }

    /// Returns the question about reducing the accuracy of `app`, or the reason why that is not possible.
    static func reduce(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        guard let summary = app.summary, summary.decided.isAuthorized, let decision = summary.decision else {
            return .failure(
                NothingToDo(
                    message: translated(
                        "{app} may not have the location, so there is nothing to reduce.", ["app": app.shortName])))
        }
        if decision.isApproximate {
            return .failure(
                NothingToDo(message: translated("{app} has reduced accuracy already.", ["app": app.shortName])))
        }
        return .success(DashboardQuestion(app: app, subject: .reduce))
    }

    /// Returns the question about allowing `app`, or the reason why no user can. The accuracy is the granted accuracy:
    /// a temporary full accuracy must not become permanent.
    static func allow(_ app: WatchedApp) -> Result<DashboardQuestion, NothingToDo> {
        if app.summary?.decided == .restricted { return .failure(.restricted(app)) }
        let current = app.summary?.decision.flatMap { $0.grants ? $0.accuracy : nil }
        return .success(DashboardQuestion(app: app, subject: .allow(current ?? .full)))
    }

    /// The reason why there is no question, as a sentence about the app.
    struct NothingToDo: Error, Equatable {
        var message: String

        fileprivate static func restricted(_ app: WatchedApp) -> NothingToDo {
            NothingToDo(
                message: translated(
                    "{app} is restricted by the administrator's configuration, which cannot be changed here.",
                    ["app": app.shortName]))
        }
    }
}

extension WatchedApp {
    /// The name in a message.
    var shortName: String { DisplayText.shortened(DisplayText.shown(name), columns: 60) }

    /// The app as a decision names it. An app that is known only from its uses is undecided: revision 0.
    fileprivate var decidable: AppSummary {
        summary
            ?? AppSummary(
                key: key, authorization: Authorization(status: .notDetermined, accuracy: .full, servicesEnabled: true),
                revision: 0)
    }
}
