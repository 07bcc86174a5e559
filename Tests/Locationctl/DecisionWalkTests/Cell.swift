import AuthorizationPolicy
import LocationModel
import LocationProtocol
import Testing

/// One cell of the walk: a state, a control of a surface, and a change between the look and the press.
struct Cell: Sendable, CustomTestStringConvertible {
    static let app = AppIdentity("exe:/opt/walked")!

    let state: StartingState
    let control: Control
    let change: Change
    /// The user of the cell. Each cell has its own user, so that the limits of one do not affect another.
    let uid: UInt32

    var key: AppKey { AppKey(uid: uid, app: Self.app) }
    var testDescription: String { "\(state), \(control.surface): \(control.words), \(change)" }

    static let all: [Cell] = {
        var cells: [Cell] = []
        for change in Change.allCases {
            for state in StartingState.allCases {
                for control in Control.all where control.isOffered(in: state) {
                    cells.append(
                        Cell(state: state, control: control, change: change, uid: 10_000 + UInt32(cells.count)))
                }
            }
        }
        return cells
    }()
}

/// The parts of a decision that a control's words promise.
struct Decided: Equatable, CustomStringConvertible {
    var decision: Decision?
    var isTemporarilyFull = false

    var grants: Bool { decision?.grants == true }

    var description: String {
        guard let decision else { return "nothing" }
        return "\(decision.level) \(decision.accuracy) \(decision.lifetime)"
            + (decision.alwaysPromptSpent ? " spent" : "") + (isTemporarilyFull ? " full for now" : "")
    }
}

/// The state of an app when its user looks at a surface.
enum StartingState: String, CaseIterable, Sendable {
    case undecided, denied, whileInUse, whileInUseReduced, keptWhileInUse, once, onceReduced, untilTomorrow
    case provisional, provisionalReduced, always, alwaysReduced, fullForNow, alwaysFullForNow
    // With an open prompt.
    case asksWhileInUse, asksAlways, asksAlwaysToo, asksAlwaysTooReduced, asksToKeepAlways, asksFullAccuracy

    /// The end of "until tomorrow" for the walk: WalkedDaemon's clock, by any zone, is at most a day before it.
    var decided: Decided {
        switch self {
        case .undecided, .asksWhileInUse, .asksAlways: Decided()
        case .denied: Decided(decision: .denied)
        case .whileInUse, .asksAlwaysToo: Decided(decision: Decision(level: .whenInUse))
        case .whileInUseReduced, .asksAlwaysTooReduced, .asksFullAccuracy:
            Decided(decision: Decision(level: .whenInUse, accuracy: .reduced))
        case .keptWhileInUse: Decided(decision: Decision(level: .whenInUse, alwaysPromptSpent: true))
        case .once: Decided(decision: Decision(level: .whenInUse, lifetime: .once))
        case .onceReduced: Decided(decision: Decision(level: .whenInUse, accuracy: .reduced, lifetime: .once))
        case .untilTomorrow: Decided(decision: Decision(level: .whenInUse, lifetime: Walk.tomorrow))
        case .provisional, .asksToKeepAlways: Decided(decision: Decision(level: .provisionalAlways))
        case .provisionalReduced: Decided(decision: Decision(level: .provisionalAlways, accuracy: .reduced))
        case .always: Decided(decision: Decision(level: .always))
        case .alwaysReduced: Decided(decision: Decision(level: .always, accuracy: .reduced))
        case .fullForNow:
            Decided(decision: Decision(level: .whenInUse, accuracy: .reduced), isTemporarilyFull: true)
        case .alwaysFullForNow:
            Decided(decision: Decision(level: .always, accuracy: .reduced), isTemporarilyFull: true)
        }
    }

    /// The prompt that is open, or `nil`.
    var prompt: PromptSubject? {
        switch self {
        case .asksWhileInUse: .whenInUse
        case .asksAlways: .always
        case .asksAlwaysToo, .asksAlwaysTooReduced: .alwaysInsteadOfWhenInUse
        case .asksToKeepAlways: .keepAlways
        case .asksFullAccuracy: .temporaryFullAccuracy
        default: nil
        }
    }
}

/// A change of the decision between the look and the press.
enum Change: String, CaseIterable, Sendable {
    case none, revoked, denied, reset, narrowedToOnce, reduced, widened, keptWhileInUse, ended
    case servicesOff, restricted, restarted

    /// Returns the decision after the change, or `nil` if the change is not possible or does not affect this decision.
    func applied(to before: Decided) -> Decided? {
        var after = before
        switch self {
        case .none, .servicesOff, .restricted: return nil
        case .revoked:
            guard before.grants else { return nil }
            after = Decided(decision: .denied)
        case .denied: after = Decided(decision: .denied)
        case .reset:
            // The walk's apps without a decision are not in the daemon's list.
            guard before.decision != nil else { return nil }
            after = Decided()
        case .narrowedToOnce: after = Decided(decision: Decision(level: .whenInUse, lifetime: .once))
        case .widened: after = Decided(decision: Decision(level: .always))
        case .reduced:
            guard before.grants else { return nil }
            after.decision?.accuracy = .reduced
            after.isTemporarilyFull = false
            if after == before { return nil }
        case .keptWhileInUse:
            guard before.grants else { return nil }
            after.decision?.level = .whenInUse
            after.decision?.alwaysPromptSpent = true
            if after == before { return nil }
        case .ended:
            guard before.grants, before.decision?.lifetime != .permanent || before.isTemporarilyFull else { return nil }
            if before.decision?.lifetime != .permanent { after.decision = nil }
            after.isTemporarilyFull = false
        case .restarted:
            guard before.decision != nil else { return nil }
            after.isTemporarilyFull = false
            if before.decision?.lifetime == .once { after.decision = nil }
        }
        return after
    }

    /// Returns whether a prompt that was open before the change, about that decision, is open after it.
    func leavesPrompt(_ state: StartingState) -> Bool {
        switch self {
        case .servicesOff, .restricted, .restarted: false
        default: applied(to: state.decided) == nil
        }
    }
}
