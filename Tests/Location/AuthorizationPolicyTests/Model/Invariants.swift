import LocationModel

@testable import AuthorizationPolicy

/// A rule that each step of a modelled daemon keeps, with the reason why a step breaks it.
///
/// Each is about one app. So a trace that breaks one needs no events of other apps, except where apps share something.
struct Invariant: Sendable {
    let name: String
    let fault: @Sendable (ModelStep, Int) -> String?

    static let all = [
        Invariant(name: "no delivery without a decision on the disk", fault: deliveryWithoutDecision),
        Invariant(name: "access grows only with a write on the disk", fault: openingWithoutWrite),
        Invariant(name: "only a user extends a decision", fault: extensionWithoutUser),
        Invariant(name: "a closing decision takes effect at once", fault: deliveryAfterClosing),
        Invariant(name: "the disk follows the decisions", fault: diskOutOfStep),
        Invariant(name: "a changed decision has another revision", fault: changeWithoutRevision),
        Invariant(name: "an outdated prompt cannot be answered", fault: changedPromptWithSameID),
        Invariant(name: "each request waits for something", fault: requestWithoutPrompt),
        Invariant(name: "each prompt fits the decision and ends", fault: idlePrompt),
        Invariant(name: "an app is notified of changes", fault: changeWithoutNotice),
        Invariant(name: "temporary full accuracy needs a yes", fault: fullAccuracyWithoutAnswer),
        Invariant(name: "services are on only if they are on the disk", fault: servicesOnWithoutWrite),
    ]

    // MARK: Deliveries

    /// Attack: the power is cut after a location was delivered, and the log of decisions does not explain it.
    private static func deliveryWithoutDecision(_ step: ModelStep, _ index: Int) -> String? {
        let after = step.after
        guard after.delivers(to: index) else { return nil }
        let (effective, stored) = (after.decision(about: index), after.apps[index].stored)
        return stored.covers(effective) ? nil : "in effect: \(text(effective)), on the disk: \(text(stored))"
    }

    private static func openingWithoutWrite(_ step: ModelStep, _ index: Int) -> String? {
        let (before, after) = (step.before.decision(about: index), step.after.decision(about: index))
        guard !before.covers(after), !step.isStart else { return nil }
        switch step.event {
        case .finishWrite(true) where step.before.oldestWriteIsDecision(about: index): return nil
        case .connect(index, let process):
            // Attack: another process of the app starts first after a restart, and has what was granted once.
            let returning = step.before.machine.states[step.before.apps[index].key]?.returning
            if let returning, returning.holders.isSuperset(of: process.starts) { return nil }
        default: break
        }
        return "from \(text(before)) to \(text(after))"
    }

    private static func extensionWithoutUser(_ step: ModelStep, _ index: Int) -> String? {
        guard !(step.event.isDecision && step.event.app == index) else { return nil }
        let (before, after) = (step.before, step.after)
        let state = before.machine.states[before.apps[index].key]
        // After a start, the disk may have what was written in the meantime, or an older row whose end was not written.
        var known = [before.decision(about: index), state?.opening?.decision, state?.returning?.decision]
        if step.isStart { known = [after.apps[index].stored] }
        let intended = after.intendedDecision(about: index)
        return known.contains { $0.covers(intended) } ? nil : "\(text(intended)) comes from nowhere"
    }

    private static func deliveryAfterClosing(_ step: ModelStep, _ index: Int) -> String? {
        guard step.event.isDecision, step.event.app == index else { return nil }
        if case .answer = step.event, step.after.machine.table.hasTemporaryFullAccuracy(step.after.apps[index].key) {
            return nil
        }
        let intended = step.after.intendedDecision(about: index)
        let effective = step.after.decision(about: index)
        if !intended.covers(effective) { return "decided: \(text(intended)), in effect: \(text(effective))" }
        if intended?.grants != true, step.after.delivers(to: index) { return "a delivery is due" }
        switch step.event {
        case .decide(_, let decision, _): return intended == decision ? nil : "\(text(intended)) was not decided"
        case .answer(_, .deny, _, _), .revoke:
            guard case .temporaryFullAccuracy? = step.before.machine.prompt(about: step.before.apps[index].key)?.subject
            else { return intended == .denied ? nil : "the denial is \(text(intended))" }
            return nil
        default: return nil
        }
    }

    private static func fullAccuracyWithoutAnswer(_ step: ModelStep, _ index: Int) -> String? {
        let key = step.after.apps[index].key
        guard step.after.machine.table.hasTemporaryFullAccuracy(key) else { return nil }
        if step.isStart { return "it continues after a start" }
        if step.before.machine.table.hasTemporaryFullAccuracy(key) { return nil }
        if case .answer(index, .once, _, _) = step.event { return nil }
        return "no user has answered yes"
    }

    // MARK: The disk

    /// When all writes have succeeded, the disk has what users decided. If a write has failed, the disk may keep what
    /// it had until the next write about the app or the next start.
    private static func diskOutOfStep(_ step: ModelStep, _ index: Int) -> String? {
        let (intended, expected) = (
            step.after.intendedDecision(about: index), step.after.expectedDecision(about: index)
        )
        if intended == expected { return nil }
        if step.isFailure(ofApp: index) {
            return expected.covers(intended) ? nil : "intended: \(text(intended)), on the disk: \(text(expected))"
        }
        let wasInStep = step.before.intendedDecision(about: index) == step.before.expectedDecision(about: index)
        let isWritten = step.after.pendingDecisions(about: index) > step.before.pendingDecisions(about: index)
        guard wasInStep || isWritten || step.isStart else { return nil }
        return "intended: \(text(intended)), on the disk after all writes: \(text(expected))"
    }

    private static func servicesOnWithoutWrite(_ step: ModelStep, _ index: Int) -> String? {
        let (after, uid) = (step.after, step.after.apps[index].key.uid)
        guard after.machine.table.servicesEnabled(for: uid) else { return nil }
        return after.storedServicesOff.contains(nil) || after.storedServicesOff.contains(uid) ? "off on the disk" : nil
    }

    // MARK: Two managers

    /// Attack: a manager decides on an outdated screen, and overwrites what another one has just decided. A screen
    /// names the revision that it shows, so a decision must not change without it.
    private static func changeWithoutRevision(_ step: ModelStep, _ index: Int) -> String? {
        let (before, after) = (step.before, step.after)
        let key = after.apps[index].key
        let (old, new) = (before.machine.table.revision(of: key), after.machine.table.revision(of: key))
        if new < old { return "the revision falls from \(old) to \(new)" }
        let isSame =
            before.decision(about: index) == after.decision(about: index)
            && before.machine.table.hasTemporaryFullAccuracy(key) == after.machine.table.hasTemporaryFullAccuracy(key)
        let isDecision: Bool =
            switch step.event {
            case .decide(index, _, _), .decideUntilTomorrow(index), .revoke(index, _): true
            default: false
            }
        if new == old { return isSame && !isDecision && !step.isStart ? nil : "revision \(old) names two decisions" }
        var machine = after.machine
        do throws(DecisionRefusal) {
            _ = try machine.decide(Decision(level: .always), about: key, revision: old, at: after.now)
            return "revision \(old) is still accepted"
        } catch {
            return error == .changed ? nil : "the reason for rejecting revision \(old) is \(error)"
        }
    }

    private static func changedPromptWithSameID(_ step: ModelStep, _ index: Int) -> String? {
        let key = step.after.apps[index].key
        guard let old = step.before.machine.prompt(about: key), old != step.after.machine.prompt(about: key) else {
            return nil
        }
        var machine = step.after.machine
        do throws(AnswerRefusal) {
            _ = try machine.answer(old.id, with: .dismiss, at: step.after.now)
            return "prompt \(old.id) can still be answered"
        } catch {
            return error == .noSuchPrompt ? nil : "the reason for rejecting an answer is \(error)"
        }
    }

    // MARK: Prompts and requests

    private static func requestWithoutPrompt(_ step: ModelStep, _ index: Int) -> String? {
        let after = step.after
        if after.surplusAnswers > 0 { return "an answer to a request that was not waiting" }
        let state = after.machine.states[after.apps[index].key]
        let waiting = (state?.joined ?? []) + (state?.waiting.map(\.id) ?? [])
        if waiting.sorted() != after.apps[index].requests { return "the state machine has forgotten a request" }
        guard let state, !waiting.isEmpty, state.prompt == nil, state.opening == nil else { return nil }
        let openPrompts = after.machine.openPrompts[after.apps[index].key.uid] ?? 0
        let isQueued = after.isQueued(index) && openPrompts >= AuthorizationStateMachine.maximumOpenPromptsPerUser
        return isQueued && state.joined.isEmpty ? nil : "a request waits for nothing"
    }

    private static func idlePrompt(_ step: ModelStep, _ index: Int) -> String? {
        let (after, key) = (step.after, step.after.apps[index].key)
        guard let state = after.machine.states[key], let prompt = state.prompt else { return nil }
        let authorization = after.machine.table.authorization(of: key)
        let fits =
            switch prompt.subject {
            case .whenInUse, .always: authorization.status == .notDetermined
            case .alwaysInsteadOfWhenInUse: authorization.status == .authorizedWhenInUse
            case .keepAlways: after.machine.table.isProvisional(key)
            case .temporaryFullAccuracy: authorization.status.isAuthorized
            }
        if !fits { return "the prompt \(prompt.subject) does not fit \(authorization.status)" }
        let accuracy = (state.opening?.decision ?? after.decision(about: index))?.accuracy ?? .full
        if prompt.defaultAccuracy != accuracy { return "an answer without accuracy means \(prompt.defaultAccuracy)" }
        if prompt.subject != .keepAlways, state.joined.isEmpty, state.waiting.isEmpty, state.abandonedSince == nil {
            return "no request waits for the prompt, and it has no timeout"
        }
        return nil
    }

    // MARK: Notices

    private static func changeWithoutNotice(_ step: ModelStep, _ index: Int) -> String? {
        let (before, after) = (step.before.machine.table, step.after.machine.table)
        let key = step.after.apps[index].key
        if step.after.wake != step.after.machine.deadline { return "the timer is not set to the deadline" }
        if let wake = step.after.wake, wake <= step.after.now { return "the deadline has passed" }
        guard !step.isStart else { return nil }
        let isSame =
            before.authorization(of: key) == after.authorization(of: key)
            && before.isProvisional(key) == after.isProvisional(key)
        guard !isSame else { return nil }
        // Attack: the entitlement that was looked up for the last delivery is used for the next one.
        if after.isCurrent(before.entitlement(of: key)) { return "an outdated entitlement counts as current" }
        // The state machine need not know an app that was never connected.
        guard !step.after.apps[index].connected.isEmpty else { return nil }
        return step.after.last.contains(.changed(key)) ? nil : "the change is not reported"
    }

    private static func text(_ decision: Decision?) -> String { decision.map { "\($0.words)" } ?? "nothing" }
}
