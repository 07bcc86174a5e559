import AuthorizationPolicy
import TestSupport
import Testing

@testable import GPSDFront
@testable import LocationCore

@Suite(.timeLimit(.minutes(10))) struct ReceiverObservationTests {
    /// A closed server no longer follows the receivers.
    @Test func aClosedServerObservesNothing() async throws {
        let front = try await TestFront()
        let before = try await front.core { $0.changes.observations[Changes.Subject.receivers.rawValue].count }
        try await front.server { _ = $0.close() }
        let after = try await front.core { $0.changes.observations[Changes.Subject.receivers.rawValue].count }
        #expect(before - after == 1)
        try await front.stop()
    }
}
