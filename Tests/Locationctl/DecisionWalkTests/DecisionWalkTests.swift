import AuthorizationPolicy
import Foundation
import LocationModel
import LocationProtocol
import NIOCore
import TestSupport
import Testing

@testable import LocationCore
@testable import LocationctlSupport

/// Every state of an app, every control of every surface, and every change between the look and the press: the daemon's
/// core, over its real socket and disk, then has the decision that the control's words promise.
enum Walk {
    /// The end of "until tomorrow" during the walk.
    static let tomorrow = Decision.Lifetime.until(secondsSince1970: WallClock.nextMidnight(after: WalkedDaemon.start))
}

@Suite(.timeLimit(.minutes(15))) struct DecisionWalkTests {
    @Test(arguments: Change.allCases)
    func theWordsOfEachControlAreKept(change: Change) async throws {
        let cells = Cell.all.filter { $0.change == change }
        let daemon = try await WalkedDaemon()
        for cell in cells { try await prepare(cell, daemon) }
        let looks = try await looks(daemon)
        for cell in cells {
            #expect(try await decided(cell, daemon) == cell.state.decided, "\(cell.testDescription): before")
        }
        var presses: [UInt32: UserDecision] = [:]
        for cell in cells {
            let look = Look(summary: looks.apps[cell.uid], prompt: looks.prompts[cell.uid], key: cell.key)
            presses[cell.uid] = try cell.control.press(look)
            if presses[cell.uid] == nil, !cell.control.mayBeMissing { Issue.record("\(cell.testDescription): missing") }
        }
        #expect(presses.count > cells.count * 3 / 4)
        try await apply(change, to: cells, daemon)
        var differing: [String] = []
        for cell in cells {
            guard let press = presses[cell.uid] else { continue }
            let now = change.applied(to: cell.state.decided) ?? cell.state.decided
            let before = try await decided(cell, daemon)
            if before != now { differing.append("\(cell.testDescription): \(before) after the change, not \(now)") }
            let outcome = await daemon.connection.attempt(press)
            let after = try await decided(cell, daemon)
            let kept = cell.control.promise.kept(seeing: cell.state, after: change, now: now)
            let isMade = if case .success = outcome { true } else { false }
            if isMade != (kept != nil) || after != (kept ?? now) {
                let wanted = kept.map(\.description) ?? "a refusal, and still \(now)"
                let result = isMade ? "done" : "\(outcome)"
                differing.append("\(cell.testDescription): \(after) (\(result)) instead of \(wanted)")
            }
        }
        #expect(differing.isEmpty, "\(differing.count) of \(presses.count): \(differing.prefix(5))")
        try await daemon.stop()
    }

    @Test func theWalkIsWhole() {
        #expect(Cell.all.count > 2000)
        for surface in Set(Control.all.map(\.surface)) {
            #expect(Cell.all.contains { $0.control.surface == surface })
        }
    }

    /// The document for users has each control with the promise of its words.
    @Test func theDocumentHasEachControl() throws {
        let text = try String(contentsOfFile: Project.folder + "/docs/decisions.md", encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
        for control in Control.all {
            guard case .answers(let answer, _) = control.promise else {
                let words = control.words.split(separator: ", ", maxSplits: 1).last.map(String.init) ?? control.words
                #expect(rows.contains { $0.contains(words) && $0.contains(control.promise.words) }, "\(control.words)")
                continue
            }
            #expect(rows.contains { $0.contains("`\(answer.spelling)`") }, "\(control.words)")
        }
    }

    // MARK: States

    private func prepare(_ cell: Cell, _ daemon: WalkedDaemon) async throws {
        let key = cell.key
        func decide(_ decision: Decision) async throws {
            try await daemon.broker { try $0.decide(decision, about: key) }
        }
        func request(_ level: RequestedLevel) async throws {
            try await daemon.broker { broker in
                _ = broker.request(level, reason: nil, by: key) { _ in }
                return daemon.loop.makeSucceededVoidFuture()
            }
        }
        func answer(_ answer: PromptAnswer, _ accuracy: AccuracyAuthorization? = nil) async throws {
            try await daemon.broker { broker in
                try broker.answer(broker.machine.prompt(about: key)!.id, with: answer, accuracy: accuracy)
            }
        }
        func requestFullAccuracy() async throws {
            try await daemon.broker { broker in
                _ = broker.requestTemporaryFullAccuracy(purposeKey: "turns", presence: .inUse, by: key) { _ in }
                return daemon.loop.makeSucceededVoidFuture()
            }
        }
        try await daemon.broker { broker in
            broker.connected(key)
            return daemon.loop.makeSucceededVoidFuture()
        }
        switch cell.state {
        case .undecided: break
        case .provisional, .provisionalReduced, .asksToKeepAlways:
            try await request(.always)
            try await answer(.whileUsing, cell.state == .provisionalReduced ? .reduced : .full)
        case .fullForNow, .alwaysFullForNow, .asksFullAccuracy:
            try await decide(cell.state.decided.decision!)
            try await requestFullAccuracy()
            if cell.state != .asksFullAccuracy { try await answer(.once) }
        case .asksWhileInUse: try await request(.whenInUse)
        case .asksAlways: try await request(.always)
        default: try await decide(cell.state.decided.decision!)
        }
        switch cell.state {
        case .asksAlwaysToo, .asksAlwaysTooReduced: try await request(.always)
        case .asksToKeepAlways:
            try await daemon.broker { broker in
                broker.promptAgain(about: key)
                return daemon.loop.makeSucceededVoidFuture()
            }
        default: break
        }
    }

    private func looks(_ daemon: WalkedDaemon) async throws -> (apps: [UInt32: AppSummary], prompts: [UInt32: Prompt]) {
        let apps = try await daemon.apps().map { (UInt32($0.uid), $0) }
        let prompts = try await daemon.prompts().map { (UInt32($0.uid), $0) }
        return (Dictionary(uniqueKeysWithValues: apps), Dictionary(uniqueKeysWithValues: prompts))
    }

    private func decided(_ cell: Cell, _ daemon: WalkedDaemon) async throws -> Decided {
        let key = cell.key
        let now = daemon.now
        return try await daemon.broker { broker in
            var decision = broker.table.decision(about: key)
            if decision?.lifetime.end == WallClock.nextMidnight(after: now) { decision?.lifetime = Walk.tomorrow }
            let decided = Decided(
                decision: decision,
                isTemporarilyFull: broker.table.hasTemporaryFullAccuracy(key))
            return daemon.loop.makeSucceededFuture(decided)
        }
    }

    // MARK: Changes

    private func apply(_ change: Change, to cells: [Cell], _ daemon: WalkedDaemon) async throws {
        switch change {
        case .none: return
        case .restarted: return try await daemon.restart()
        case .restricted:
            let restrictions = Set(cells.map { Restriction(app: Cell.app, uid: $0.uid) })
            return try await daemon.broker { broker in
                broker.use(restrictions: restrictions, manifests: broker.machine.manifests)
                return daemon.loop.makeSucceededVoidFuture()
            }
        case .ended:
            // Ten seconds without the app end "once" and full accuracy for now, the night ends "until tomorrow".
            for cell in cells where Change.ended.applied(to: cell.state.decided) != nil {
                try await daemon.broker { broker in
                    broker.disconnected(cell.key)
                    return daemon.loop.makeSucceededVoidFuture()
                }
            }
            return try await daemon.pass(2 * 86_400)
        default: break
        }
        for cell in cells where change == .servicesOff || change.applied(to: cell.state.decided) != nil {
            let key = cell.key
            try await daemon.broker { broker in
                let revision = broker.table.revision(of: key)
                return switch change {
                case .revoked: try broker.revoke(key)
                case .denied: try broker.decide(.denied, about: key)
                case .reset: try broker.decide(nil, about: key)
                case .narrowedToOnce: try broker.decide(Decision(level: .whenInUse, lifetime: .once), about: key)
                case .widened: try broker.decide(Decision(level: .always), about: key)
                case .reduced: try broker.setAccuracy(.reduced, of: key, revision: revision)
                case .keptWhileInUse: try broker.keepWhileInUse(key, revision: revision)
                default: broker.setServicesEnabled(false, for: key.uid)
                }
            }
        }
    }
}

extension Promise {
    /// The words for it in docs/decisions.md.
    fileprivate var words: String {
        switch self {
        case .takesAway: "denied"
        case .denies: "denied"
        case .reduces, .switchesAccuracy: "accuracy"
        case .keepsWhileInUse: "background"
        case .allows, .grants: "new grant"
        case .forbids: "denied"
        case .forgets: "asked again"
        case .answers: ""
        }
    }
}
