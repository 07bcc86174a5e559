/// The changes of the core's state, for any number of observers.
///
/// An observation carries no value: an observer reads the change from the core, through the gate if it is about a
/// location. Fixes are not changes of state, and are not reported here. Confined to the event loop.
package final class Changes {
    /// A part of the core's state.
    package enum Subject: Int, CaseIterable {
        /// A subscription or event stream was opened or closed, or a subscription has paused or resumed.
        case subscriptions
        /// A prompt was opened or closed.
        case prompts
        /// An app has appeared in the indicator, has become active or inactive, has moved to or from the background,
        /// has changed its accuracy, or has received something after a minute or more without; or the doubts about the
        /// locations have changed. Not reported at each fix, nor when an app's entry expires, which is not worth a
        /// timer.
        case indicator
        /// The first app has become active, or the last one inactive.
        case inUse
        /// A decision about an app was made, has taken effect, has changed or has ended.
        case decisions
        /// Location services were turned on or off, for a user or for the machine.
        case services
        /// Receivers were added or removed, or a receiver has begun or ceased to produce fixes, or the doubts about its
        /// fixes have changed.
        case receivers
        /// A front has accepted a connection, or a connection has closed.
        case connections
        /// Receivers may have been opened or closed, or time has passed, so that the service may have become idle.
        case activity
    }

    /// The calls of an observer, until ``end()``.
    package final class Observation {
        fileprivate var body: (() -> Void)?
        private let subjects: [Subject]
        private unowned let changes: Changes

        fileprivate init(_ changes: Changes, _ subjects: [Subject], _ body: @escaping () -> Void) {
            self.changes = changes
            self.subjects = subjects
            self.body = body
        }

        /// Ends the observation. The observer is no longer called, even if a change is being reported.
        package func end() {
            body = nil
            for subject in subjects { changes.observations[subject.rawValue].removeAll { $0 === self } }
        }
    }

    /// The observations of each subject, by its raw value, in the order of the calls of ``observe(_:_:)``.
    fileprivate(set) var observations = [[Observation]](repeating: [], count: Subject.allCases.count)

    init() {}

    /// Calls `body` after each change of a subject, until the observation ends, or for the lifetime of the core.
    @discardableResult
    package func observe(_ subjects: [Subject], _ body: @escaping () -> Void) -> Observation {
        let observation = Observation(self, subjects, body)
        for subject in subjects { observations[subject.rawValue].append(observation) }
        return observation
    }

    /// Calls the observers of a subject, which has changed. Allocates nothing.
    package func report(_ subject: Subject) {
        for observation in observations[subject.rawValue] { observation.body?() }
    }
}
