internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The dialogue that sets a receiver up, without its I/O.
///
/// If the dialogue does not reach its end, a written configuration is undone: after a failure, a signal, or the end of
/// the input while an answer is needed.
struct SetupStateMachine {
    enum Event: Sendable, Equatable {
        /// The ports of the machine, and the source in setup's file.
        case surveyed([SetupPort], current: String?)
        case heard([SetupPort])
        /// A line of input, without its end; `nil` at the end of the input.
        case line(String?)
        /// The configuration names the receiver. `isOther` means that `file`, a file other than setup's, already did
        /// so.
        case written(file: String, isOther: Bool)
        /// The daemon has read the configuration and has the receiver.
        case reloaded(SetupPermission)
        /// This program may have the location while it waits.
        case allowed
        case progress(SetupProgress)
        /// The time for the first fix is over.
        case timeout
        case granted(String)
        /// The last action failed.
        case failed(String)
        case signal
    }

    enum Action: Equatable {
        case print(String)
        /// Text that replaces the previous text of this kind.
        case progress(String)
        /// Print a question, and read one line. What was typed before the question does not answer it.
        case question(String)
        case listen([SetupPort])
        case write(source: String)
        case reload(source: String)
        /// Grant this program the location until it ends.
        case allow(app: String)
        case wait(source: String)
        case endWait
        /// Write a configuration that has the receiver asked who it is, or that does not, and make the daemon read it.
        case ask(source: String, Bool)
        /// Grant the user's app the location.
        case grant(app: String)
        /// Restore the configuration, make the daemon read it again, and print that.
        case undo
        case finish(ExitStatus)
    }

    enum State {
        case surveying, listening, choosing, confirming(SetupPort), writing(SetupPort), reloading(SetupPort)
        case allowing(SetupPort, SetupPermission), waiting(SetupPort, SetupPermission)
        /// The user is asked whether the receiver may be asked who it is.
        case introducing(SetupPort, SetupPermission)
        /// The receiver is asked. Its answer may come in one of the remaining reports.
        case asking(SetupPort, SetupPermission, remaining: Int)
        case offering(SetupPermission), granting, ended
    }

    let options: Setup.Options
    var state = State.surveying
    private var ports: [SetupPort] = []
    private var current: String?
    private(set) var isWritten = false

    init(_ options: Setup.Options) {
        self.options = options
    }

    /// Handles an event. Returns the actions to perform, in order. None follow `finish`.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ended, _): return []
        case (_, .signal): return stop(translated("Interrupted."))
        case (.granting, .failed(let message)):
            // The receiver is set up.
            state = .ended
            return [.print(message + "\n"), .finish(.failed)]
        case (_, .failed(let message)): return stop(message)
        case (.surveying, .surveyed(let ports, let current)): return survey(ports, current)
        case (.listening, .heard(let heard)):
            ports = ports.map { port in heard.first { $0.path == port.path } ?? port }
            return [.print(SetupText.table(chosen.map { [$0] } ?? ports, on: options.medium))] + choose()
        case (.choosing, .line(let line)): return choice(line)
        case (.confirming(let port), .line(let line)): return confirmation(line, port)
        case (.writing(let port), .written(let file, let isOther)):
            isWritten = !isOther
            state = .reloading(port)
            return [.print(SetupText.written(file, isOther: isOther)), .reload(source: port.source)]
        case (.reloading(let port), .reloaded(let permission)): return reloaded(port, permission)
        case (.allowing(let port, let permission), .allowed): return wait(port, permission)
        case (.waiting(let port, let permission), .progress(let progress)):
            guard progress.hasFix else { return [.progress(progress.text)] }
            return [.print(SetupText.fix(progress.receiver))] + introduce(port, permission)
        case (.waiting(let port, let permission), .line(_?)):
            return [.print(translated("Not waiting for the first fix.") + "\n")] + introduce(port, permission)
        case (.waiting, .timeout):
            state = .ended
            return [.endWait, .print(SetupText.noFix), .finish(.failed)]
        case (.introducing(let port, let permission), .line(let line)): return introduced(line, port, permission)
        case (.asking(let port, let permission, let remaining), .progress(let progress)):
            return answered(progress.receiver, port, permission, remaining: remaining)
        case (.offering(let permission), .line(let line)): return offered(line, permission)
        case (.granting, .granted(let text)): return [.print(text)] + finish()
        default: return []
        }
    }

    // MARK: Ports

    private mutating func survey(_ ports: [SetupPort], _ current: String?) -> [Action] {
        self.ports = ports
        self.current = current
        guard options.port == nil || chosen != nil else {
            return stop(SetupText.noSuchPort(options.port!))
        }
        guard !ports.isEmpty else { return stop(SetupText.noPort) }
        // If a port is named, only that port is opened.
        let candidates = (chosen.map { [$0] } ?? ports).filter { $0.obstacle == nil && $0.service == nil }
        state = .listening
        return [.print(SetupText.listening(at: candidates, of: ports)), .listen(candidates)]
    }

    /// The port that the options name.
    private var chosen: SetupPort? {
        options.port.flatMap { port in ports.first { $0.names.contains(port) || $0.source == port } }
    }

    private mutating func choose() -> [Action] {
        if let chosen { return take(chosen) }
        let receivers = ports.filter { $0.isReceiver && $0.isFree }
        if options.isConfirmed {
            guard let receiver = receivers.first else { return stop(SetupText.nothingHeard) }
            guard receivers.count == 1 else {
                // Translators: Between the ports in "name one with --port /dev/ttyUSB0 or /dev/ttyUSB1".
                let names = receivers.map(\.path).joined(separator: translated(" or "))
                return stop(translated("there are several receivers: name one with --port {ports}", ["ports": names]))
            }
            return take(receiver)
        }
        guard ports.contains(where: \.isFree) else { return stop(SetupText.nothingHeard) }
        state = .choosing
        return [.question(SetupText.choice(preferred: preferred))]
    }

    /// The default choice, for an empty line: the number of a port.
    private var preferred: Int? { ports.firstIndex { $0.isReceiver && $0.isFree }.map { $0 + 1 } }

    private mutating func choice(_ line: String?) -> [Action] {
        guard let line else { return stop(SetupText.noAnswer) }
        let word = line.filter { !$0.isWhitespace }
        let number = word.isEmpty ? preferred : Int(word)
        if word.isEmpty, number == nil { return stop(translated("No port was chosen.")) }
        let port =
            number.flatMap { ports.indices.contains($0 - 1) ? ports[$0 - 1] : nil }
            ?? ports.first { $0.names.contains(word) }
        guard let port else {
            let text = translated(
                "Answer with a number from 1 to {number}, or with a port's path.", ["number": "\(ports.count)"])
            return [.question(text + "\n")]
        }
        guard port.isFree else {
            return [.question(Self.obstacle(to: port) + "\n")]
        }
        return take(port)
    }

    /// Asks whether to configure a port, unless the user has already confirmed.
    private mutating func take(_ port: SetupPort) -> [Action] {
        guard port.isFree else { return stop(Self.obstacle(to: port)) }
        if options.isConfirmed {
            let isUnheard = port.isReceiver || port.service != nil
            let remark = isUnheard ? [] : [Action.print(translated("Nothing that can be read was heard there.") + "\n")]
            state = .writing(port)
            return remark + [.write(source: port.source)]
        }
        state = .confirming(port)
        return [.question(SetupText.question(port, current: current))]
    }

    private static func obstacle(to port: SetupPort) -> String {
        // Translators: The reason is a part of a sentence, such as "in use by gpsd".
        translated("{port} cannot be used: {reason}.", ["port": port.path, "reason": port.report])
    }

    private mutating func confirmation(_ line: String?, _ port: SetupPort) -> [Action] {
        guard let line else { return stop(SetupText.noAnswer) }
        // The default is the safe answer: a port without traffic needs an explicit yes.
        switch SetupText.answer(line, preferred: port.isReceiver) {
        case true?:
            state = .writing(port)
            return [.write(source: port.source)]
        case false?: return stop("")
        case nil: return [.question(SetupText.yesOrNo)]
        }
    }

    // MARK: The first fix

    private mutating func reloaded(_ port: SetupPort, _ permission: SetupPermission) -> [Action] {
        let text = Action.print(translated("locationd uses {source}.", ["source": port.source]) + "\n")
        guard permission.servicesEnabled else {
            let off = translated("Location services are off: `sudo locationctl enable` turns them on.")
            return [text, .print(off + "\n")] + finish()
        }
        guard options.waits else { return [text] + offer(permission) }
        switch permission.own {
        case .authorizedAlways, .authorizedWhenInUse: return [text] + wait(port, permission)
        case .notDetermined where permission.refusal != nil: return [text] + offer(permission)
        case .notDetermined:
            state = .allowing(port, permission)
            return [text, .allow(app: permission.app)]
        case .denied, .restricted:
            let refusal = translated(
                "{app} may not have the location, so that it cannot wait for a fix.", ["app": permission.app])
            return [text, .print(refusal + "\n")] + offer(permission)
        }
    }

    private mutating func wait(_ port: SetupPort, _ permission: SetupPermission) -> [Action] {
        state = .waiting(port, permission)
        let text = SetupText.waiting(isConfirmed: options.isConfirmed)
        return [options.isConfirmed ? .print(text) : .question(text), .wait(source: port.source)]
    }

    // MARK: The first grant

    mutating func offer(_ permission: SetupPermission) -> [Action] {
        guard permission.users == .notDetermined else { return finish() }
        if let refusal = permission.refusal { return [.print("\(refusal)\n")] + finish() }
        if options.isConfirmed {
            state = .granting
            return [.grant(app: permission.app)]
        }
        state = .offering(permission)
        return [.question(SetupText.offer(permission))]
    }

    private mutating func offered(_ line: String?, _ permission: SetupPermission) -> [Action] {
        guard let line else { return finish() }
        // A line that was typed to end the wait grants nothing.
        switch SetupText.answer(line, preferred: false) {
        case true?:
            state = .granting
            return [.grant(app: permission.app)]
        case false?: return finish()
        case nil: return [.question(SetupText.yesOrNo)]
        }
    }

    // MARK: The end

    private mutating func finish() -> [Action] {
        state = .ended
        return [.print(SetupText.end), .finish(.done)]
    }

    private mutating func stop(_ message: String) -> [Action] {
        var actions: [Action] = []
        switch state {
        case .allowing, .waiting, .introducing, .asking: actions.append(.endWait)
        default: break
        }
        if !message.isEmpty { actions.append(.print(message + "\n")) }
        // During writing, the file may already exist.
        if case .writing = state { isWritten = true }
        actions.append(isWritten ? .undo : .print(translated("Nothing was changed.") + "\n"))
        state = .ended
        return actions + [.finish(.failed)]
    }
}
