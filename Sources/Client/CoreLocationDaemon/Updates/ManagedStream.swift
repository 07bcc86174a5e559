internal import CoreLocation
internal import EventLoopSupport
internal import LocationClient
internal import NIOCore

/// The shell of a ``StreamPolicy``, which opens and closes a stream. Confined to the event loop.
final class ManagedStream<Element: Sendable>: Sendable {
    /// An event for the owner of the stream.
    enum Notice: Sendable {
        case element(Element)
        case failed(CLError.Code)
    }

    /// A closure that opens a stream with the current options, and passes its steps on.
    typealias Opening = @Sendable (_ onStep: @escaping @Sendable (StreamStep<Element>) -> Void) -> CancellationHandle

    private struct State {
        var policy: StreamPolicy
        var opening: Opening?
        var subscription: CancellationHandle?
        /// The number of the open stream. Late elements of streams with other numbers are ignored.
        var number = 0
        let timer: LoopTimer
        var observation: CancellationHandle?
        /// The number of the last change of the authorization before the start.
        var start = 0
    }

    private let authorization: AppAuthorization
    private let reports: ManagerReports?
    private let handler: @Sendable (Notice) -> Void
    private let state: NIOLoopBoundBox<State>

    /// Creates a stream that is not wanted yet.
    ///
    /// - Parameters:
    ///   - reports: The reports of the manager, if the stream belongs to one. Its streams report each denial once.
    ///   - handler: A closure called with each event for the owner.
    init(
        _ policy: StreamPolicy, _ authorization: AppAuthorization, on loop: any EventLoop,
        reports: ManagerReports? = nil, handler: @escaping @Sendable (Notice) -> Void
    ) {
        self.authorization = authorization
        self.reports = reports
        self.handler = handler
        state = NIOLoopBoundBox.makeBoxSendingValue(
            State(policy: policy, timer: LoopTimer(on: loop)), eventLoop: loop)
    }

    /// A Boolean value indicating whether the stream has been started and not stopped.
    var isWanted: Bool { state.value.policy.isWanted }

    /// Keeps the stream returned by `stream` open whenever the app is authorized.
    func start(_ stream: @escaping @Sendable () -> LocationStream<Element>) {
        start(opening: { stream().subscribe(waitsForDaemon: true, onStep: $0) })
    }

    /// Keeps a stream open whenever the app is authorized.
    func start(opening: @escaping Opening) {
        guard !isWanted else { return }
        state.value.opening = opening
        state.value.start = authorization.changeCount
        authorization.begin()
        perform(state.value.policy.start())
        state.value.observation = authorization.observe { [self] in
            perform(state.value.policy.authorizationChanged(to: $0))
            authorization.expectRequest()
        }
    }

    /// Replaces the open stream with a new one.
    func reopen() {
        perform(state.value.policy.reopen())
    }

    func stop() {
        guard isWanted else { return }
        state.value.observation?.cancel()
        state.value.observation = nil
        perform(state.value.policy.stop())
        state.value.opening = nil
    }

    private func perform(_ actions: [StreamPolicy.Action]) {
        for action in actions {
            switch action {
            case .open: open()
            case .close: close()
            case .retry(let seconds):
                state.value.timer.set(in: .clamping(seconds: seconds)) { [self] in
                    perform(state.value.policy.retry())
                }
            case .fail(.denied):
                let isNew = reports?.isNew(
                    denial: authorization.changeCount, ofServiceStartedAt: state.value.start)
                if isNew ?? true { handler(.failed(.denied)) }
            case .fail(let code): handler(.failed(code))
            }
        }
    }

    private func open() {
        close()
        let number = state.value.number
        state.value.subscription = state.value.opening?({ [self] step in
            guard number == state.value.number else { return }
            switch step {
            case .element(let element):
                state.value.policy.received()
                handler(.element(element))
            case .ended(let error):
                close()
                authorization.diagnostics.reportFailure(error)
                perform(state.value.policy.ended(error))
            }
        })
    }

    private func close() {
        state.value.number += 1
        state.value.timer.cancel()
        state.value.subscription?.cancel()
        state.value.subscription = nil
    }
}
