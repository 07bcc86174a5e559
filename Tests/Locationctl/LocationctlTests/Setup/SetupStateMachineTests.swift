import LocationModel
import LocationProtocol
import Testing

@testable import LocationctlSupport
@testable import MachineDoctor

/// The dialogue of `locationctl setup`.
@Suite struct SetupStateMachineTests {
    typealias Machine = SetupStateMachine

    // MARK: Samples

    static func port(_ path: String, heard condition: ReceiverCondition? = nil, rate: Int? = 9600) -> SetupPort {
        var port = SetupPort(path: path, names: [path], source: "serial:\(path)")
        var summary = ReceiverSummary(name: "x", specification: port.source, state: .searching, fixes: 0)
        summary.condition = condition
        summary.baudRate = condition == nil || condition == .nothing ? nil : rate
        port.heard = summary
        return port
    }

    private static func unheard(_ port: SetupPort) -> SetupPort {
        var port = port
        port.heard = nil
        return port
    }

    static let permission = SetupPermission(
        app: "exe:/usr/bin/locationctl", own: .notDetermined, servicesEnabled: true, userName: "ada",
        users: .notDetermined)

    private static func progress(fixes: Int, identity: ReceiverIdentityReport? = nil) -> SetupProgress {
        var receiver = ReceiverSummary(
            name: "x", specification: "serial:/dev/a", state: fixes > 0 ? .running : .searching, fixes: fixes)
        receiver.condition = fixes > 0 ? .fix : .noFix
        receiver.satellitesUsed = fixes > 0 ? 7 : nil
        receiver.identity = identity
        return SetupProgress(receiver: receiver, seen: 5, used: fixes > 0 ? 7 : 0)
    }

    /// A state machine that has listened at ports and received their traffic.
    private static func listening(
        _ ports: [SetupPort], _ options: Setup.Options = Setup.Options(), current: String? = nil
    ) -> (machine: Machine, actions: [Machine.Action]) {
        var machine = Machine(options)
        let first = machine.handle(.surveyed(ports.map(unheard), current: current))
        #expect(first.last.map { if case .listen = $0 { true } else { false } } == true)
        let actions = machine.handle(.heard(ports))
        return (machine, actions)
    }

    private static func text(_ actions: [Machine.Action]) -> String {
        actions.map { action in
            switch action {
            case .print(let text), .question(let text): text
            default: ""
            }
        }.joined()
    }

    private static let question = Machine.Action.question("")

    /// The actions besides text, with questions without theirs.
    private static func deeds(_ actions: [Machine.Action]) -> [Machine.Action] {
        actions.compactMap { action in
            switch action {
            case .print: nil
            case .question: question
            default: action
            }
        }
    }

    private static func expect(
        _ actions: [Machine.Action], _ expected: [Machine.Action], says part: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(deeds(actions) == expected, sourceLocation: location)
        #expect(part.isEmpty || text(actions).contains(part), "\(text(actions))", sourceLocation: location)
    }

    // MARK: The whole way

    @Test func aReceiverIsSetUp() {
        var (machine, actions) = Self.listening([Self.port("/dev/a"), Self.port("/dev/b", heard: .noFix)])
        Self.expect(actions, [Self.question], says: "Which one is to be used? [2] ")
        #expect(Self.text(actions).contains("/dev/b  sentences at 9600 baud: no fix: 0 satellites in view"))
        Self.expect(machine.handle(.line("")), [Self.question], says: "Have locationd read serial:/dev/b? [Y/n] ")
        Self.expect(machine.handle(.line("")), [.write(source: "serial:/dev/b")])
        Self.expect(
            machine.handle(.written(file: "/f", isOther: false)), [.reload(source: "serial:/dev/b")],
            says: "/f was written.")
        Self.expect(machine.handle(.reloaded(Self.permission)), [.allow(app: "exe:/usr/bin/locationctl")])
        Self.expect(machine.handle(.allowed), [Self.question, .wait(source: "serial:/dev/b")], says: "Ctrl-C undoes")
        #expect(
            machine.handle(.progress(Self.progress(fixes: 0))) == [
                .progress(
                    "Waiting for the first fix: 5 satellites seen, 0 used; it needs four that it receives well")
            ])
        Self.expect(
            machine.handle(.progress(Self.progress(fixes: 1))), [Self.question],
            says: "The receiver has a fix with 7 satellites.\nAsk the receiver who it is")
        #expect(machine.handle(.progress(Self.progress(fixes: 2))).isEmpty)
        Self.expect(
            machine.handle(.line("n")), [.endWait, Self.question], says: "Allow exe:/usr/bin/locationctl of ada")
        Self.expect(machine.handle(.line("y")), [.grant(app: "exe:/usr/bin/locationctl")])
        Self.expect(machine.handle(.granted("Granted.\n")), [.finish(.done)], says: "Granted.\nDone.")
        #expect(machine.handle(.signal).isEmpty)
    }

    @Test func optionsAnswerEveryQuestion() {
        var options = Setup.Options()
        (options.port, options.isConfirmed) = ("/dev/b", true)
        let ports = [Self.port("/dev/a", heard: .fix), Self.port("/dev/b", heard: .fix)]
        var machine = Machine(options)
        #expect(
            machine.handle(.surveyed(ports.map(Self.unheard), current: nil)).last == .listen([Self.unheard(ports[1])]))
        Self.expect(machine.handle(.heard([ports[1]])), [.write(source: "serial:/dev/b")])
        _ = machine.handle(.written(file: "/f", isOther: false))
        var permission = Self.permission
        permission.own = .authorizedWhenInUse
        Self.expect(machine.handle(.reloaded(permission)), [.wait(source: "serial:/dev/b")])
        Self.expect(machine.handle(.progress(Self.progress(fixes: 1))), [.endWait, .grant(app: permission.app)])
        Self.expect(machine.handle(.granted("")), [.finish(.done)])
    }

    // MARK: The identity

    /// A state machine that offers to ask the receiver who it is.
    private static func introducing(isOther: Bool = false) -> (machine: Machine, actions: [Machine.Action]) {
        var machine = listening([port("/dev/a", heard: .fix)]).machine
        let events: [Machine.Event] = [
            .line(""), .line(""), .written(file: "/f", isOther: isOther), .reloaded(permission), .allowed,
        ]
        for event in events { _ = machine.handle(event) }
        let actions = machine.handle(.progress(progress(fixes: 1)))
        return (machine, actions)
    }

    @Test func aReceiverIsAskedAfterAYes() {
        var machine = Self.introducing().machine
        Self.expect(machine.handle(.line("perhaps")), [Self.question], says: "yes or no")
        Self.expect(machine.handle(.line("y")), [.ask(source: "serial:/dev/a", true)])
        #expect(machine.handle(.progress(Self.progress(fixes: 0))) == [.progress("Asking the receiver ...")])
        #expect(machine.handle(.timeout).isEmpty)
        let identity = ReceiverIdentityReport(
            dialect: "ublox", maker: "u-blox", model: "MAX-M10S", firmware: "SPG 5.10", protocolVersion: "34.10")
        Self.expect(
            machine.handle(.progress(Self.progress(fixes: 0, identity: identity))), [.endWait, Self.question],
            says: "It is a receiver by u-blox MAX-M10S, SPG 5.10, protocol ublox 34.10.\nWith profile = \"auto\"")
        Self.expect(machine.handle(.line("")), [.finish(.done)])
    }

    @Test func aReceiverThatDoesNotAnswerIsNotAskedAgain() {
        var machine = Self.introducing().machine
        _ = machine.handle(.line("y"))
        for _ in 0..<24 {
            #expect(machine.handle(.progress(Self.progress(fixes: 1))) == [.progress("Asking the receiver ...")])
        }
        Self.expect(
            machine.handle(.progress(Self.progress(fixes: 1))),
            [.ask(source: "serial:/dev/a", false), .endWait, Self.question], says: "It did not answer")
    }

    @Test func whatTheReceiverWasAskedForIsUndone() {
        var machine = Self.introducing().machine
        Self.expect(machine.handle(.signal), [.endWait, .undo, .finish(.failed)])
        machine = Self.introducing().machine
        _ = machine.handle(.line("y"))
        Self.expect(machine.handle(.failed("It broke.")), [.endWait, .undo, .finish(.failed)])
    }

    @Test func theProfileOfAnotherFileIsNotTouched() {
        Self.expect(
            Self.introducing(isOther: true).actions, [.endWait, Self.question], says: "Allow exe:/usr/bin/locationctl")
    }

    // MARK: Which port

    @Test func noPort() {
        var machine = Machine(Setup.Options())
        Self.expect(machine.handle(.surveyed([], current: nil)), [.finish(.failed)], says: "No serial port was found")
    }

    @Test(arguments: [
        ("/dev/c", "there is no port /dev/c"), ("modem:", "ModemManager knows no modem"),
        ("bluetooth:10:C6:FC:12:34:56", "BlueZ knows no paired device 10:C6:FC:12:34:56"),
    ])
    func aPortThatIsNotThere(name: String, text: String) {
        var options = Setup.Options()
        options.port = name
        var machine = Machine(options)
        Self.expect(
            machine.handle(.surveyed([Self.port("/dev/a")], current: nil)), [.finish(.failed)], says: text)
    }

    @Test func yesDoesNotChooseBetweenReceivers() {
        var options = Setup.Options()
        options.isConfirmed = true
        let two = [Self.port("/dev/a", heard: .fix), Self.port("/dev/b", heard: .noFix)]
        Self.expect(Self.listening(two, options).actions, [.finish(.failed)], says: "--port /dev/a or /dev/b")
        Self.expect(
            Self.listening([Self.port("/dev/a", heard: .unreadable)], options).actions, [.finish(.failed)],
            says: "No receiver was heard")
        Self.expect(Self.listening([two[0], Self.port("/dev/c")], options).actions, [.write(source: "serial:/dev/a")])
    }

    @Test func aPortInUseIsNotOpenedAndSaidSo() {
        var held = Self.port("/dev/a")
        (held.heard, held.obstacle) = (nil, "in use by gpsd (process 7, gpsd.service)")
        var machine = Machine(Setup.Options())
        Self.expect(machine.handle(.surveyed([held], current: nil)), [.listen([])])
        Self.expect(machine.handle(.heard([])), [.finish(.failed)], says: "in use by gpsd (process 7, gpsd.service)")

        var options = Setup.Options()
        options.port = "/dev/a"
        machine = Machine(options)
        _ = machine.handle(.surveyed([held], current: nil))
        Self.expect(machine.handle(.heard([])), [.finish(.failed)], says: "/dev/a cannot be used: in use by gpsd")

        machine = Machine(Setup.Options())
        _ = machine.handle(.surveyed([held, Self.unheard(Self.port("/dev/b"))], current: nil))
        _ = machine.handle(.heard([Self.port("/dev/b", heard: .fix)]))
        Self.expect(machine.handle(.line("1")), [Self.question], says: "/dev/a cannot be used: in use by gpsd")
    }

    /// The daemon's own receiver needs no listening.
    @Test func aPortThatLocationdReads() {
        var own = Self.port("/dev/a", heard: .fix)
        (own.obstacle, own.isDaemons) = ("locationd reads it", true)
        var machine = Machine(Setup.Options())
        Self.expect(machine.handle(.surveyed([own], current: nil)), [.listen([])])
        Self.expect(
            machine.handle(.heard([])), [Self.question], says: "locationd reads it: sentences at 9600 baud: a fix")
        Self.expect(machine.handle(.line("")), [Self.question], says: "Have locationd read serial:/dev/a?")
    }

    @Test(arguments: ["0", "3", "x", "-1", "99999999999999999999", "/dev/c"]) func aMistypedAnswerIsAskedForAgain(
        line: String
    ) {
        var (machine, _) = Self.listening([Self.port("/dev/a", heard: .fix), Self.port("/dev/b")])
        Self.expect(machine.handle(.line(line)), [Self.question], says: "Answer with a number from 1 to 2")
        Self.expect(machine.handle(.line("/dev/b")), [Self.question], says: "No receiver was heard at /dev/b.")
        Self.expect(machine.handle(.line("perhaps")), [Self.question], says: "yes or no")
        // There was no traffic, so an empty line is a no.
        Self.expect(machine.handle(.line("")), [.finish(.failed)], says: "Nothing was changed.")
    }

    @Test func againReplacesWhatIsThere() {
        let ports = [Self.port("/dev/a", heard: .fix)]
        var (machine, _) = Self.listening(ports, current: "serial:/dev/b")
        Self.expect(machine.handle(.line("1")), [Self.question], says: "read serial:/dev/a instead of serial:/dev/b?")
        (machine, _) = Self.listening(ports, current: "serial:/dev/a")
        Self.expect(machine.handle(.line("1")), [Self.question], says: "Write that again?")
    }

    // MARK: What may not happen

    /// Until the end, a signal, a failure and the end of the input leave everything unchanged.
    @Test func whatWasWrittenIsUndone() {
        var machine = Self.listening([Self.port("/dev/a", heard: .fix)]).machine
        let events: [Machine.Event] = [
            .line(""), .line(""), .written(file: "/f", isOther: false), .reloaded(Self.permission), .allowed,
            .progress(Self.progress(fixes: 1)), .line(""),
        ]
        for (index, event) in events.enumerated() {
            for end in [Machine.Event.signal, .failed("It broke.")] {
                var interrupted = machine
                let deeds = Self.deeds(interrupted.handle(end))
                // From the writing on, which may already have changed the file.
                #expect(deeds.contains(.undo) == (index >= 2), "\(end) before \(event)")
                #expect(deeds.last == .finish(.failed))
                #expect(interrupted.handle(.line("")).isEmpty)
            }
            _ = machine.handle(event)
        }
        #expect(Self.deeds(machine.handle(.signal)) == [.undo, .finish(.failed)])
    }

    @Test func anotherFileThatNamesItIsNotTouched() {
        var machine = Self.listening([Self.port("/dev/a", heard: .fix)]).machine
        for line in ["", ""] { _ = machine.handle(.line(line)) }
        Self.expect(
            machine.handle(.written(file: "/etc/locationd/locationd.toml", isOther: true)),
            [.reload(source: "serial:/dev/a")], says: "/etc/locationd/locationd.toml names it already")
        Self.expect(machine.handle(.signal), [.finish(.failed)], says: "Nothing was changed.")
    }

    @Test func theEndOfTheInputIsNoAnswer() {
        var (machine, _) = Self.listening([Self.port("/dev/a", heard: .fix)])
        Self.expect(machine.handle(.line(nil)), [.finish(.failed)], says: "--port and --yes")
    }

    /// Attack, or accident: the user presses Enter to end the wait just when the fix arrives and the next question
    /// appears. It sends nothing to the receiver, and grants nothing.
    @Test func anEmptyLineGrantsNothing() {
        for line in ["", nil] {
            var machine = Self.introducing().machine
            Self.expect(machine.handle(.line(line)), [.endWait, Self.question], says: "Allow exe:/usr/bin/locationctl")
            Self.expect(machine.handle(.line(line)), [.finish(.done)])
        }
    }

    // MARK: The wait

    @Test func theWaitEnds() {
        var options = Setup.Options()
        options.timeout = .zero
        func reloaded(_ options: Setup.Options, _ permission: SetupPermission) -> (Machine, [Machine.Action]) {
            var machine = Self.listening([Self.port("/dev/a", heard: .noFix)], options).machine
            for event: Machine.Event in [.line(""), .line(""), .written(file: "/f", isOther: false)] {
                _ = machine.handle(event)
            }
            let actions = machine.handle(.reloaded(permission))
            return (machine, actions)
        }
        Self.expect(
            reloaded(options, Self.permission).1, [Self.question], says: "Allow exe:/usr/bin/locationctl of ada")
        var decided = Self.permission
        (decided.own, decided.users) = (.denied, .denied)
        Self.expect(reloaded(Setup.Options(), decided).1, [.finish(.done)], says: "may not have the location")
        decided = Self.permission
        decided.servicesEnabled = false
        Self.expect(reloaded(Setup.Options(), decided).1, [.finish(.done)], says: "sudo locationctl enable")

        var (machine, _) = reloaded(Setup.Options(), Self.permission)
        _ = machine.handle(.allowed)
        var other = machine
        Self.expect(
            machine.handle(.line("")), [Self.question], says: "Not waiting for the first fix.\nAsk the receiver")
        Self.expect(other.handle(.timeout), [.endWait, .finish(.failed)], says: "The receiver stays configured")
    }
}
