internal import Glibc
package import LocationModel
package import LocationProtocol

/// A decision in words.
package enum DecisionText {
    /// - Parameters:
    ///   - typed: The name as typed, if it differs from the resolved name of the program.
    ///   - wasKnown: `false` if there was no decision about the app, and it was not connected.
    package static func sentence(_ app: AppSummary, typed: String? = nil, wasKnown: Bool = true) -> String {
        let name = Terminal.printable(app.app + user(app) + (typed.map { ", which \($0) is," } ?? ""))
        return switch app.decided {
        case .notDetermined where !wasKnown: "Nothing was decided about \(name): its next request prompts.\n"
        case .notDetermined: "The decision about \(name) was forgotten: its next request prompts again.\n"
        case .restricted: "\(name) is restricted: the administrator's configuration forbids it the location.\n"
        case .denied: "\(name) is denied the location.\n"
        case .authorizedWhenInUse, .authorizedAlways:
            "\(name) may have the location: \(access(app))"
                + (app.servicesEnabled ? "" : ", once location services are on") + ".\n"
        }
    }

    /// Returns the user that a decision is about, unless that is obviously the caller.
    private static func user(_ app: AppSummary) -> String {
        let uid = UInt32(clamping: app.uid)
        return uid == getuid() && uid != 0 ? "" : " (user \(LoginName.of(uid)))"
    }

    /// Returns an authorization in the words for users.
    package static func words(_ status: AuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "not decided"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorizedWhenInUse: "while in use"
        case .authorizedAlways: "always"
        }
    }

    /// Returns the decision, and whether it has no effect at present.
    package static func level(_ app: AppSummary) -> String {
        access(app) + (app.servicesEnabled ? "" : " (services off)")
    }

    /// Returns the same in a few words: `in use, full`, or `in use, full (off)` while it has no effect. A grant that
    /// prompts again before background use is `in use, asks`.
    package static func brief(_ app: AppSummary) -> String {
        if app.requested != nil, app.decided == .notDetermined { return "asks you" }
        guard app.decided.isAuthorized, let decision = app.decision else { return words(app.decided) }
        // Background access is more important than the end of the grant.
        let level =
            switch decision.lifetime {
            case _ where decision.level == .always: "always"
            case .once: "once"
            case .untilTomorrow: "today"
            case .permanent: "in use"
            }
        let accuracy =
            decision.level == .provisionalAlways ? "asks" : isReduced(app, decision) ? "5 km" : "full"
        return "\(level), \(accuracy)\(app.servicesEnabled ? "" : " (off)")"
    }

    /// Returns the emphasis of a decision. A decision without effect is dimmed.
    package static func style(_ app: AppSummary) -> TextRow.Style {
        if app.requested != nil, app.decided == .notDetermined { return .warning }
        return app.decided.isAuthorized && app.servicesEnabled ? .plain : .hint
    }

    /// Returns an app's access, its duration and its accuracy.
    package static func access(_ app: AppSummary) -> String {
        guard app.decided.isAuthorized, let decision = app.decision else { return words(app.decided) }
        let level =
            decision.level == .provisionalAlways ? "while in use; asks before the background" : words(app.decided)
        let lifetime =
            switch decision.lifetime {
            case .permanent: ""
            case .once: ", once"
            case .untilTomorrow: ", until tomorrow"
            }
        return level + lifetime + accuracy(app, decision)
    }

    private static func accuracy(_ app: AppSummary, _ decision: DecisionSummary) -> String {
        if decision.temporarilyFull { return ", full accuracy for now" }
        if decision.accuracy == .reduced { return ", reduced accuracy" }
        return isReduced(app, decision) ? ", reduced accuracy by the desktop's settings" : ""
    }

    private static func isReduced(_ app: AppSummary, _ decision: DecisionSummary) -> Bool {
        decision.isApproximate || app.accuracy == .reduced
    }
}
