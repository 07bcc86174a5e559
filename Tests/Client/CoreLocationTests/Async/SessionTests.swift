import Testing

@testable import CoreLocation

@Suite struct SessionTests {
    private let backend = ScriptedBackend()

    @Test func aServiceSessionEndsWhenItIsInvalidatedOrGone() {
        Backend.$current.withValue(backend) {
            let session = CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "k")
            #expect(backend.calls == ["session always k"])
            session.invalidate()
            #expect(backend.calls.dropFirst().first == "invalidate")
        }
        let another = ScriptedBackend()
        Backend.$current.withValue(another) { _ = CLServiceSession(authorization: .none) }
        #expect(another.calls == ["session none -", "invalidate"])
    }

    @Test func anActivitySessionEndsWhenItIsInvalidatedOrGone() {
        Backend.$current.withValue(backend) {
            _ = CLBackgroundActivitySession()
        }
        #expect(backend.calls == ["activity", "invalidate"])
    }

    @Test func diagnosticsAreTheCores() async throws {
        var denied = CLServiceSession.Diagnostic()
        denied.authorizationDenied = true
        backend.diagnostics = [CLServiceSession.Diagnostic(), denied]
        backend.activityDiagnostics = [CLBackgroundActivitySession.Diagnostic()]
        let (session, activity) = Backend.$current.withValue(backend) {
            (CLServiceSession(authorization: .whenInUse), CLBackgroundActivitySession())
        }
        var seen: [Bool] = []
        for try await diagnostic in session.diagnostics { seen.append(diagnostic.authorizationDenied) }
        #expect(seen == [false, true])
        var iterator = activity.diagnostics.makeAsyncIterator()
        #expect(try await iterator.next()?.insufficientlyInUse == false)
        #expect(try await iterator.next() == nil)
    }
}
