internal import LocationctlSupport
internal import NIOPosix

/// All that happens during the setup, one after the other.
package struct SetupEvents: Sendable {
    enum Incoming: Sendable {
        case event(SetupStateMachine.Event)
        /// Bytes of standard input; none at its end.
        case input([UInt8])
    }

    let all: AsyncStream<Incoming>
    private let continuation: AsyncStream<Incoming>.Continuation

    init() {
        (all, continuation) = AsyncStream.makeStream()
    }

    /// Sends an event.
    func send(_ event: SetupStateMachine.Event) { continuation.yield(.event(event)) }

    /// Starts sending these signals.
    func trap(_ signals: CInt...) async {
        let stream = await TrappedSignals.stream(of: signals)
        Task { for await _ in stream { send(.signal) } }
    }

    /// Sends the next bytes of standard input.
    func read() {
        Task {
            let bytes = try? await NIOThreadPool.singleton.runIfActive { TerminalWindow.readOnce() }
            continuation.yield(.input(bytes ?? []))
        }
    }

    /// Starts a task that runs while events are handled, and sends its event or its failure.
    func start(_ body: @escaping @Sendable () async throws -> SetupStateMachine.Event?) -> Task<Void, Never> {
        Task {
            do {
                if let event = try await body() { send(event) }
            } catch {
                // A cancelled task may fail with any error.
                if !Task.isCancelled { send(.failed(Self.message(error))) }
            }
        }
    }

    /// Returns the message of an error for users.
    package static func message(_ error: any Error) -> String { (error as? Failure)?.message ?? "\(error)" }
}
