import EventLoopSupport
internal import Logging
import NIOCore
import SystemBus

/// Switches receivers in modems off that were left on: by a daemon that has crashed, or after a connection was lost.
final class ModemRecovery: BusConnectionDelegate {
    private let bus: BusConnection
    private let poller: DescriptorPoller
    private var left: [SwitchedModem]
    private let remove: (SwitchedModem) -> Void
    private let end: () -> Void
    private var hasEnded = false

    /// Creates a recovery that has not started, or returns `nil` if too many files are open.
    ///
    /// - Parameters:
    ///   - remove: Called with each modem whose receiver is off or that has gone. What is not known of the others is
    ///     tried again later.
    ///   - end: Called once at the end.
    init?(
        of modems: Set<SwitchedModem>, address: String?, on eventLoop: any EventLoop,
        remove: @escaping (SwitchedModem) -> Void, end: @escaping () -> Void
    ) {
        guard let poller = try? DescriptorPoller(on: eventLoop) else { return nil }
        self.poller = poller
        bus = BusConnection(
            address: address, consequence: "the receiver in the modem stays on", poller: poller, on: eventLoop,
            log: Logger(label: "modem") { _ in SwiftLogNoOpLogHandler() })
        left = Array(modems)
        self.remove = remove
        self.end = end
        bus.delegate = self
    }

    deinit {
        bus.stop()
        poller.stop()
    }

    func start() {
        bus.start()
        if !bus.isOpen { finish() }
    }

    /// Ends it. Nothing is called any more.
    func stop() {
        hasEnded = true
        bus.stop()
    }

    func connected() { proceed() }

    func disconnected() { finish() }

    func receive(_ call: IncomingCall) { bus.reply(to: call, .unknownObject) }

    func receive(_ signal: BusMessage) {}

    private func proceed() {
        // The bus is another one once the machine was started again, which switches modems off.
        while let last = left.last, last.bus != bus.id {
            left.removeLast()
            remove(last)
        }
        guard let modem = left.popLast() else { return finish() }
        bus.switchOff(modem) { [unowned self] isOff in
            if isOff { remove(modem) }
            proceed()
        }
    }

    private func finish() {
        guard !hasEnded else { return }
        hasEnded = true
        bus.disconnect()
        end()
    }
}

extension BusConnection {
    /// Switches off the receiver in a modem, and leaves the other sources of its location as they are. Calls `body`
    /// with `true` if it is off, or the modem or its ModemManager has gone.
    func switchOff(_ modem: SwitchedModem, _ body: @escaping (_ isOff: Bool) -> Void) {
        enabledSources(of: modem) { [unowned self] reply in
            switch reply {
            case .success(let sources) where sources & ModemManager.sentences != 0:
                call(
                    "Setup", of: ModemManager.location, at: modem.path, on: modem.service,
                    [.uint32(sources & ~ModemManager.sentences), .boolean(false)], timeout: ModemTransport.startTime
                ) { reply in
                    if case .message = reply { body(true) } else { body(false) }
                }
            case .success: body(true)
            case .failure(let obstacle): body(obstacle == .gone)
            }
        }
    }

    /// The reason why it is not known which sources of a modem's location are on.
    enum SourcesUnknown: Error {
        /// The modem or its ModemManager has gone.
        case gone
        case unanswered
    }

    /// Calls `body` with the set of sources of a modem's location that are on.
    func enabledSources(of modem: SwitchedModem, _ body: @escaping (Result<UInt32, SourcesUnknown>) -> Void) {
        call(
            "Get", of: "org.freedesktop.DBus.Properties", at: modem.path, on: modem.service,
            [.string(ModemManager.location), .string("Enabled")], timeout: ModemTransport.answerTime
        ) { reply in
            switch reply {
            case .message(let message):
                let sources = message.readVariant { _ in message.readUInt32() }
                body(sources.map(Result.success) ?? .failure(.unanswered))
            case .failure: body(.failure(.gone))
            case .none: body(.failure(.unanswered))
            }
        }
    }
}
