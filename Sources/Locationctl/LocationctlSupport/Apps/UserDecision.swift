package import LocationModel
package import LocationProtocol

/// A decision that the user has made with a key, a click or an option, and the call that sends it to the daemon.
///
/// Attack, or accident: a control builds a whole grant from its screen, and restores a grant that was revoked, denied,
/// reset or narrowed in the meantime. So a call contains the user's action and nothing else: only ``grant`` grants.
/// Scopes made by ``AppSummary/seen`` name the decision that the user has seen, and the call fails if the decision has
/// changed since.
package enum UserDecision: Equatable, Sendable {
    /// A grant, with all of its properties chosen by the user.
    case grant(AppScope, RequestedLevel, GrantLifetime, AccuracyAuthorization)
    /// Another accuracy for an existing grant.
    case setAccuracy(AppScope, AccuracyAuthorization)
    /// No more background access.
    case keepWhileInUse(AppScope)
    /// An end to the grant.
    case revoke(AppScope)
    case deny(AppScope)
    /// Removal of the decision.
    case reset(AppScope)
    case answer(id: Int, PromptAnswer, AccuracyAuthorization?)
    /// Location services on or off, for a user or, with `machine`, for all.
    case switchServices(isOn: Bool, uid: Int?, machine: Bool = false)
}

extension UserDecision {
    /// "Revoke": withdraws every grant, even one made since the user looked.
    package static func revoke(_ app: AppSummary) -> UserDecision { .revoke(app.anyDecision) }

    /// "Deny", for an undecided app.
    package static func deny(_ app: AppSummary) -> UserDecision { .deny(app.seen) }

    /// "Reduce", or "Approximate only" when it is not checked.
    package static func reduce(_ app: AppSummary) -> UserDecision { .setAccuracy(app.seen, .reduced) }

    /// "Approximate only": toggles between the two accuracies.
    package static func toggleAccuracy(_ app: AppSummary) -> UserDecision {
        .setAccuracy(app.seen, app.decision?.isApproximate == true ? .full : .reduced)
    }

    /// "Only while in use".
    package static func keepWhileInUse(_ app: AppSummary) -> UserDecision { .keepWhileInUse(app.seen) }

    /// "Allow while in use", "Allow while in use, until tomorrow", "Always allow", with the accuracy beside them.
    package static func allow(
        _ app: AppSummary, _ level: RequestedLevel, _ lifetime: GrantLifetime, _ accuracy: AccuracyAuthorization
    ) -> UserDecision { .grant(app.seen, level, lifetime, accuracy) }
}

extension AppSummary {
    /// The app in a call that succeeds whatever the current decision is.
    var anyDecision: AppScope { AppScope(app: app, uid: uid) }
    /// The app in a call that applies to the decision that was seen, and fails if there is a different one.
    var seen: AppScope { AppScope(app: app, uid: uid, revision: revision) }
}

extension DecisionSummary {
    /// A Boolean value indicating whether the app has reduced accuracy now, by this decision.
    package var isApproximate: Bool { accuracy == .reduced && !temporarilyFull }
}

extension DaemonConnection {
    /// Sends a decision to the daemon. Returns the app with its new decision, or `nil` if the decision is not about one
    /// app.
    @discardableResult
    package func make(_ decision: UserDecision) async throws -> AppSummary? {
        switch decision {
        case .grant(let app, let level, let lifetime, let accuracy):
            let parameters = Grant.Parameters(
                app: app.app, uid: app.uid, level: level, lifetime: lifetime, accuracy: accuracy,
                revision: app.revision)
            return try await call(Grant.self, parameters).app
        case .setAccuracy(let app, let accuracy):
            let parameters = SetAccuracy.Parameters(
                app: app.app, uid: app.uid, accuracy: accuracy, revision: app.revision ?? 0)
            return try await call(SetAccuracy.self, parameters).app
        case .keepWhileInUse(let app):
            let parameters = KeepWhileInUse.Parameters(app: app.app, uid: app.uid, revision: app.revision ?? 0)
            return try await call(KeepWhileInUse.self, parameters).app
        case .revoke(let app): return try await call(Revoke.self, app).app
        case .deny(let app): return try await call(Deny.self, app).app
        case .reset(let app): return try await call(Reset.self, app).app
        case .answer(let id, let answer, let accuracy):
            _ = try await call(AnswerPrompt.self, .init(id: id, answer: answer, accuracy: accuracy))
            return nil
        case .switchServices(let isOn, let uid, let machine):
            _ = try await call(SetServices.self, .init(enabled: isOn, uid: uid, machine: machine))
            return nil
        }
    }

    /// Sends a decision to the daemon like ``make(_:)``. A failure has a reason for the user.
    package func attempt(_ decision: UserDecision) async -> Result<AppSummary?, Failure> {
        do { return .success(try await make(decision)) } catch {
            let lost = Failure(.unreachable, translated("the connection to locationd failed"))
            return .failure(error as? Failure ?? lost)
        }
    }

    /// Sends a decision to the daemon. Returns the reason for the user if it failed.
    package func refusal(of decision: UserDecision) async -> String? {
        if case .failure(let failure) = await attempt(decision) { failure.message } else { nil }
    }
}
