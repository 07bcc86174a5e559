/// A breadth-first search through all states of a modelled daemon, with every event in every state.
///
/// A state is kept as its parent and the number of the event that led to it, and is made again from these. So a trace
/// to a fault is the shortest one.
struct Explorer {
    /// The states with the same distance from the start.
    private struct Level: Sendable {
        /// The indices of the states before, in the level above, in ascending order.
        var parents: [UInt32] = []
        /// The indices of the events among those that were possible there.
        var events: [UInt8] = []
    }

    /// The states found from some states of a level.
    private struct Findings: Sendable {
        var codes: [UInt64] = []
        var states = Level()
        var stepCount = 0
        var fault: Fault?
    }

    /// A broken invariant, or a way out that is closed.
    struct Fault: Sendable, CustomStringConvertible {
        let rule: String
        let reason: String
        /// The events that led to it, beginning at the start.
        let trace: [ModelEvent]
        let scope: ModelScope

        var description: String {
            let lines = trace.enumerated().map { "\n  \($0 + 1). \(scope.text(of: $1))" }
            return "\(rule): \(reason)" + lines.joined()
        }
    }

    /// Makes states of a level again. Fast for states in their order, which mostly have the same parents.
    private struct Replay {
        let levels: [Level]
        private var known: [(index: Int, daemon: ModelledDaemon)]

        init(_ levels: [Level], _ scope: ModelScope) {
            self.levels = levels
            known = [(0, ModelledDaemon(scope))]
        }

        mutating func daemon(_ index: Int, in level: Int) -> ModelledDaemon {
            if level < known.count, known[level].index == index { return known[level].daemon }
            var daemon = self.daemon(Int(levels[level].parents[index]), in: level - 1)
            let event = daemon.events[Int(levels[level].events[index])]
            _ = daemon.apply(event)
            known.removeSubrange(min(level, known.count)...)
            known.append((index, daemon))
            return daemon
        }

        func trace(to index: Int, in level: Int) -> [ModelEvent] {
            var (index, steps) = (index, [UInt8]())
            for level in stride(from: level, to: 0, by: -1) {
                steps.append(levels[level].events[index])
                index = Int(levels[level].parents[index])
            }
            var daemon = known[0].daemon
            return steps.reversed().map { step in
                let event = daemon.events[Int(step)]
                _ = daemon.apply(event)
                return event
            }
        }
    }

    private static let statesPerTask = 1024
    private static let tasksAtOnce = 8

    let scope: ModelScope
    /// The maximum number of states. A level that would have more is not finished.
    let limit: Int
    /// The number of states at each distance from the start, so far.
    private(set) var counts = [1]
    private(set) var stepCount = 0
    private(set) var fault: Fault?
    private var seen = StateSet()
    private var levels = [Level(parents: [0], events: [0])]

    init(_ scope: ModelScope, limit: Int = .max) {
        self.scope = scope
        self.limit = limit
        let start = ModelledDaemon(scope)
        _ = seen.insert(StateCode(start).whole)
    }

    var stateCount: Int { seen.count }

    /// A Boolean value indicating whether the search ended before its end: at the limit.
    var isCutShort: Bool { stateCount >= limit }

    /// Goes through every event in every state that was found last. Returns `false` if that ends the search: there is
    /// no new state, or a fault, or the limit is reached.
    mutating func goOn() async -> Bool {
        let depth = levels.count - 1
        let count = levels[depth].parents.count
        var next = Level()
        var first = 0
        while first < count, fault == nil, !isCutShort {
            let last = min(first + Self.statesPerTask * Self.tasksAtOnce, count)
            for findings in await explore(first..<last, in: depth) {
                stepCount += findings.stepCount
                if fault == nil { fault = findings.fault }
                for (position, code) in findings.codes.enumerated() where seen.insert(code) {
                    next.parents.append(findings.states.parents[position])
                    next.events.append(findings.states.events[position])
                }
            }
            first = last
        }
        levels.append(next)
        counts.append(next.parents.count)
        return fault == nil && !isCutShort && !next.parents.isEmpty
    }

    /// Explores states in parallel. Returns the findings in the order of the states.
    private func explore(_ states: Range<Int>, in level: Int) async -> [Findings] {
        let (scope, seen, levels) = (self.scope, self.seen, self.levels)
        let starts = Array(stride(from: states.lowerBound, to: states.upperBound, by: Self.statesPerTask))
        return await withTaskGroup(of: (Int, Findings).self) { group in
            for (number, start) in starts.enumerated() {
                let part = start..<min(start + Self.statesPerTask, states.upperBound)
                group.addTask { (number, Self.findings(from: part, in: level, levels, seen, scope)) }
            }
            var all = [Findings](repeating: Findings(), count: starts.count)
            for await (number, findings) in group { all[number] = findings }
            return all
        }
    }

    private static func findings(
        from states: Range<Int>, in level: Int, _ levels: [Level], _ seen: StateSet, _ scope: ModelScope
    ) -> Findings {
        var findings = Findings()
        var replay = Replay(levels, scope)
        var new = StateSet()
        for index in states {
            let before = replay.daemon(index, in: level)
            let beforeCode = StateCode(before)
            for (number, event) in before.events.enumerated() {
                var after = before
                let isPossible = after.apply(event)
                let afterCode = StateCode(after)
                findings.stepCount += 1
                let step = ModelStep(
                    before: before, beforeCode: beforeCode, event: event, after: after, afterCode: afterCode)
                let isNew = isPossible && !seen.contains(afterCode.whole) && new.insert(afterCode.whole)
                if let (rule, reason) = step.fault(isPossible: isPossible, isNew: isNew) {
                    let trace = replay.trace(to: index, in: level) + [event]
                    findings.fault = Fault(rule: rule, reason: reason, trace: trace, scope: scope)
                    return findings
                }
                guard isNew else { continue }
                findings.codes.append(afterCode.whole)
                findings.states.parents.append(UInt32(index))
                findings.states.events.append(UInt8(number))
            }
        }
        return findings
    }
}

extension ModelStep {
    /// Returns the rule that the step breaks, and the reason.
    ///
    /// - Parameters:
    ///   - isPossible: `false` if the state machine rejected the event.
    ///   - isNew: A Boolean value indicating whether the state after it was not known.
    fileprivate func fault(isPossible: Bool, isNew: Bool) -> (rule: String, reason: String)? {
        guard isPossible else {
            let isSame = event.isLate || beforeCode.whole == afterCode.whole
            return isSame ? nil : ("a rejected event changes nothing", "another state")
        }
        for index in after.apps.indices where leavesAlone(index) && beforeCode.apps[index] != afterCode.apps[index] {
            return ("an event of an app leaves other apps alone", after.scope.name(of: index))
        }
        // An app that is as before has been checked before.
        for index in after.apps.indices where !leavesAlone(index) {
            for invariant in Invariant.all {
                if let reason = invariant.fault(self, index) { return (invariant.name, reason) }
            }
            for way in isNew ? WayOut.all : [] where !way.isOpen(after, index) {
                return ("a way out is closed for \(after.scope.name(of: index))", way.name)
            }
        }
        return nil
    }
}
