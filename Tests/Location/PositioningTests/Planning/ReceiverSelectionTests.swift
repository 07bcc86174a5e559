import LocationModel
import Positioning
import Testing

@Suite struct ReceiverSelectionTests {
    typealias Action = ReceiverSelection.Action

    /// A selection, and the receivers that a caller would have open after its actions.
    struct Scene {
        var selection = ReceiverSelection()
        var present: [Int] = []
        var open: Set<Int> = []
        var isStopped = false
        /// The reports of availability.
        var reports: [Bool] = []
        var now = 0.0

        init(_ ids: [Int] = [0, 1]) {
            perform(.replace(ids))
        }

        /// Performs a step. Returns the selection's actions.
        @discardableResult
        mutating func perform(_ step: Step) -> [Action] {
            let actions: [Action]
            switch step {
            case .follow(let plan): actions = selection.follow(plan, at: now)
            case .found(let id): actions = selection.found(id)
            case .lose(let id, let hasEnded): actions = selection.lose(id, hasEnded: hasEnded)
            case .fix(let id): actions = fix(id)
            case .replace(let ids):
                open.formIntersection(ids)
                present = ids
                actions = selection.replace(with: ids.map { .init(id: $0) })
            case .wake: actions = selection.woke(at: now)
            case .wait(let seconds):
                now += seconds
                guard let deadline = selection.deadline, deadline <= now else { return [] }
                actions = selection.advance(to: now)
            case .stop:
                isStopped = true
                actions = selection.stop()
            }
            for action in actions {
                switch action {
                case .open(let ids):
                    #expect(open.isDisjoint(with: ids), "opened twice")
                    open.formUnion(ids)
                case .close: open = []
                case .report(let isAvailable): reports.append(isAvailable)
                case .setInterval, .forgetMessages: break
                }
            }
            return actions
        }

        private mutating func fix(_ id: Int) -> [Action] {
            guard open.contains(id) else { return [] }
            var location = Location(
                timestamp: Timestamp(millisecondsSince1970: Int64(now * 1000)), latitude: 1, longitude: 2)
            location.horizontalAccuracy = 5
            let found = selection.found(id)
            _ = selection.admits(location, of: id, at: now)
            return found + (selection.plan == .continuous ? [] : selection.proceed(at: now))
        }
    }

    enum Step: Equatable {
        case follow(ReceiverPlan), found(Int), lose(Int, hasEnded: Bool), fix(Int), replace([Int]), wake
        case wait(Double), stop

        static func lose(_ id: Int) -> Step { .lose(id, hasEnded: false) }
    }

    private static let minute = ReceiverPlan.every(seconds: 60, accuracy: 100)

    /// Each row: the steps so far, the next step, and the actions for the caller.
    private static let table: [(before: [Step], step: Step, actions: [Action])] = [
        // Demand
        ([], .follow(.continuous), [.setInterval(nil), .open([0, 1])]),
        ([.follow(.continuous)], .follow(.continuous), []),
        ([.follow(.continuous)], .follow(minute), [.setInterval(60)]),
        ([.follow(.continuous)], .follow(.off), [.setInterval(nil)]),
        ([.follow(.continuous), .follow(.off)], .wait(4), []),
        ([.follow(.continuous), .follow(.off)], .wait(5), [.close, .forgetMessages]),
        ([.follow(.continuous), .follow(.off)], .follow(.continuous), [.setInterval(nil)]),
        ([.follow(minute)], .fix(0), [.close]),
        ([.follow(minute), .fix(0)], .wait(60), [.open([0, 1])]),
        ([.replace([])], .follow(.continuous), [.setInterval(nil), .open([]), .report(isAvailable: false)]),
        // Receivers
        ([.follow(.continuous)], .replace([0, 1, 2]), [.open([2])]),
        ([.follow(.continuous)], .replace([1]), []),
        ([], .replace([0, 1, 2]), []),
        ([.follow(.continuous)], .replace([]), [.report(isAvailable: false)]),
        ([.follow(.continuous), .lose(0)], .replace([0]), [.report(isAvailable: false)]),
        ([.follow(.continuous), .lose(0), .lose(1)], .replace([0, 1, 2]), [.open([2])]),
        // Availability
        ([.follow(.continuous)], .lose(0), []),
        ([.follow(.continuous), .lose(0)], .lose(1), [.report(isAvailable: false)]),
        ([.follow(.continuous), .lose(0), .lose(1)], .lose(1), []),
        ([.follow(.continuous), .lose(0), .lose(1)], .fix(1), [.report(isAvailable: true)]),
        ([.follow(.continuous)], .found(0), []),
        // The end of a loss is reported, though the loss was forgotten with the demand.
        (
            [.follow(.continuous), .lose(0), .lose(1), .follow(.off), .wait(5), .follow(.continuous)], .fix(0),
            [.report(isAvailable: true)]
        ),
        // Recordings that are over
        (
            [.follow(minute), .lose(0, hasEnded: true), .fix(1)], .wait(60),
            [.open([1])]
        ),
        (
            [.follow(minute), .lose(0, hasEnded: true), .follow(.off), .wait(5)], .follow(.continuous),
            [.setInterval(nil), .open([0, 1])]
        ),
        // Sleep, and the end
        ([.follow(.continuous)], .wake, [.close, .setInterval(nil), .open([0, 1])]),
        ([], .wake, [.close, .forgetMessages]),
        ([.follow(.continuous)], .stop, [.close, .forgetMessages]),
        ([.follow(.continuous), .stop], .follow(.continuous), []),
    ]

    @Test(arguments: table.indices)
    func eachStepHasTheseActions(_ row: Int) {
        let (before, step, actions) = Self.table[row]
        var scene = Scene()
        for step in before { scene.perform(step) }
        #expect(scene.perform(step) == actions)
    }

    private static let steps: [Step] = [
        .follow(.off), .follow(.continuous), .follow(minute), .fix(0), .fix(1), .lose(0), .lose(1),
        .lose(0, hasEnded: true), .replace([0]), .replace([1, 0]), .replace([]), .wake, .wait(5), .wait(60), .stop,
    ]

    /// Every sequence of four steps: the open receivers are those in the plan, and every report says something new.
    @Test func everyWalkOpensWhatThePlanNeeds() {
        var walks = 0
        func walk(_ scene: Scene, _ path: [Step]) {
            guard path.count < 4 else { return walks += 1 }
            for step in Self.steps {
                var next = scene
                next.perform(step)
                let path = path + [step]
                verify(next, path)
                walk(next, path)
            }
        }
        walk(Scene(), [])
        #expect(walks == Self.steps.count * Self.steps.count * Self.steps.count * Self.steps.count)
    }

    private func verify(_ scene: Scene, _ path: [Step]) {
        let selection = scene.selection
        let isRight =
            scene.open.isSubset(of: scene.present)
            && (selection.isOpen || scene.open.isEmpty)
            && !(selection.isOpen && selection.plan == .off && selection.deadline == nil)
            && !(selection.plan == .continuous && !selection.isOpen)
            && !(scene.isStopped && selection.isOpen)
            && zip(scene.reports, scene.reports.dropFirst()).allSatisfy { $0 != $1 || $0 == false }
            && scene.reports.first != true
            && (selection.choice.current.map(scene.present.contains) ?? true)
            && !(selection.isUnavailable && selection.choice.current != nil)
        if !isRight { Issue.record("\(path)") }
    }
}
