internal import ForeignText
internal import Glibc
internal import LocationModel
internal import LocationProtocol
package import LocationctlSupport
internal import NIOPosix
internal import Varlink

/// The dialogue that sets a receiver up, with its I/O: `locationctl setup`.
package final class Setup {
    package struct Options: Equatable, Sendable {
        /// The port that the user named, or `nil` to ask.
        package var port: String?
        /// A Boolean value indicating whether the answer to every question is yes.
        package var isConfirmed = false
        /// The time for listening at the ports.
        package var listening = Duration.seconds(12)
        /// The timeout for the first fix; zero for not waiting.
        package var timeout = Duration.seconds(900)

        /// The medium of the list of ports.
        package var medium = OutputMedium.pipe

        package init() {}

        /// A Boolean value indicating whether to wait for the first fix.
        var waits: Bool { timeout > .zero }
    }

    private let daemon: DaemonConnection
    private let root: SystemRoot
    private let options: Options
    private var file: ReceiverFile
    private let events = SetupEvents()
    private var input = LineInput()
    /// The tasks in the background: listening, or waiting for a fix.
    private var tasks: [Task<Void, Never>] = []
    /// The app that may have the location until the wait ends, or `nil`.
    private var allowedApp: String?
    /// The progress that is on the screen, which the next text replaces.
    private var progress = ""

    /// - Parameters:
    ///   - folder: The folder of the daemon's configuration.
    ///   - root: The folder of the machine's files.
    package init(_ daemon: DaemonConnection, folder: String, root: SystemRoot, _ options: Options) {
        self.daemon = daemon
        self.root = root
        self.options = options
        file = ReceiverFile(folder: folder, root)
    }

    /// Runs to the end of the dialogue.
    package func run() async throws -> ExitStatus {
        try file.check()
        await events.trap(SIGINT, SIGTERM, SIGHUP)
        var machine = SetupStateMachine(options)
        let daemon = daemon
        start { [options, root, current = file.current] in
            // A daemon that does not answer is reported later, when it has to read the configuration.
            let receivers = try? await daemon.list(ListReceivers.self, .init()).receivers
            return .surveyed(
                SetupPort.all(root, receivers: receivers ?? [], named: options.port), current: current)
        }
        for await next in events.all {
            let event: SetupStateMachine.Event
            switch next {
            case .event(let received): event = received
            case .input(let bytes):
                input.receive(bytes)
                guard let line = nextLine() else { continue }
                event = line
            }
            for action in machine.handle(event) {
                if case .finish(let status) = action {
                    await endTasks()
                    return status
                }
                await perform(action)
            }
        }
        return .failed
    }

    private func perform(_ action: SetupStateMachine.Action) async {
        do {
            switch action {
            case .print(let text): try print(text)
            case .progress(let text): try show(progress: text)
            case .question(let text):
                // Before the question is printed, so that an answer that is typed at once counts.
                input.begin(isTerminal: isatty(STDIN_FILENO) == 1)
                try print(text)
                if let line = nextLine() { events.send(line) }
            case .listen(let ports):
                start { [options] in .heard(try await PortListener.listen(at: ports, for: options.listening)) }
            case .write(let source):
                let (path, isOther) = try file.write(source)
                events.send(.written(file: path, isOther: isOther))
            case .reload(let source):
                start { [daemon] in
                    try await daemon.use(source)
                    return .reloaded(try await daemon.setupPermission())
                }
            case .allow(let app):
                try await daemon.make(.grant(AppScope(app: app), .always, .once, .full))
                allowedApp = app
                events.send(.allowed)
            case .wait(let source): wait(source)
            case .endWait: try await endWait()
            case .ask(let source, let isAsked):
                _ = try file.write(source, isAsked: isAsked)
                try await daemon.use(source)
            case .grant(let app):
                let scope = AppScope(app: app, uid: UserOption.invokingUser)
                guard let granted = try await daemon.make(.grant(scope, .whenInUse, .permanent, .full)) else { return }
                events.send(.granted(DecisionText.sentence(granted)))
            case .undo:
                try await undo()
                try print(translated("What was written is undone.") + "\n")
            case .finish: break
            }
        } catch  where action == .undo {
            Terminal.writeError("locationctl: what was written could not be undone: \(SetupEvents.message(error))\n")
        } catch {
            events.send(.failed(SetupEvents.message(error)))
        }
    }

    // MARK: Tasks

    /// Starts a task that runs while events are handled. Its error becomes the event of a failure.
    private func start(_ body: @escaping @Sendable () async throws -> SetupStateMachine.Event?) {
        tasks.append(events.start(body))
    }

    /// Ends the tasks and waits for them, so that no port stays open.
    private func endTasks() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        tasks = []
    }

    /// Starts waiting for the first fix. The subscription keeps the receiver's port open.
    private func wait(_ source: String) {
        let (daemon, events, timeout) = (daemon, events, options.timeout)
        start {
            var options = LocationProtocol.Options()
            options.desiredAccuracy = .bestForNavigation
            try await daemon.stream(Subscribe.self, Subscribe.Parameters(options: options)) { _ in true }
            return nil
        }
        start {
            while true {
                if let progress = try await daemon.setupProgress(of: source) {
                    events.send(.progress(progress))
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
        start {
            try await Task.sleep(for: timeout)
            return .timeout
        }
    }

    private func endWait() async throws {
        await endTasks()
        guard let app = allowedApp else { return }
        allowedApp = nil
        _ = try await daemon.call(Reset.self, AppScope(app: app, uid: nil))
    }

    private func undo() async throws {
        try await endWait()
        try await daemon.restore(file)
    }

    // MARK: Output and input

    private func print(_ text: String) throws {
        if !progress.isEmpty, Terminal.isOutputTerminal { try Terminal.writeOutput("\n") }
        progress = ""
        try Terminal.writeOutput(ForeignText.lines(DisplayText.withoutIsolates(text)))
    }

    private func show(progress text: String) throws {
        guard text != progress else { return }
        progress = text
        let line = ForeignText.line(DisplayText.withoutIsolates(text))
        try Terminal.writeOutput(Terminal.isOutputTerminal ? "\r\u{1B}[K\(line)" : line + "\n")
    }

    /// Returns the requested line, or starts reading more input.
    private func nextLine() -> SetupStateMachine.Event? {
        if let line = input.next() { return .line(line) }
        if input.hasEnded { return input.isWanted ? .line(nil) : nil }
        guard input.isWanted, !input.isReading else { return nil }
        input.isReading = true
        events.read()
        return nil
    }
}
