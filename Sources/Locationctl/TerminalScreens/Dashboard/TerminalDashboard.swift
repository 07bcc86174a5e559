internal import Glibc
internal import LocationModel
internal import LocationProtocol
package import LocationctlSupport

/// The dashboard in a terminal, which draws its state and performs its requests.
///
/// It draws at most once for simultaneous events, and only the cells that have changed.
package final class TerminalDashboard {
    private enum Event: Sendable {
        case daemon(DashboardEvent)
        /// The daemon cannot be reached at first.
        case failed(any Error)
        /// Bytes of standard input; none at its end.
        case input([UInt8])
        case signal(CInt)
        /// The simultaneous events have been applied.
        case settled
    }

    /// The time for collecting events before drawing. The streams report one fix in several events.
    private static let moment = Duration.milliseconds(40)

    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let feeds: DashboardFeeds
    private let capabilities = TerminalCapabilities.current
    private let zone: LocalTime
    private var state: DashboardState
    private var keys = KeyDecoder()
    private var drawn: [TextRow]?
    private var isDrawingDue = false
    private let began = ContinuousClock.now

    private var tasks = DashboardTasks()

    package init(
        _ daemon: DaemonConnection, _ user: UserOption, _ positionDisplay: DashboardState.PositionDisplay,
        zone: LocalTime
    ) {
        self.zone = zone
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        (self.events, self.continuation) = (events, continuation)
        feeds = DashboardFeeds(
            daemon: daemon, apps: UserScope(uid: user.uid), services: UserScope(uid: user.resolved)
        ) { continuation.yield(.daemon($0)) }
        let identity = (OwnApp.current?.identity).flatMap { AppIdentity($0) }
        state = DashboardState(
            ownApp: identity.map { AppKey(uid: getuid(), app: $0) }, positionDisplay: positionDisplay)
    }

    /// Runs until q, Ctrl-C, a signal, or the end of the input.
    package func run() async throws {
        let window = try TerminalWindow(hasWheel: true)
        defer { window.restore() }
        let authorization = feeds.followAuthorization { [continuation] in continuation.yield(.failed($0)) }
        defer {
            authorization.cancel()
            tasks.closeConnection()
        }
        await trap(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT)
        let minutes = after(.seconds(60), repeats: true) { .daemon(.minute) }
        defer { minutes.cancel() }
        read()
        draw(window)
        for await event in events {
            switch event {
            case .daemon(let event):
                guard perform(receive(event), window) else { return }
                drawSoon()
            case .failed(let error): throw error
            case .settled:
                isDrawingDue = false
                draw(window)
            case .signal(SIGWINCH): drawn = nil
            case .signal(SIGCONT):
                window.enterRawMode()
                drawn = nil
            case .signal: return
            case .input(let bytes):
                if bytes.isEmpty { return }
                for key in keys.decode(bytes) {
                    guard perform(state.pressed(key, at: time), window) else { return }
                }
                read()
            }
            if !isDrawingDue { draw(window) }
        }
    }

    /// Prints the first complete screen as plain text, without the position: for terminals without a cursor.
    package func printOnce(columns: Int) async throws {
        let authorization = feeds.followAuthorization { [continuation] in continuation.yield(.failed($0)) }
        let deadline = after(.seconds(10), repeats: false) { .settled }
        defer {
            authorization.cancel()
            deadline.cancel()
            tasks.closeConnection()
        }
        for await event in events {
            switch event {
            case .daemon(let event): _ = perform(receive(event), nil)
            case .failed(let error): throw error
            case .input, .signal: break
            case .settled: throw Failure(.failed, "locationd did not answer in time")
            }
            if state.isComplete { break }
        }
        let screen = DashboardScreen(
            state, columns: columns, rows: 24 + state.apps.count, glyphs: .of(capabilities), now: AgentEvents.now,
            at: time, zone: zone, isPrinted: true)
        let plain = TerminalCapabilities(hasColour: false, hasUnicode: capabilities.hasUnicode)
        var lines = screen.rows.dropLast().map { $0.drawn(plain) }
        while lines.last == "" { lines.removeLast() }
        try Terminal.writeOutput(lines.map { $0 + "\n" }.joined())
    }

    // MARK: Events

    private var time: Double { (ContinuousClock.now - began) / .seconds(1) }

    private func receive(_ event: DashboardEvent) -> [DashboardRequest] {
        switch event {
        case .connected:
            tasks.closeConnection()
            tasks.start(feeds.openManagement(), for: .management)
        case .lost: tasks.closeConnection()
        default: break
        }
        return state.received(event, at: time)
    }

    private func trap(_ signals: CInt...) async {
        let stream = await TrappedSignals.stream(of: signals)
        Task { [continuation] in for await signal in stream { continuation.yield(.signal(signal)) } }
    }

    private func read() {
        Task { [continuation] in continuation.yield(.input(await TerminalWindow.input())) }
    }

    private func after(
        _ time: Duration, repeats: Bool, _ event: @escaping @Sendable () -> Event
    ) -> Task<Void, Never> {
        Task { [continuation] in
            repeat {
                guard (try? await Task.sleep(for: time)) != nil else { return }
                continuation.yield(event())
            } while repeats
        }
    }

    // MARK: Requests

    /// Performs the state's requests. Returns `false` at the end.
    private func perform(_ requests: [DashboardRequest], _ window: TerminalWindow?) -> Bool {
        for request in requests {
            switch request {
            case .subscribe: tasks.start([feeds.subscribe()], for: .subscription)
            case .requestAuthorization: tasks.start([feeds.requestAuthorization()], for: .authorization)
            case .followReceivers(let isWanted): tasks.start(isWanted ? feeds.followReceivers() : [], for: .receivers)
            case .openManagement:
                tasks.start([], for: .receivers)
                tasks.start(feeds.openManagement(), for: .management)
            case .readLists: tasks.start([feeds.readLists()], for: .lists)
            case .readLog: tasks.start([feeds.readLog()], for: .log)
            case .waitForLists(let seconds):
                tasks.start([after(.seconds(seconds), repeats: false) { .daemon(.listsDue) }], for: .lists)
            case .waitForLog(let seconds):
                tasks.start([after(.seconds(seconds), repeats: false) { .daemon(.logDue) }], for: .log)
            case .answer(let id, let answer, let accuracy): feeds.answer(id, answer, accuracy)
            case .decide(let decision, let app): feeds.decide(decision, app)
            case .end: return false
            case .suspend:
                window?.stop()
                drawn = nil
            }
        }
        return true
    }

    // MARK: The screen

    private func drawSoon() {
        guard !isDrawingDue else { return }
        isDrawingDue = true
        tasks.start([after(Self.moment, repeats: false) { .settled }], for: .drawing)
    }

    private func draw(_ window: TerminalWindow) {
        let size = window.size
        let screen = DashboardScreen(
            state, columns: size.columns, rows: size.rows, glyphs: .of(capabilities), now: AgentEvents.now, at: time,
            zone: zone)
        state.agent.isReadable = screen.isPromptReadable
        window.write(ScreenUpdate(capabilities: capabilities).text(screen.rows, over: drawn))
        drawn = screen.rows
        tick()
    }

    /// Draws again when the time without a location, which the screen shows, changes.
    private func tick() {
        guard let seconds = state.secondsWithoutLocation(at: time) else { return tasks.start([], for: .clock) }
        let wait = Duration.seconds(FixSearchText.changeInterval(seconds))
        tasks.start([after(wait, repeats: false) { .settled }], for: .clock)
    }
}
