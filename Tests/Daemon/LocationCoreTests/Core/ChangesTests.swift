import Testing

@testable import LocationCore

/// Observations of the core's changes.
@Suite struct ChangesTests {
    private final class Calls {
        var names: [String] = []
    }

    private let changes = Changes()
    private let calls = Calls()

    private func observe(_ name: String, _ subjects: [Changes.Subject]) -> Changes.Observation {
        changes.observe(subjects) { [calls] in calls.names.append(name) }
    }

    @Test func everyObserverOfTheSubjectIsCalled() {
        _ = observe("first", [.prompts])
        _ = observe("second", [.prompts, .services])
        _ = observe("third", [.services])
        changes.report(.prompts)
        #expect(calls.names == ["first", "second"], "the second does not take the place of the first")
        changes.report(.services)
        #expect(calls.names == ["first", "second", "second", "third"])
        changes.report(.indicator)
        #expect(calls.names.count == 4)
    }

    @Test func anEndedObservationLeavesTheOthers() {
        let first = observe("first", [.prompts, .services])
        _ = observe("second", [.prompts])
        first.end()
        first.end()
        for subject in Changes.Subject.allCases { changes.report(subject) }
        #expect(calls.names == ["second"])
        #expect(changes.observations.map(\.count).reduce(0, +) == 1)
    }

    @Test func anObserverMayEndTheNextOneAndBeginAnother() {
        var second: Changes.Observation?
        changes.observe([.receivers]) { [unowned changes, calls] in
            second?.end()
            second = nil
            calls.names.append("first")
            if calls.names.count == 1 { changes.observe([.receivers]) { calls.names.append("third") } }
        }
        second = observe("second", [.receivers])
        changes.report(.receivers)
        #expect(calls.names == ["first"], "the second has ended, and the third begins with the next change")
        changes.report(.receivers)
        #expect(calls.names == ["first", "first", "third"])
    }
}
