internal import EventLoopSupport
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// One iteration of a stream.
protocol StreamRunning<Element>: AnyObject, Sendable {
    associatedtype Element: Sendable
    /// Calls `body` once, on the event loop, with the next step. Only one call may be pending.
    func next(_ body: @escaping @Sendable (StreamStep<Element>) -> Void)
    /// Calls `body` on the event loop with every step, including the end. To be called once, instead of `next`.
    func forEach(_ body: @escaping @Sendable (StreamStep<Element>) -> Void)
    /// Closes the connection. A pending `next` receives the end of the stream.
    func cancel()
}

/// The shell of a ``StreamStateMachine``, which performs its actions on the event loop.
final class StreamRun<Source: StreamSource>: StreamRunning {
    typealias Element = Source.Element
    private typealias Machine = StreamStateMachine<Source>

    private struct State {
        var machine: Machine
        var client: VarlinkClient?
        var replies: VarlinkClient.Replies?
        var timer: Scheduled<Void>?
        /// The callback for the next step, or for all steps.
        var reader: (@Sendable (StreamStep<Source.Element>) -> Void)?
        var readsEverything = false
        /// The action that follows the current one; there is never more than one.
        var action: Machine.Action?
        var isPerforming = false
        var isCancelled = false
    }

    private let daemon: DaemonSocket
    private let state: NIOLoopBoundBox<State>

    init(_ source: Source, _ daemon: DaemonSocket, waitsForDaemon: Bool) {
        self.daemon = daemon
        let machine = Machine(
            source, backoff: daemon.backoff, waitsForDaemon: waitsForDaemon, now: Self.now)
        state = NIOLoopBoundBox.makeBoxSendingValue(State(machine: machine), eventLoop: daemon.eventLoop)
    }

    func next(_ body: @escaping @Sendable (StreamStep<Source.Element>) -> Void) {
        read(everything: false, body)
    }

    func forEach(_ body: @escaping @Sendable (StreamStep<Source.Element>) -> Void) {
        read(everything: true, body)
    }

    private func read(everything: Bool, _ body: @escaping @Sendable (StreamStep<Source.Element>) -> Void) {
        daemon.onLoop { [self] in
            guard !state.value.isCancelled else { return body(.ended(nil)) }
            precondition(state.value.reader == nil, "a stream has one reader")
            state.value.reader = body
            state.value.readsEverything = everything
            handle(.demanded)
        }
    }

    func cancel() {
        daemon.onLoop { [self] in
            state.value.isCancelled = true
            state.value.timer?.cancel()
            disconnect()
            let reader = state.value.readsEverything ? nil : state.value.reader
            state.value.reader = nil
            reader?(.ended(nil))
        }
    }

    private func handle(_ event: Machine.Event) { perform(state.value.machine.handle(event, now: Self.now)) }

    /// Performs `action` and the actions that follow from it immediately, in a loop rather than recursively.
    private func perform(_ action: Machine.Action) {
        state.value.action = action
        guard !state.value.isPerforming else { return }
        state.value.isPerforming = true
        defer { state.value.isPerforming = false }
        while !state.value.isCancelled, let action = state.value.action {
            state.value.action = nil
            start(action)
        }
    }

    private func start(_ action: Machine.Action) {
        switch action {
        case .connect: connect()
        case .wait(let seconds):
            let time = TimeAmount.clamping(seconds: seconds)
            state.value.timer = daemon.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
                handle(.waited)
            }
        case .greet: greet()
        case .call(let parameters): call(parameters)
        case .read: read()
        case .report(let element): report(element)
        case .finish(let error):
            disconnect()
            let reader = state.value.reader
            state.value.reader = nil
            reader?(.ended(error))
        }
    }

    private func report(_ element: Source.Element) {
        let reader = state.value.reader
        guard state.value.readsEverything else {
            state.value.reader = nil
            reader?(.element(element))
            return
        }
        reader?(.element(element))
        if !state.value.isCancelled { handle(.demanded) }
    }

    private func disconnect() {
        state.value.replies = nil
        state.value.client?.close()
        state.value.client = nil
    }

    private func connect() {
        daemon.connect().assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let client):
                guard !state.value.isCancelled else { return client.close() }
                state.value.client = client
                handle(.connected)
            case .failure(let error): fail(error)
            }
        }
    }

    private func greet() {
        ask(GetAuthorization.self, Nothing(), more: false) { [self] reply in
            handle(.greeted(reply.authorization))
        }
    }

    private func call(_ parameters: Source.Called.Parameters) {
        ask(Source.Called.self, parameters, more: true, then: replied)
    }

    private func read() {
        guard let replies = state.value.replies else { return fail(VarlinkClientError.closed) }
        receive(Source.Called.self, from: replies, then: replied)
    }

    private func replied(_ reply: Source.Called.Reply) {
        handle(.replied(reply))
    }

    private func ask<M: LocationMethod>(
        _ method: M.Type, _ parameters: M.Parameters, more: Bool, then body: @escaping (M.Reply) -> Void
    ) {
        do {
            guard let client = state.value.client else { throw VarlinkClientError.closed }
            let replies = try client.replies(to: M.qualifiedName, parameters, more: more)
            state.value.replies = replies
            receive(method, from: replies, then: body)
        } catch {
            fail(error)
        }
    }

    private func receive<M: LocationMethod>(
        _ method: M.Type, from replies: VarlinkClient.Replies, then body: @escaping (M.Reply) -> Void
    ) {
        replies.next().assumeIsolated().whenComplete { [self] result in
            guard !state.value.isCancelled else { return }
            do {
                guard let reply = try result.get() else {
                    return handle(.completed)
                }
                body(try reply.decoded(as: M.Reply.self))
            } catch {
                fail(error)
            }
        }
    }

    private func fail(_ error: any Error) {
        disconnect()
        handle(.failed(LocationError(error, path: daemon.path)))
    }

    private static var now: Double { NIODeadline.now().seconds }
}
