internal import CoreLocation
internal import LocationClient
internal import NIOCore

/// The diagnostics of a session for one consumer: the current one, then one for every change.
final class SessionDiagnostics<Diagnostic: Sendable>: EventSource {
    private let app: AppSession
    private let buffer = EventBuffer<Diagnostic>()
    private let observation: NIOLoopBoundBox<CancellationHandle?>

    init(
        _ app: AppSession, _ diagnostic: @escaping @Sendable (AuthorizationState, _ isRequesting: Bool) -> Diagnostic
    ) {
        self.app = app
        observation = NIOLoopBoundBox.makeBoxSendingValue(nil, eventLoop: app.loop)
        app.onLoop { [app, buffer, observation] in
            app.authorization.begin()
            observation.value = app.authorization.observe { authorization in
                guard authorization != .daemonUnreachable else { return }
                buffer.append(diagnostic(authorization, app.authorization.isRequesting))
            }
        }
    }

    deinit {
        app.onLoop { [observation] in observation.value?.cancel() }
    }

    func next(isolation: isolated (any Actor)?) async throws -> Diagnostic? {
        try await buffer.next(isolation: isolation)
    }
}
