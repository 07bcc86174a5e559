import NIOCore
import Testing

@testable import Receivers

/// The steps to the sentences of a modem and back, event by event.
@Suite struct ModemStateMachineTests {
    private typealias Action = ModemStateMachine.Action
    private typealias Event = ModemStateMachine.Event

    private static let modem = SwitchedModem(bus: "bus", service: ":1.7", path: "/Modem/0")
    private static let sentences = "$GPRMC,120000,A,5000.00,N,00800.00,E,,,150127,,,A*47\r\n"

    private static func found(enabled: UInt32 = 1, state: Int32 = 8) -> Modem {
        var modem = Modem(path: "/Modem/0")
        (modem.imei, modem.state, modem.sources, modem.enabled) = ("867", state, 23, enabled)
        return modem
    }

    /// Returns the actions of the last event.
    private func actions(_ machine: inout ModemStateMachine, _ events: Event...) -> [Action] {
        var actions: [Action] = []
        for event in events { actions = machine.handle(event) }
        return actions
    }

    /// Returns a machine after the events of a start that has succeeded.
    private func running(enabled: UInt32 = 1, switchedOn: Set<SwitchedModem> = []) -> ModemStateMachine {
        var machine = ModemStateMachine(nil)
        _ = actions(
            &machine, .open, .recovered, .found(bus: "bus", service: ":1.7"),
            .listed([Self.found(enabled: enabled)], switchedOn: switchedOn), .kept(Self.modem), .started(.value(())))
        return machine
    }

    @Test func aStartAndAnEnd() {
        var machine = ModemStateMachine("867")
        #expect(machine.handle(.open) == [.awaitRecovery])
        #expect(machine.handle(.recovered) == [.wait(ModemStateMachine.startTime), .connect])
        #expect(
            machine.handle(.found(bus: "bus", service: ":1.7")) == [.keepOnly(service: ":1.7"), .list])
        #expect(machine.handle(.listed([Self.found()], switchedOn: [])) == [.stopWaiting, .keep(Self.modem)])
        #expect(machine.mayBeOn)
        // The source that was on stays on.
        #expect(machine.handle(.kept(Self.modem)) == [.setUp(Self.modem, sources: 1 | 4)])
        #expect(machine.handle(.started(.value(()))) == [.opened, .getSentences(Self.modem)])
        let received = machine.handle(.sentences(.value(Self.sentences)))
        #expect(received.contains(.received(Array(Self.sentences.utf8))))
        #expect(machine.handle(.timeout) == [.getSentences(Self.modem)])
        #expect(machine.handle(.close) == [.wait(ModemStateMachine.startTime), .switchOff(Self.modem)])
        #expect(machine.mayBeOn)
        #expect(machine.handle(.switchedOff(true)) == [.remove(Self.modem), .stopWaiting, .disconnect])
        #expect(machine.state == .closed && !machine.mayBeOn)
    }

    /// A receiver that another program has switched on stays on.
    @Test func oneThatIsOnAlreadyIsLeftOn() {
        var machine = running(enabled: 4)
        #expect(machine.state == .running)
        #expect(machine.handle(.close) == [.stopWaiting, .disconnect])
    }

    /// A daemon that has crashed had switched it on.
    @Test func oneThatADaemonHasSwitchedOnIsSwitchedOff() {
        var machine = running(enabled: 4, switchedOn: [Self.modem])
        #expect(machine.handle(.close) == [.wait(ModemStateMachine.startTime), .switchOff(Self.modem)])
    }

    @Test func oneThatIsNotNeededAnyMoreWhenItHasStarted() {
        var machine = ModemStateMachine(nil)
        _ = actions(
            &machine, .open, .recovered, .found(bus: "bus", service: ":1.7"),
            .listed([Self.found()], switchedOn: []), .kept(Self.modem))
        #expect(machine.handle(.close) == [])
        #expect(machine.handle(.started(.value(()))) == [.wait(ModemStateMachine.startTime), .switchOff(Self.modem)])
        // It is needed again before it is off: then from the beginning.
        #expect(machine.handle(.open) == [])
        #expect(
            machine.handle(.switchedOff(true)) == [
                .remove(Self.modem), .stopWaiting, .disconnect, .wait(ModemStateMachine.startTime), .connect,
            ])
    }

    @Test func oneThatIsNotNeededAnyMoreBeforeItIsStartedIsNotStarted() {
        var machine = ModemStateMachine(nil)
        _ = actions(
            &machine, .open, .recovered, .found(bus: "bus", service: ":1.7"),
            .listed([Self.found()], switchedOn: []), .close)
        #expect(!machine.handle(.kept(Self.modem)).contains { if case .setUp = $0 { true } else { false } })
    }

    /// It may have started all the same.
    @Test func aStartThatIsNotAnswered() {
        var machine = ModemStateMachine(nil)
        _ = actions(
            &machine, .open, .recovered, .found(bus: "bus", service: ":1.7"),
            .listed([Self.found()], switchedOn: []), .kept(Self.modem))
        #expect(
            machine.handle(.started(.none)) == [
                .wait(ModemStateMachine.startTime), .switchOff(Self.modem), .failed(.notStarted),
            ])
        #expect(machine.handle(.switchedOff(false)) == [.stopWaiting, .release(Self.modem), .disconnect])
    }

    @Test func otherProgramsSwitchItOff() {
        var machine = running()
        #expect(machine.handle(.sentences(.value(nil))) == [.getSources(Self.modem)])
        let actions = machine.handle(.sources(1))
        #expect(actions.first == .remove(Self.modem))
        #expect(machine.state == .closed)
    }

    @Test func noSentencesYet() {
        var machine = running()
        _ = machine.handle(.sentences(.value(nil)))
        #expect(machine.handle(.sources(5)).count == 1)
        #expect(machine.state == .running)
    }

    @Test func modemManagerEnds() {
        var machine = running()
        let actions = machine.handle(.absent)
        #expect(actions.first == .keepOnly(service: nil))
        #expect(machine.state == .closed)
        // Nothing is left to be switched off.
        #expect(machine.handle(.close) == [.stopWaiting, .disconnect])
    }

    @Test func aLostBusLeavesWhatIsToBeSwitchedOffLater() {
        var machine = running()
        #expect(machine.handle(.busLost).prefix(3) == [.stopWaiting, .release(Self.modem), .disconnect])
        #expect(machine.handle(.close) == [.stopWaiting, .release(Self.modem), .disconnect, .recover])
    }

    /// The awaited event of a state.
    private static func next(_ state: ModemStateMachine.State) -> Event? {
        switch state {
        case .closed: .open
        case .waiting: .recovered
        case .connecting: .found(bus: "bus", service: ":1.7")
        case .listing: .listed([found()], switchedOn: [])
        case .keeping: .kept(modem)
        case .starting: .started(.value(()))
        case .running: nil
        case .ending: .switchedOff(true)
        }
    }

    /// Any event in any state: no crash, and a receiver that was switched on is switched off, removed, released or
    /// left to the recovery when everything has ended.
    @Test func aWalkThroughAllStates() {
        let events: [Event] = [
            .open, .close, .recovered, .found(bus: "bus", service: ":1.7"), .absent, .busLost,
            .listed(nil, switchedOn: []),
            .listed([], switchedOn: []), .listed([Self.found()], switchedOn: []),
            .listed([Self.found(enabled: 4)], switchedOn: []), .listed([Self.found(state: 3)], switchedOn: []),
            .kept(Self.modem),
            .started(.value(())), .started(.failed("PolicyKit authorization failed")), .started(.none),
            .sentences(.value(Self.sentences)), .sentences(.value(nil)), .sentences(.failed("no")), .sentences(.none),
            .sources(1), .sources(5), .sources(nil), .switchedOff(true), .switchedOff(false), .timeout,
        ]
        var random = SeededRandom(seed: 7)
        var reached: Set<String> = []
        for _ in 0..<200 {
            var machine = ModemStateMachine(nil)
            var isKept = false
            func follow(_ actions: [Action]) {
                for action in actions {
                    switch action {
                    case .keep: isKept = true
                    case .remove, .release, .recover, .keepOnly(service: nil): isKept = false
                    default: break
                    }
                }
            }
            for _ in 0..<60 {
                let next = Bool.random(using: &random) ? Self.next(machine.state) : nil
                follow(machine.handle(next ?? events.randomElement(using: &random)!))
                reached.insert("\(machine.state)")
            }
            follow(machine.handle(.close))
            for event in [Event.kept(Self.modem), .started(.value(())), .switchedOff(true)] {
                follow(machine.handle(event))
            }
            #expect(machine.state == .closed)
            #expect(!isKept)
        }
        #expect(reached.count >= 8, "\(reached)")
    }
}
