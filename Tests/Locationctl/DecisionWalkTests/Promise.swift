import LocationModel
import LocationProtocol

@testable import AuthorizationPolicy

/// The effect that the words of a control promise.
enum Promise: Sendable {
    /// Any grant is withdrawn.
    case takesAway
    /// An undecided app is denied.
    case denies
    /// The grant stays, with reduced accuracy.
    case reduces
    /// The grant stays, with the other accuracy.
    case switchesAccuracy
    /// The grant stays, without the background.
    case keepsWhileInUse
    /// A grant with the displayed accuracy or, if `isOther`, with the other accuracy.
    case allows(RequestedLevel, GrantLifetime, isOther: Bool)
    /// The app gets this grant, whatever was decided before.
    case grants(RequestedLevel, GrantLifetime, AccuracyAuthorization)
    /// The app is denied, whatever was decided before.
    case forbids
    /// The decision is removed.
    case forgets
    /// The prompt is answered, with an accuracy or the prompt's own.
    case answers(PromptAnswer, AccuracyAuthorization?)

    /// Returns the decision that the words promise, or `nil` if the press must change nothing and say so.
    ///
    /// - Parameters:
    ///   - seen: The state that the user has looked at.
    ///   - change: The change between the look and the press.
    ///   - now: The decision when the control is pressed.
    func kept(seeing seen: StartingState, after change: Change, now: Decided) -> Decided? {
        let isSeen = change.applied(to: seen.decided) == nil
        let isForbidden = change == .restricted
        var kept = now
        switch self {
        case .takesAway:
            // For ten seconds after a restart, "once" waits for its process.
            let returns = change == .restarted && seen.decided.decision?.lifetime == .once
            return now.grants || returns ? Decided(decision: .denied) : nil
        case .forbids: return Decided(decision: .denied)
        case .forgets: return Decided()
        case .denies: return isSeen ? Decided(decision: .denied) : nil
        case .grants(let level, let lifetime, let accuracy):
            return isForbidden ? nil : Decided(decision: Self.grant(level, lifetime, accuracy))
        case .allows(let level, let lifetime, let isOther):
            guard isSeen, !isForbidden else { return nil }
            let shown = seen.decided.decision?.grants == true ? seen.decided.decision!.accuracy : .full
            let accuracy = isOther ? shown.other : shown
            return Decided(decision: Self.grant(level, lifetime, accuracy))
        case .reduces, .switchesAccuracy:
            guard isSeen else { return nil }
            let isReduced = now.decision?.accuracy == .reduced && !now.isTemporarilyFull
            if case .switchesAccuracy = self, isReduced {
                guard !isForbidden else { return nil }
                kept.decision?.accuracy = .full
            } else {
                kept.decision?.accuracy = .reduced
            }
            kept.isTemporarilyFull = false
            return kept
        case .keepsWhileInUse:
            guard isSeen else { return nil }
            kept.decision?.level = .whenInUse
            kept.decision?.alwaysPromptSpent = true
            return kept
        case .answers(let answer, let accuracy):
            guard change.leavesPrompt(seen), let question = seen.prompt else { return nil }
            return Self.answered(answer, accuracy, to: question, now)
        }
    }

    private static func grant(
        _ level: RequestedLevel, _ lifetime: GrantLifetime, _ accuracy: AccuracyAuthorization
    ) -> Decision {
        let end: Decision.Lifetime =
            switch lifetime {
            case .permanent: .permanent
            case .once: .once
            case .untilTomorrow: Walk.tomorrow
            }
        return Decision(level: level == .always ? .always : .whenInUse, accuracy: accuracy, lifetime: end)
    }

    private static func answered(
        _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?, to question: PromptSubject, _ now: Decided
    ) -> Decided {
        let accuracy = accuracy ?? now.decision?.accuracy ?? .full
        let isUpgrade = question == .alwaysInsteadOfWhenInUse || question == .keepAlways
        switch (answer, question) {
        case (.dismiss, _), (.deny, .temporaryFullAccuracy): return now
        case (.once, .temporaryFullAccuracy): return Decided(decision: now.decision, isTemporarilyFull: true)
        case (.deny, _): return Decided(decision: .denied)
        case (.whileUsing, _) where isUpgrade:
            return Decided(
                decision: Decision(
                    level: .whenInUse, accuracy: accuracy, lifetime: now.decision!.lifetime, alwaysPromptSpent: true))
        case (.whileUsing, .always):
            return Decided(decision: Decision(level: .provisionalAlways, accuracy: accuracy))
        case (.whileUsing, _): return Decided(decision: grant(.whenInUse, .permanent, accuracy))
        case (.once, _): return Decided(decision: grant(.whenInUse, .once, accuracy))
        case (.untilTomorrow, _): return Decided(decision: grant(.whenInUse, .untilTomorrow, accuracy))
        case (.always, _): return Decided(decision: grant(.always, .permanent, accuracy))
        }
    }
}

extension AccuracyAuthorization {
    /// The other accuracy.
    fileprivate var other: AccuracyAuthorization { self == .full ? .reduced : .full }
}
