internal import Glibc
package import LocationModel
package import LocationProtocol

/// A decision in words.
package enum DecisionText {
    /// - Parameters:
    ///   - typed: The name as typed, if it differs from the resolved name of the program.
    ///   - wasKnown: `false` if there was no decision about the app, and it was not connected.
    package static func sentence(_ app: AppSummary, typed: String? = nil, wasKnown: Bool = true) -> String {
        let name = user(app) + Terminal.printable(typed.map { ", which \($0) is," } ?? "")
        return switch app.decided {
        case .notDetermined where !wasKnown: "Nothing was decided about \(name): its next request prompts.\n"
        case .notDetermined: "The decision about \(name) was forgotten: its next request prompts again.\n"
        case .restricted: "\(name) is restricted: the administrator's configuration forbids it the location.\n"
        case .denied: "\(name) is denied the location.\n"
        case .authorizedWhenInUse, .authorizedAlways:
            granted(name, access(app), isOn: app.servicesEnabled) + "\n"
        }
    }

    private static func granted(_ name: String, _ access: String, isOn: Bool) -> String {
        let places: KeyValuePairs = ["app": name, "access": access]
        // Translators: The access is like "while in use, reduced accuracy".
        guard !isOn else { return translated("{app} may have the location: {access}.", places) }
        return translated("{app} may have the location: {access}, once location services are on.", places)
    }

    /// Returns the app, with the user that a decision is about, unless that is obviously the caller.
    private static func user(_ app: AppSummary) -> String {
        let uid = UInt32(clamping: app.uid)
        let name = Terminal.printable(app.app)
        guard uid != getuid() || uid == 0 else { return name }
        return translated("{app} (user {user})", ["app": name, "user": Terminal.printable(LoginName.of(uid))])
    }

    /// Returns an authorization in the words for users.
    package static func words(_ status: AuthorizationStatus) -> String {
        switch status {
        // Translators: An app's access to the location: the user has not answered yet.
        case .notDetermined: translated("not decided")
        // Translators: An app's access to the location: the administrator forbids it.
        case .restricted: translated("restricted")
        // Translators: An app's access to the location: the user has refused it.
        case .denied: translated("denied")
        // Translators: An app's access to the location: whenever it is in use, and not in the background.
        case .authorizedWhenInUse: translated("while in use")
        // Translators: An app's access to the location: at any time, also in the background.
        case .authorizedAlways: translated("always")
        }
    }

    /// Returns the decision, and whether it has no effect at present.
    package static func level(_ app: AppSummary) -> String {
        // Translators: An app's access, such as "while in use", has no effect because location services are off.
        app.servicesEnabled ? access(app) : translated("{access} (services off)", ["access": access(app)])
    }

    /// Returns the same in a few words: `in use, full`, or `in use, full (off)` while it has no effect. A grant that
    /// prompts again before background use is `in use, asks`.
    package static func brief(_ app: AppSummary) -> String {
        if app.requested != nil, app.decided == .notDetermined {
            // Translators: In the narrow column MAY HAVE: the app waits for your answer.
            return translated("asks you")
        }
        guard app.decided.isAuthorized, let decision = app.decision else { return words(app.decided) }
        // Background access is more important than the end of the grant.
        let level =
            switch decision.lifetime {
            case _ where decision.level == .always: words(.authorizedAlways)
            case .once: translated("once")
            // Translators: In the narrow column MAY HAVE: while in use, until midnight. Keep it short.
            case .untilTomorrow: translated("today")
            // Translators: In the narrow column MAY HAVE: while the app is in use. Keep it short.
            case .permanent: translated("in use")
            }
        let accuracy =
            decision.level == .provisionalAlways
            // Translators: In the narrow column MAY HAVE: the user is asked before background use. Keep it short.
            ? translated("asks")
            // Translators: In the narrow column MAY HAVE: the precise location. Keep it short.
            : isReduced(app, decision) ? "5 km" : translated("full")
        let access = [level, accuracy].joined(separator: translated(", "))
        // Translators: In the narrow column MAY HAVE: the access has no effect while location services are off.
        return app.servicesEnabled ? access : translated("{access} (off)", ["access": access])
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
            decision.level == .provisionalAlways
            // Translators: Access while in use. Before the app gets the location in the background, the user is asked.
            ? translated("while in use; asks before the background") : words(app.decided)
        let lifetime: String? =
            switch decision.lifetime {
            case .permanent: nil
            // Translators: In a list, after "while in use": until the app ends.
            case .once: translated("once")
            // Translators: In a list, after "while in use": until midnight.
            case .untilTomorrow: translated("until tomorrow")
            }
        return [level, lifetime, accuracy(app, decision)].compactMap(\.self).joined(separator: translated(", "))
    }

    private static func accuracy(_ app: AppSummary, _ decision: DecisionSummary) -> String? {
        // Translators: In a list, after "while in use": the precise location, until the app ends.
        if decision.temporarilyFull { return translated("full accuracy for now") }
        // Translators: In a list, after "while in use": an approximate location.
        if decision.accuracy == .reduced { return translated("reduced accuracy") }
        return isReduced(app, decision) ? translated("reduced accuracy by the desktop's settings") : nil
    }

    private static func isReduced(_ app: AppSummary, _ decision: DecisionSummary) -> Bool {
        decision.isApproximate || app.accuracy == .reduced
    }
}
