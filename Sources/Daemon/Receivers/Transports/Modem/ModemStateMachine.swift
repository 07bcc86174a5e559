internal import NIOCore

/// The steps from the bus to the sentences of a receiver in a modem and back, without their I/O.
///
/// ModemManager is found, lists its modems and starts the receiver, and its sentences are requested repeatedly. At the
/// end, the receiver is switched off, unless another program had switched it on.
struct ModemStateMachine {
    /// The timeout for a modem to start its receiver. Some need more than 20 s.
    static let startTime = TimeAmount.seconds(60)

    /// The answer to a call.
    enum Answer<Value> {
        case value(Value)
        /// An error of ModemManager's, with its text.
        case failed(String)
        /// There was no answer in time.
        case none
    }

    enum Event {
        /// The receiver is needed.
        case open
        /// The receiver is no longer needed.
        case close
        /// Receivers that were left on are no longer being switched off.
        case recovered
        /// ModemManager is on the bus.
        case found(bus: String, service: String)
        /// ModemManager does not run.
        case absent
        case busLost
        /// ModemManager's modems, or `nil` if they cannot be read, and the modems whose receivers a daemon has switched
        /// on.
        case listed([Modem]?, switchedOn: Set<SwitchedModem>)
        /// It has been written to the disk that the receiver of this modem is being switched on.
        case kept(SwitchedModem)
        case started(Answer<Void>)
        /// The sentences, or `nil` if there are none.
        case sentences(Answer<String?>)
        /// The set of enabled sources of the modem's location, or `nil` if it is not known.
        case sources(UInt32?)
        /// The receiver was switched off, or could not be.
        case switchedOff(Bool)
        /// The time of the last `wait` is over.
        case timeout
    }

    enum Action: Equatable {
        /// Report `recovered` at the end of a recovery, or at once if none runs.
        case awaitRecovery
        /// Report ModemManager, and its loss, until `disconnect`.
        case connect
        case disconnect
        /// Forget the receivers that another ModemManager switched on, or all of them if `service` is `nil`.
        case keepOnly(service: String?)
        case list
        /// Store that the receiver is being switched on.
        case keep(SwitchedModem)
        /// Set the sources of the modem's location.
        case setUp(SwitchedModem, sources: UInt32)
        case getSentences(SwitchedModem)
        case getSources(SwitchedModem)
        case switchOff(SwitchedModem)
        /// The receiver is off, or left to others.
        case remove(SwitchedModem)
        /// The receiver is no longer used, though it may still be on.
        case release(SwitchedModem)
        /// Switch off receivers that were left on.
        case recover
        /// Report `timeout` after this time, replacing an earlier wait.
        case wait(TimeAmount)
        case stopWaiting
        /// Report to the receiver that its sentences come.
        case opened
        case received([UInt8])
        case failed(ReceiverFailure)
    }

    enum State: Equatable {
        case closed
        /// Receivers that were left on are being switched off.
        case waiting
        case connecting
        case listing
        /// It is being stored that the receiver is switched on, in addition to these sources.
        case keeping(beside: UInt32)
        case starting
        /// The sentences are being requested.
        case running
        /// The receiver is being switched off.
        case ending
    }

    private(set) var state = State.closed
    private let name: String?
    private var bus = ""
    private var service = ""
    private var isNeeded = false
    private var polled = PolledSentences()
    /// The modem that is read, or `nil` if it has not been found yet.
    private var modem: SwitchedModem?
    /// The modem whose receiver the daemon has switched on and not yet off again, if any.
    private var switchedOn: SwitchedModem?

    /// Creates a closed state machine.
    ///
    /// - Parameter name: The modem's IMEI, its path on the bus or in sysfs, or `nil` for any modem with a receiver.
    init(_ name: String?) { self.name = name }

    /// The interval between fixes in seconds.
    var interval: Double {
        get { polled.interval }
        set { polled.interval = newValue }
    }

    /// A Boolean value indicating whether the receiver may be on because of this transport, which has to live until it
    /// is off again.
    var mayBeOn: Bool {
        switch state {
        case .keeping, .starting, .ending: true
        case .closed, .waiting, .connecting, .listing, .running: false
        }
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch (event, state) {
        case (.open, _): open()
        case (.close, _): close()
        case (.recovered, .waiting): connect()
        case (.found(let bus, let service), .connecting): found(bus, service)
        case (.absent, .connecting), (.absent, .listing), (.absent, .keeping), (.absent, .starting),
            (.absent, .running):
            absent()
        case (.absent, .ending): [.keepOnly(service: nil)] + ended(isOff: true)
        case (.busLost, .connecting): fail(.noBus)
        case (.busLost, .listing), (.busLost, .keeping), (.busLost, .starting), (.busLost, .running),
            (.busLost, .ending):
            fail(.busLost)
        case (.listed(let modems, let switchedOn), .listing): choose(among: modems, switchedOn)
        case (.kept(let kept), .keeping(let sources)) where kept == modem:
            isNeeded ? start(beside: sources) : switchOff()
        case (.started(let answer), .starting): started(answer)
        case (.sentences(let answer), .running): receive(answer)
        case (.sources(let sources), .running): receive(sources: sources)
        case (.switchedOff(let isOff), .ending): ended(isOff: isOff)
        case (.timeout, .connecting), (.timeout, .listing): fail(.notStarted)
        case (.timeout, .running): modem.map { [.getSentences($0)] } ?? []
        case (.timeout, .ending): ended(isOff: false)
        // A late event, of something that has ended.
        default: []
        }
    }

    // MARK: Starting

    private mutating func open() -> [Action] {
        isNeeded = true
        // If the receiver is about to be switched off, that comes first.
        guard state == .closed else { return [] }
        state = .waiting
        return [.awaitRecovery]
    }

    private mutating func connect() -> [Action] {
        state = .connecting
        let interval = interval
        polled = PolledSentences()
        polled.interval = interval
        return [.wait(Self.startTime), .connect]
    }

    private mutating func found(_ bus: String, _ service: String) -> [Action] {
        (self.bus, self.service) = (bus, service)
        state = .listing
        return [.keepOnly(service: service), .list]
    }

    /// Handles the absence or loss of ModemManager. Receivers end with it.
    private mutating func absent() -> [Action] {
        switchedOn = nil
        return [.keepOnly(service: nil)] + fail(.noModemManager)
    }

    private mutating func choose(among modems: [Modem]?, _ switchedOn: Set<SwitchedModem>) -> [Action] {
        guard let modems else { return fail(.unlisted) }
        guard let found = Modem.choose(name, among: modems) else { return fail(.unknown(name)) }
        if let obstacle = found.obstacle { return fail(obstacle) }
        let modem = SwitchedModem(bus: bus, service: service, path: found.path)
        self.modem = modem
        // A receiver that is already on is left on at the end, unless a daemon has switched it on.
        guard found.enabled & ModemManager.sentences == 0 || switchedOn.contains(modem) else {
            self.switchedOn = nil
            return [.stopWaiting] + start(beside: found.enabled)
        }
        self.switchedOn = modem
        state = .keeping(beside: found.enabled)
        // The modem is stored first, so that the receiver is switched off again even if it is taken out of the
        // configuration.
        return [.stopWaiting, .keep(modem)]
    }

    /// Starts the receiver, in addition to the enabled sources.
    private mutating func start(beside sources: UInt32) -> [Action] {
        state = .starting
        return modem.map { [.setUp($0, sources: sources | ModemManager.sentences)] } ?? []
    }

    private mutating func started(_ answer: Answer<Void>) -> [Action] {
        guard isNeeded, let modem else { return switchOff() }
        switch answer {
        case .value:
            state = .running
            return [.opened, .getSentences(modem)]
        case .failed(let text): return fail(.modemManager(text))
        case .none:
            // It may still start.
            isNeeded = false
            return switchOff() + [.failed(.notStarted)]
        }
    }

    // MARK: Running

    private mutating func receive(_ answer: Answer<String?>) -> [Action] {
        switch answer {
        case .value(let text?): return receive(text)
        // There are none yet, or another program has switched the receiver off.
        case .value(nil): return modem.map { [.getSources($0)] } ?? []
        case .failed(let text): return fail(.modemManager(text))
        case .none: return fail(.unanswered)
        }
    }

    /// Handles the enabled sources while there are no sentences.
    ///
    /// ModemManager does not count its users, and other programs switch the receiver off when they no longer need it.
    /// Then the receiver counts as lost, and the retry switches it on again.
    private mutating func receive(sources: UInt32?) -> [Action] {
        guard let sources, sources & ModemManager.sentences == 0 else { return receive("") }
        let removal = switchedOn.map { [Action.remove($0)] } ?? []
        switchedOn = nil
        return removal + fail(.switchedOffByOthers)
    }

    private mutating func receive(_ text: String) -> [Action] {
        let step = polled.receive(text)
        return [.wait(step.delay)] + (step.sentences.isEmpty ? [] : [.received(step.sentences)])
    }

    // MARK: Ending

    private mutating func close() -> [Action] {
        isNeeded = false
        switch state {
        case .closed, .waiting, .connecting, .listing:
            let actions = disconnect()
            // A lost receiver may still be on.
            defer { switchedOn = nil }
            return switchedOn == nil ? actions : actions + [.recover]
        case .keeping, .starting, .ending: return []
        case .running: return switchOff()
        }
    }

    private mutating func switchOff() -> [Action] {
        guard let switchedOn else { return ended(isOff: false) }
        state = .ending
        return [.wait(Self.startTime), .switchOff(switchedOn)]
    }

    private mutating func ended(isOff: Bool) -> [Action] {
        var actions: [Action] = []
        if isOff, let modem = switchedOn {
            switchedOn = nil
            actions = [.remove(modem)]
        }
        actions += disconnect()
        return isNeeded ? actions + connect() : actions
    }

    private mutating func disconnect() -> [Action] {
        state = .closed
        modem = nil
        return [.stopWaiting] + (switchedOn.map { [.release($0)] } ?? []) + [.disconnect]
    }

    private mutating func fail(_ failure: ReceiverFailure) -> [Action] { disconnect() + [.failed(failure)] }
}

extension ReceiverFailure {
    static let notStarted = ReceiverFailure(.unreachable, "ModemManager has not started the receiver in the modem")
    fileprivate static let switchedOffByOthers = ReceiverFailure(
        .disconnected, "another program has had ModemManager switch the receiver in the modem off")
    fileprivate static let noModemManager = ReceiverFailure(
        .missing, "ModemManager does not run: run `sudo systemctl start ModemManager`")
    fileprivate static let unlisted = ReceiverFailure(
        .unreachable, "ModemManager does not say which modems it knows")
    fileprivate static let unanswered = ReceiverFailure(.unreachable, "ModemManager does not answer")
    fileprivate static let noBus = ReceiverFailure(
        .unreachable, "no connection to the system bus, where ModemManager is")
    fileprivate static let busLost = ReceiverFailure(
        .disconnected, "the connection to the system bus is lost, where ModemManager is")

    fileprivate static func unknown(_ name: String?) -> ReceiverFailure {
        let what = name.map { "no modem \($0)" } ?? "no modem"
        return ReceiverFailure(.missing, "ModemManager knows \(what): `mmcli -L` lists those that it knows")
    }

    /// Returns the failure for an error of ModemManager.
    fileprivate static func modemManager(_ text: String) -> ReceiverFailure {
        if text.hasPrefix("PolicyKit authorization failed") {
            return ReceiverFailure(
                .notPermitted,
                """
                polkit does not let locationd use the modem: is /usr/share/polkit-1/rules.d/io.locationd.rules there, \
                and does polkit run? (\(text))
                """)
        }
        return ReceiverFailure(.unusable, "ModemManager: \(text)")
    }
}
