internal import Glibc
package import LocationctlSupport

/// The agent in a terminal, which draws its state and performs the actions that keys request.
package struct TerminalAgent {
    let daemon: DaemonConnection
    let feed: PromptFeed
    private let capabilities = TerminalCapabilities.current

    package init(daemon: DaemonConnection, feed: PromptFeed) {
        self.daemon = daemon
        self.feed = feed
    }

    /// Runs until Ctrl-C, a signal, or the end of the input.
    package func run() async throws {
        let window = try TerminalWindow()
        defer { window.restore() }
        let events = AgentEvents(daemon)
        await events.trap(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT)
        events.follow(feed)
        events.tick(every: .seconds(20))
        events.read(TerminalWindow.read)
        let start = ContinuousClock.now
        var state = AgentState()
        var keys = KeyDecoder()
        draw(&state, window)
        for await event in events.all {
            let time = (ContinuousClock.now - start) / .seconds(1)
            switch event {
            case .feed(.value(let prompts, _)): state.received(prompts, at: time)
            case .feed(.lost): state.lost()
            case .failed(let error): throw error
            case .answered(_, let answer, let accuracy, let failure):
                state.completed(answer, accuracy, failure: failure, at: time)
            case .signal(SIGWINCH), .tick: break
            case .signal(SIGCONT): window.enterRawMode()
            case .signal: return
            case .input(let bytes):
                if bytes.isEmpty { return }
                for key in keys.decode(bytes) {
                    switch state.pressed(key, at: time) {
                    case .answer(let id, let answer, let accuracy): events.answer(id, answer, accuracy)
                    case .end: return
                    case .suspend: window.stop()
                    case nil: break
                    }
                }
                events.read(TerminalWindow.read)
            }
            draw(&state, window)
        }
    }

    private func draw(_ state: inout AgentState, _ window: TerminalWindow) {
        let size = window.size
        let screen = AgentScreen(state, columns: size.columns, rows: size.rows, now: AgentEvents.now, .machine)
        state.isReadable = screen.isReadable
        window.draw(screen.lines.map { $0.drawn(capabilities) })
    }
}
