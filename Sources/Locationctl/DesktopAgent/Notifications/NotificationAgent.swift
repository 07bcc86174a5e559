internal import Glibc
internal import LocationProtocol
package import LocationctlSupport

/// The agent on a desktop: prompts are notifications, and their buttons are the answers.
package struct NotificationAgent {
    let daemon: DaemonConnection
    let feed: PromptFeed
    /// A Boolean value indicating whether the session, not a user, started the agent. If there is nothing to do, such
    /// an agent ends without an error.
    let isAutostarted: Bool

    package init(daemon: DaemonConnection, feed: PromptFeed, isAutostarted: Bool) {
        (self.daemon, self.feed, self.isAutostarted) = (daemon, feed, isAutostarted)
    }

    /// Runs until a signal or the end of the session. Calls `onStart` once the daemon accepts the agent.
    package func run(onStart: () -> Void) async throws {
        let bus: SessionBus
        do { bus = try SessionBus() } catch { if isAutostarted { return } else { throw error } }
        guard try bus.becomeAgent() else {
            if isAutostarted { return }
            throw Failure(.failed, "another agent shows the prompts in this desktop session already")
        }
        // A session may start its notification server later.
        while isAutostarted, (try? bus.hasButtons()) == nil { try Self.waitForServer(bus) }
        var hasButtons = try bus.hasButtons()
        let events = AgentEvents(daemon)
        await events.trap(SIGINT, SIGTERM)
        events.follow(feed)
        let descriptor = bus.descriptor
        let wait: @Sendable () -> [UInt8] = { Self.waited(for: descriptor) }
        events.read(wait)
        var machine = NotificationAgentStateMachine()
        var hasStarted = false
        for await event in events.all {
            var actions: [NotificationAgentStateMachine.Action] = []
            switch event {
            case .feed(.value(let prompts, _)):
                if !hasStarted { onStart() }
                hasStarted = true
                actions = machine.received(prompts)
            case .feed(.lost): actions = machine.received([])
            case .failed(let error):
                if isAutostarted, (error as? Failure)?.status == .notAuthorized { return }
                throw error
            case .answered(_, _, _, let failure):
                if let failure { Terminal.writeError("locationctl: \(failure)\n") }
            case .signal:
                for case .withdraw(let id) in machine.received([]) { bus.withdraw(id) }
                return
            case .tick, .input: break
            }
            // A call may have read signals that came before its reply, and the descriptor does not announce those.
            repeat {
                for action in actions { perform(action, bus: bus, events: events, &machine, hasButtons: hasButtons) }
                actions = []
                while let notice = try bus.next() {
                    if case .serverChanged = notice { hasButtons = (try? bus.hasButtons()) ?? hasButtons }
                    actions += Self.actions(of: notice, &machine)
                }
            } while !actions.isEmpty
            if case .input = event { events.read(wait) }
        }
    }

    /// The time in seconds on a monotonic clock.
    private static var time: Double { (ContinuousClock.now - start) / .seconds(1) }
    private static let start = ContinuousClock.now

    private func perform(
        _ action: NotificationAgentStateMachine.Action, bus: SessionBus, events: AgentEvents,
        _ machine: inout NotificationAgentStateMachine, hasButtons: Bool
    ) {
        switch action {
        case .show(let prompt, let extent):
            let command = daemon.command("answer \(prompt.id) ANSWER")
            var random = SystemRandomNumberGenerator()
            let token = NotificationToken(using: &random)
            let text = NotificationText(
                prompt, extent, token,
                entry: DesktopEntry(of: prompt.app, in: DesktopEntry.folders, languages: Languages.preferred ?? []),
                hasButtons: hasButtons, makesButtonOfDefault: bus.makesButtonOfDefault(), now: AgentEvents.now,
                .machine, answerCommand: command)
            switch bus.show(text) {
            case .success(let shown):
                machine.isShown(prompt, extent, token, id: shown.id, by: shown.server, at: Self.time)
            case .failure(let failure):
                Terminal.writeError(
                    "locationctl: prompt \(prompt.id) could not be shown as a notification (\(failure.reason)); "
                        + "answer it in a terminal: \(command)\n")
            }
        case .withdraw(let id): bus.withdraw(id)
        case .answer(let id, let answer, let accuracy): events.answer(id, answer, accuracy)
        }
    }

    private static func actions(
        of notice: SessionBus.Notice, _ machine: inout NotificationAgentStateMachine
    ) -> [NotificationAgentStateMachine.Action] {
        switch notice {
        case .invoked(let id, let key, let sender): machine.invoked(id, key, by: sender, at: time)
        case .closed(let id, let reason, let sender):
            [machine.closed(id, reason: reason, by: sender)].compactMap(\.self)
        case .serverChanged(let server): machine.serverChanged(to: server)
        }
    }

    /// Blocks until a different notification server may have started.
    private static func waitForServer(_ bus: SessionBus) throws {
        while true {
            if case .serverChanged = try bus.next() { return }
            _ = waited(for: bus.descriptor)
        }
    }

    /// Blocks until the descriptor is readable.
    private static func waited(for descriptor: CInt) -> [UInt8] {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
        return []
    }
}
