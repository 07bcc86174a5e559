import Bus
import EventLoopSupport
import NIOCore
import ReceiverSettings

/// The receiver in a modem. ModemManager starts it and is asked for its sentences.
///
/// The bus is needed only while the receiver is needed, and until it is switched off again.
///
/// Attack: every user of the machine listens on the bus. ModemManager can broadcast the location there, so broadcasting
/// is switched off whenever a source is set up, and the sentences are requested instead: the bus passes the replies to
/// the daemon alone.
final class ModemTransport: ByteTransport {
    /// The timeout for ModemManager's answers, except for the start of a receiver.
    static let answerTime = TimeAmount.seconds(10)

    private let eventLoop: any EventLoop
    private let timer: LoopTimer
    private let modems: SwitchedModems
    private let modemManager: BusService
    private var machine: ModemStateMachine
    private var receiver: SentenceReceiver?
    /// The transport itself, while the receiver may be on: it lives until the receiver is off, even without another
    /// owner.
    private var itself: ModemTransport?

    /// Creates a closed transport.
    ///
    /// - Parameters:
    ///   - name: The modem's IMEI, its path on the bus or in sysfs, or `nil` for any modem with a receiver.
    ///   - modems: The modems whose receivers are on, and the bus.
    init(_ name: String?, modems: SwitchedModems, on eventLoop: any EventLoop) {
        self.modems = modems
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
        machine = ModemStateMachine(name)
        modemManager = BusService(ModemManager.service, on: modems.bus)
        modemManager.onEvent = { [unowned self] in handle($0) }
    }

    deinit {
        timer.cancel()
        modemManager.close()
    }

    var hasUnread: Bool { false }

    var silenceLimit: TimeAmount {
        machine.state == .running ? .seconds(30) : ModemStateMachine.startTime + .seconds(5)
    }

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? {
        ReceiverFailure(.silent, "the receiver in the modem has sent no sentences for \(seconds) s")
    }

    func setDemand(_ demand: ReceiverDemand) { machine.interval = demand.interval ?? 1 }

    func open(for receiver: SentenceReceiver) {
        self.receiver = receiver
        handle(.open)
    }

    /// Closes the transport. The bus is needed until ModemManager has switched the receiver off.
    func close(toStandby: Bool) {
        receiver = nil
        handle(.close)
    }

    // MARK: Events

    private func handle(_ event: BusService.Event) {
        switch event {
        case .found: handle(.found(bus: modemManager.busID, service: modemManager.owner ?? ""))
        case .absent: handle(.absent)
        case .disconnected: handle(.busLost)
        }
    }

    private func handle(_ event: ModemStateMachine.Event) {
        let actions = machine.handle(event)
        if machine.mayBeOn { itself = self }
        for action in actions { perform(action) }
        if !machine.mayBeOn { itself = nil }
    }

    // MARK: Actions

    private func perform(_ action: ModemStateMachine.Action) {
        switch action {
        case .awaitRecovery: modems.whenRecovered(for: self) { [weak self] in self?.handle(.recovered) }
        case .connect: modemManager.open()
        case .disconnect: modemManager.close()
        case .keepOnly(let service): modems.keepOnly(of: service, on: modemManager.busID)
        case .list: list()
        case .keep(let modem): modems.use(modem) { [weak self] in self?.handle(.kept(modem)) }
        case .setUp(let modem, let sources):
            modemManager.setUp(modem, sources) { [unowned self] in handle(.started($0)) }
        case .getSentences(let modem): getSentences(of: modem)
        case .getSources(let modem):
            modemManager.enabledSources(of: modem) { [unowned self] in handle(.sources(try? $0.get())) }
        case .switchOff(let modem): modemManager.switchOff(modem) { [unowned self] in handle(.switchedOff($0)) }
        case .remove(let modem): modems.remove(modem)
        case .release(let modem): modems.release(modem)
        case .recover: modems.recover()
        case .wait(let time): timer.set(in: time) { [unowned self] in handle(.timeout) }
        case .stopWaiting: timer.cancel()
        case .opened: receiver?.didOpen(at: eventLoop.now)
        case .received(let sentences): receiver?.receive(sentences.span.bytes, at: eventLoop.now)
        case .failed(let failure): receiver?.didFail(failure)
        }
    }

    private func list() {
        modemManager.objects(at: ModemManager.path, timeout: Self.answerTime, Modem.list) { [unowned self] in
            handle(.listed($0, switchedOn: modems.all))
        }
    }

    private func getSentences(of modem: SwitchedModem) {
        modemManager.call("GetLocation", of: ModemManager.location, at: modem.path, timeout: Self.answerTime) {
            [unowned self] reply in
            handle(.sentences(.init(reply, \.sentences)))
        }
    }
}

extension ModemStateMachine.Answer {
    fileprivate init(_ reply: CallReply, _ value: (BusMessage) -> Value) {
        switch reply {
        case .message(let message): self = .value(value(message))
        case .failure(let failure): self = .failed(failure.text)
        case .none: self = .none
        }
    }
}

extension BusService {
    /// Sets the sources of a modem's location, and switches off ModemManager's broadcasts of it.
    fileprivate func setUp(
        _ modem: SwitchedModem, _ sources: UInt32, _ body: @escaping (ModemStateMachine.Answer<Void>) -> Void
    ) {
        call(
            "Setup", of: ModemManager.location, at: modem.path, [.uint32(sources), .boolean(false)],
            timeout: ModemStateMachine.startTime
        ) { body(.init($0) { _ in }) }
    }

    /// Switches off the receiver in a modem, and leaves the other sources of its location unchanged. Calls `body` with
    /// `true` if the receiver is off or the modem has gone.
    func switchOff(_ modem: SwitchedModem, _ body: @escaping (_ isOff: Bool) -> Void) {
        enabledSources(of: modem) { [unowned self] sources in
            switch sources {
            case .success(let sources) where sources & ModemManager.sentences != 0:
                setUp(modem, sources & ~ModemManager.sentences) { answer in
                    if case .value = answer { body(true) } else { body(false) }
                }
            case .success: body(true)
            case .failure(let obstacle): body(obstacle == .gone)
            }
        }
    }

    /// The reason why the enabled sources of a modem's location are not known.
    enum SourcesUnknown: Error {
        /// The modem or its ModemManager has gone.
        case gone
        case unanswered
    }

    /// Calls `body` with the set of enabled sources of a modem's location.
    fileprivate func enabledSources(
        of modem: SwitchedModem, _ body: @escaping (Result<UInt32, SourcesUnknown>) -> Void
    ) {
        call(
            "Get", of: "org.freedesktop.DBus.Properties", at: modem.path,
            [.string(ModemManager.location), .string("Enabled")], timeout: ModemTransport.answerTime
        ) { reply in
            switch reply {
            case .message(let message):
                let sources = message.readVariant { _ in message.readUInt32() }
                body(sources.map(Result.success) ?? .failure(.unanswered))
            case .failure(let failure): body(.failure(failure.isGone ? .gone : .unanswered))
            case .none: body(.failure(.unanswered))
            }
        }
    }
}

extension BusFailure {
    /// A Boolean value indicating whether the object or its service has gone. Other errors, such as for one of the
    /// bus's limits, do not show that.
    fileprivate var isGone: Bool {
        isOne(
            of: "UnknownObject", "UnknownMethod", "UnknownInterface", "UnknownProperty", "ServiceUnknown",
            "NameHasNoOwner", "NoReply", "InvalidArgs")
    }
}

extension BusMessage {
    /// The sentences in a reply of GetLocation, or `nil` if there are none.
    fileprivate var sentences: String? {
        let sources: [UInt32: String]? = readDictionary(of: "uv", key: readUInt32) { source in
            readVariant { _ in source == ModemManager.sentences ? readText(upTo: PolledSentences.maximumLength) : "" }
                ?? ""
        }
        return sources?[ModemManager.sentences]
    }
}
