import EventLoopSupport
internal import Logging
import NIOCore
import SystemBus

/// The receiver in a modem, which ModemManager starts, and whose sentences it is asked for.
///
/// The connection to the system bus is there only while the receiver is needed, and until it is switched off again.
///
/// Attack: every user of the machine listens on the bus. ModemManager can broadcast the location there, so that is
/// switched off whenever a source is set up, and the sentences are asked for instead: the bus passes the answers to the
/// daemon alone.
final class ModemTransport: ByteTransport, BusConnectionDelegate {
    /// The time within which a modem has started its receiver. Some need more than 20 s.
    static let startTime = TimeAmount.seconds(60)
    /// The time within which ModemManager answers other calls.
    static let answerTime = TimeAmount.seconds(10)

    private enum Phase {
        case closed
        /// Receivers that were left on are being switched off.
        case waiting
        /// The bus is connected to, and the modem looked for.
        case connecting
        /// The receiver is being started.
        case starting
        /// The sentences are asked for.
        case running
        /// The receiver is being switched off.
        case ending
    }

    private let name: String?
    private let address: String?
    private let eventLoop: any EventLoop
    private let timer: LoopTimer
    private var poller: DescriptorPoller?
    private var bus: BusConnection?
    private var phase = Phase.closed
    private var receiver: SentenceReceiver?
    private var sentences = PolledSentences()
    private let modems: SwitchedModems
    /// The modem that is read, or `nil` if it has not been found yet.
    private var modem: SwitchedModem?
    /// The modem whose receiver the daemon has switched on and not off again, if any. What others have switched on
    /// stays on.
    private var switchedOn: SwitchedModem?

    /// Creates a closed transport.
    ///
    /// - Parameters:
    ///   - name: The modem's IMEI, its path on the bus or in sysfs, or `nil` for any modem with a receiver.
    ///   - address: The address of the bus, or `nil` for the system bus.
    ///   - modems: The modems whose receivers are on, or `nil` if this is the only transport.
    init(
        _ name: String?, address: String? = nil, modems: SwitchedModems? = nil, on eventLoop: any EventLoop
    ) {
        self.name = name
        self.modems = modems ?? SwitchedModems(address: address, on: eventLoop)
        self.address = address
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
    }

    deinit {
        timer.cancel()
        bus?.stop()
        poller?.stop()
    }

    var hasUnread: Bool { false }

    var silenceLimit: TimeAmount { phase == .running ? .seconds(30) : Self.startTime + .seconds(5) }

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? {
        ReceiverFailure(.silent, "the receiver in the modem has sent no sentences for \(seconds) s")
    }

    func setInterval(seconds: Double?) { sentences.interval = seconds ?? 1 }

    func open(for receiver: SentenceReceiver) {
        self.receiver = receiver
        // The receiver is switched off first if it is about to be.
        guard phase == .closed else { return }
        phase = .waiting
        modems.whenRecovered(for: self) { [weak self] in
            if self?.phase == .waiting { self?.connect() }
        }
    }

    /// Closes the transport. The connection to the bus outlives it until ModemManager has switched the receiver off.
    func close() {
        receiver = nil
        switch phase {
        case .closed, .waiting, .connecting:
            disconnect()
            // One that was lost may still be on.
            if switchedOn != nil { modems.recover() }
            switchedOn = nil
        case .starting, .ending: break
        case .running: switchOff()
        }
    }

    // MARK: Starting

    private func connect() {
        guard let bus = madeBus() else {
            receiver?.didFail(ReceiverFailure(.unusable, "the modem cannot be read: too many files are open"))
            return
        }
        phase = .connecting
        let interval = sentences.interval
        sentences = PolledSentences()
        sentences.interval = interval
        timer.set(in: Self.startTime) { [unowned self] in
            fail(.notStarted)
        }
        bus.start()
        if !bus.isOpen { fail(ReceiverFailure(.unreachable, "no connection to the system bus, where ModemManager is")) }
    }

    private func madeBus() -> BusConnection? {
        if let bus { return bus }
        guard let poller = try? DescriptorPoller(on: eventLoop) else { return nil }
        self.poller = poller
        let bus = BusConnection(
            address: address, consequence: "the receiver in the modem cannot be read", poller: poller, on: eventLoop,
            log: Logger(label: "modem") { _ in SwiftLogNoOpLogHandler() })
        bus.delegate = self
        self.bus = bus
        return bus
    }

    func connected() {
        guard phase == .connecting else { return disconnect() }
        // ModemManager is not started: an administrator may not want it.
        bus?.call("GetNameOwner", [.string(ModemManager.service)]) { [unowned self] reply in
            guard case .message(let message) = reply, let service = message.readString() else {
                modems.keepOnly(of: nil, on: bus?.id ?? "")
                return fail(
                    ReceiverFailure(.missing, "ModemManager does not run: run `sudo systemctl start ModemManager`"))
            }
            modems.keepOnly(of: service, on: bus?.id ?? "")
            findModem(of: service)
        }
    }

    private func findModem(of service: String) {
        bus?.call(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: ModemManager.path, on: service, [],
            timeout: Self.answerTime
        ) { [unowned self] reply in
            guard case .message(let message) = reply, let modems = Modem.list(message) else {
                return fail(ReceiverFailure(.unreachable, "ModemManager does not say which modems it knows"))
            }
            guard let found = Modem.choose(name, among: modems) else {
                let what = name.map { "no modem \($0)" } ?? "no modem"
                return fail(
                    ReceiverFailure(.missing, "ModemManager knows \(what): `mmcli -L` lists those that it knows"))
            }
            if let obstacle = found.obstacle { return fail(obstacle) }
            switchOn(found, SwitchedModem(bus: bus?.id ?? "", service: service, path: found.path))
        }
    }

    private func switchOn(_ found: Modem, _ modem: SwitchedModem) {
        phase = .starting
        timer.cancel()
        self.modem = modem
        // One that is on already is left on by the end, unless it was the daemon that has switched it on.
        guard found.enabled & ModemManager.sentences == 0 || modems.contains(modem) else {
            switchedOn = nil
            return start(from: found.enabled)
        }
        switchedOn = modem
        // It is switched off again, even if the receiver is taken out of the configuration meanwhile.
        modems.use(modem) { [self] in
            if phase == .starting, self.modem == modem { start(from: found.enabled) }
        }
    }

    /// Starts the receiver, in addition to the sources that are on.
    private func start(from sources: UInt32) {
        setUp(sources | ModemManager.sentences, timeout: Self.startTime) { [self] reply in
            // Nobody needs it any more.
            guard let receiver else { return switchOff() }
            switch reply {
            case .message:
                phase = .running
                receiver.didOpen(at: eventLoop.now)
                if phase == .running { poll() }
            case .failure(let text): fail(.modemManager(text))
            case .none:
                // It may still be started.
                self.receiver = nil
                switchOff()
                receiver.didFail(.notStarted)
            }
        }
    }

    /// Sets the sources of the modem's location, and that ModemManager broadcasts none of it.
    private func setUp(_ sources: UInt32, timeout: TimeAmount, _ answer: @escaping (CallReply) -> Void) {
        call("Setup", [.uint32(sources), .boolean(false)], timeout: timeout, answer)
    }

    private func call(
        _ method: String, of interface: String = ModemManager.location, _ arguments: [BusValue],
        timeout: TimeAmount = answerTime, _ answer: @escaping (CallReply) -> Void
    ) {
        guard let modem else { return }
        bus?.call(method, of: interface, at: modem.path, on: modem.service, arguments, timeout: timeout, answer)
    }

    // MARK: Running

    private func poll() {
        call("GetLocation", []) { [unowned self] reply in
            guard phase == .running else { return }
            switch reply {
            case .message(let message):
                if let text = message.sentences { receive(text) } else { findOutWhetherItIsOn() }
            case .failure(let text): fail(.modemManager(text))
            case .none: fail(ReceiverFailure(.unreachable, "ModemManager does not answer"))
            }
        }
    }

    /// Handles an answer without sentences: there are none yet, or somebody else has switched the receiver off.
    ///
    /// ModemManager does not count who needs it, and others switch it off when they themselves do not need it any more.
    /// So it is lost, and switched on again while an app asks.
    private func findOutWhetherItIsOn() {
        guard let modem else { return }
        bus?.enabledSources(of: modem) { [unowned self] sources in
            guard phase == .running else { return }
            if case .success(let sources) = sources, sources & ModemManager.sentences == 0 {
                if let switchedOn { modems.remove(switchedOn) }
                switchedOn = nil
                return fail(.switchedOffByOthers)
            }
            receive("")
        }
    }

    private func receive(_ text: String) {
        let step = sentences.receive(text)
        timer.set(in: step.delay) { [unowned self] in poll() }
        if !step.sentences.isEmpty { receiver?.receive(step.sentences.span.bytes, at: eventLoop.now) }
    }

    // MARK: Ending

    /// Switches the receiver off, unless somebody else had switched it on. What others have switched on stays on. The
    /// transport lives until that is done, even if nobody else has it any more.
    private func switchOff() {
        timer.cancel()
        guard let modem = switchedOn else { return ended() }
        phase = .ending
        timer.set(in: Self.startTime) { [self] in ended() }
        bus?.switchOff(modem) { [self] isOff in
            if isOff {
                switchedOn = nil
                modems.remove(modem)
            }
            ended()
        }
    }

    private func ended() {
        disconnect()
        if receiver != nil { connect() }
    }

    private func disconnect() {
        timer.cancel()
        phase = .closed
        modem = nil
        if let switchedOn { modems.release(switchedOn) }
        bus?.disconnect()
    }

    func disconnected() {
        guard phase != .closed else { return }
        fail(ReceiverFailure(.disconnected, "the connection to the system bus is lost, where ModemManager is"))
    }

    private func fail(_ failure: ReceiverFailure) {
        disconnect()
        receiver?.didFail(failure)
    }

    func receive(_ call: IncomingCall) { bus?.reply(to: call, .unknownObject) }

    func receive(_ signal: BusMessage) {}
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

extension ReceiverFailure {
    fileprivate static let notStarted = ReceiverFailure(
        .unreachable, "ModemManager has not started the receiver in the modem")
    fileprivate static let switchedOffByOthers = ReceiverFailure(
        .disconnected, "another program has had ModemManager switch the receiver in the modem off")

    /// The failure that an error of ModemManager means.
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
