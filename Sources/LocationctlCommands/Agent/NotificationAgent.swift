internal import Glibc
internal import LocationProtocol

/// The agent on a desktop: prompts are notifications, and their buttons are the answers.
struct NotificationAgent {
    let daemon: DaemonConnection
    let feed: PromptFeed

    /// Runs until a signal or the end of the session.
    func run() async throws {
        let bus = try SessionBus()
        var hasButtons = try bus.hasButtons()
        let events = AgentEvents(daemon)
        await events.trap(SIGINT, SIGTERM)
        events.follow(feed)
        let descriptor = bus.descriptor
        let wait: @Sendable () -> [UInt8] = { Self.waited(for: descriptor) }
        events.read(wait)
        var desk = NotificationDesk()
        for await event in events.all {
            var actions: [NotificationDesk.Action] = []
            switch event {
            case .feed(.prompts(let prompts)): actions = desk.received(prompts)
            case .feed(.lost): actions = desk.received([])
            case .failed(let error): throw error
            case .answered(_, _, _, let failure):
                if let failure { Terminal.writeError("locationctl: \(failure)\n") }
            case .signal:
                for case .withdraw(let id) in desk.received([]) { bus.withdraw(id) }
                return
            case .tick, .input: break
            }
            // A call may have read signals that came before its reply: the descriptor does not announce those.
            repeat {
                for action in actions { perform(action, bus: bus, events: events, &desk, hasButtons: hasButtons) }
                actions = []
                while let notice = try bus.next() {
                    if case .serverChanged = notice { hasButtons = (try? bus.hasButtons()) ?? hasButtons }
                    actions += Self.actions(of: notice, &desk)
                }
            } while !actions.isEmpty
            if case .input = event { events.read(wait) }
        }
    }

    private func perform(
        _ action: NotificationDesk.Action, bus: SessionBus, events: AgentEvents, _ desk: inout NotificationDesk,
        hasButtons: Bool
    ) {
        switch action {
        case .show(let prompt):
            let command = daemon.command("answer \(prompt.id) ANSWER")
            let text = NotificationText(
                prompt, hasButtons: hasButtons, now: AgentEvents.now, answerCommand: command)
            switch bus.show(text) {
            case .success(let shown): desk.isShown(prompt, id: shown.id, by: shown.server)
            case .failure(let failure):
                Terminal.writeError(
                    "locationctl: prompt \(prompt.id) could not be shown as a notification (\(failure.reason)); "
                        + "answer it in a terminal: \(command)\n")
            }
        case .withdraw(let id): bus.withdraw(id)
        case .answer(let id, let answer): events.answer(id, answer, nil)
        }
    }

    private static func actions(
        of notice: SessionBus.Notice, _ desk: inout NotificationDesk
    ) -> [NotificationDesk.Action] {
        switch notice {
        case .invoked(let id, let key, let sender): [desk.invoked(id, key, by: sender)].compactMap(\.self)
        case .closed(let id, let reason, let sender): [desk.closed(id, reason: reason, by: sender)].compactMap(\.self)
        case .serverChanged(let server): desk.serverChanged(to: server)
        }
    }

    /// Blocks until the descriptor is readable.
    private static func waited(for descriptor: CInt) -> [UInt8] {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
        return []
    }
}
