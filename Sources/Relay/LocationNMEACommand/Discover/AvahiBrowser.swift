internal import Bus
internal import EventLoopSupport
internal import ForeignText
internal import Glibc
internal import NIOCore
internal import NMEARelay

/// Browses for announcements with Avahi, on the system bus. Changes nothing, and connects to no sender.
///
/// Confined to the event loop.
final class AvahiBrowser {
    /// The reason why browsing is impossible, with the remedy.
    struct Failure: Error {
        let message: String

        static let noBus = Failure(
            message: "there is no system bus, over which Avahi is asked: install dbus and start it")
        static let noAvahi = Failure(
            message: "Avahi, which receives announcements, is not running: install avahi-daemon, then start it with "
                + "`sudo systemctl start avahi-daemon`")
    }

    private static let service = "org.freedesktop.Avahi"
    private static let server = "org.freedesktop.Avahi.Server"
    private static let serviceBrowser = "org.freedesktop.Avahi.ServiceBrowser"
    private static let recordBrowser = "org.freedesktop.Avahi.RecordBrowser"
    /// Any interface, or any family of addresses: AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC.
    private static let any = BusValue.int32(-1)
    /// The flag of this machine's own announcements: AVAHI_LOOKUP_RESULT_LOCAL.
    private static let isLocal: UInt32 = 8
    /// The number of the loopback interface: netdevice(7), LOOPBACK_IFINDEX of the kernel.
    private static let loopback: Int32 = 1

    private let loop: any EventLoop
    private let name: String?
    private let timeout: TimeAmount
    private let avahi: BusService
    private let timer: LoopTimer
    private let ownAddresses = OwnAddresses.all()
    private let promise: EventLoopPromise<Discovery>
    private var isFinished = false
    private var isBrowsing = false
    private var discovery = Discovery()
    /// The transport that each browser looks for, by the browser's object path.
    private var transports: [String: Announcement.Transport] = [:]
    private var services: [String: Discovery.Service] = [:]

    /// - Parameter name: The only name to look at, as displayed, or `nil` for all names.
    init(name: String?, timeout: TimeAmount, poller: DescriptorPoller, on loop: any EventLoop) {
        self.loop = loop
        self.name = name.map(ForeignText.line)
        self.timeout = timeout
        timer = LoopTimer(on: loop)
        promise = loop.makePromise()
        // Avahi is not started: that would open a network port, perhaps against the administrator's will.
        avahi = BusService(Self.service, on: Bus(poller: poller, on: loop), signals: [""])
        avahi.onEvent = { [unowned self] in handle($0) }
        avahi.onSignal = { [unowned self] in receive($0) }
    }

    /// Starts. The result comes when every query has been answered, and no later than the timeout after Avahi was
    /// asked. The bus itself may take up to 10 s for each of two answers.
    func start() -> EventLoopFuture<Discovery> {
        avahi.open()
        return promise.futureResult
    }

    private func finish(_ result: Result<Discovery, Failure>) {
        guard !isFinished else { return }
        isFinished = true
        timer.cancel()
        promise.completeWith(result.mapError { $0 as any Error })
        // Avahi frees the browsers of a closed connection.
        avahi.close()
    }

    private func finishIfComplete() {
        if discovery.isComplete { finish(.success(discovery)) }
    }

    // MARK: Avahi

    private func handle(_ event: BusService.Event) {
        switch event {
        case .found where !isBrowsing: browse()
        // A restarted Avahi does not know the browsers.
        case .found: finish(.success(discovery))
        case .absent: finish(isBrowsing ? .success(discovery) : .failure(.noAvahi))
        case .disconnected: finish(isBrowsing ? .success(discovery) : .failure(.noBus))
        }
    }

    /// Asks for all announcements.
    private func browse() {
        isBrowsing = true
        timer.set(in: timeout) { [unowned self] in finish(.success(discovery)) }
        for transport in Announcement.Transport.allCases {
            let arguments = [Self.any, Self.any, .string(transport.serviceType), .string("local"), .uint32(0)]
            call("ServiceBrowserNew", arguments) { [unowned self] message in
                guard let path = message?.readString("o") else {
                    discovery.ended(transport)
                    return finishIfComplete()
                }
                transports[path] = transport
            }
        }
    }

    /// Calls a method of Avahi's server. `answer` receives the reply, or `nil` if the call fails.
    private func call(_ method: String, _ arguments: [BusValue], _ answer: @escaping (BusMessage?) -> Void) {
        // The timer ends the wait: an unanswered call does not mean an empty result.
        avahi.call(method, of: Self.server, at: "/", arguments, timeout: nil) { reply in
            if case .message(let message) = reply { answer(message) } else { answer(nil) }
        }
    }

    private func perform(_ actions: [Discovery.Action]) {
        for action in actions {
            switch action {
            case .browse(let service): browse(service)
            case .resolve(let target): resolve(target)
            }
        }
    }

    private func browse(_ service: Discovery.Service) {
        // Class IN, type SRV: RFC 1035, section 3.2.4, and RFC 2782.
        let arguments: [BusValue] = [
            .int32(service.interface), .int32(service.family),
            .string(ServiceRecord.name(of: service.name, service.transport)), .uint16(1), .uint16(33), .uint32(0),
        ]
        call("RecordBrowserNew", arguments) { [unowned self] message in
            guard let path = message?.readString("o") else {
                discovery.ended(service)
                return finishIfComplete()
            }
            services[path] = service
        }
    }

    private func resolve(_ target: Discovery.Target) {
        let arguments: [BusValue] = [
            .int32(target.service.interface), .int32(target.service.family), .string(target.record.host),
            .int32(target.service.family), .uint32(0),
        ]
        call("ResolveHostName", arguments) { [unowned self] message in
            var address: String?
            if let message, message.readInt32() != nil, message.readInt32() != nil, message.readString() != nil,
                message.readInt32() != nil
            {
                address = message.readString()
            }
            // Attack: a local user sends crafted packets that announce an address of this machine.
            if let own = address.flatMap({ IPAddress(parsing: $0) }), ownAddresses.contains(own) { address = nil }
            discovery.resolved(target, address: address, interface: Self.name(ofInterface: target.service.interface))
            finishIfComplete()
        }
    }

    /// Returns the name of an interface, or an empty string if the interface is gone.
    private static func name(ofInterface number: Int32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(UInt32(clamping: number), &name) != nil else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: Signals

    private func receive(_ signal: BusMessage) {
        guard let path = signal.path, let member = signal.member else { return }
        switch signal.interface {
        case Self.serviceBrowser: if let transport = transports[path] { receive(signal, member, transport) }
        case Self.recordBrowser: if let service = services[path] { receive(signal, member, service) }
        default: return
        }
        finishIfComplete()
    }

    private func receive(_ signal: BusMessage, _ member: String, _ transport: Announcement.Transport) {
        switch member {
        case "AllForNow", "Failure": discovery.ended(transport)
        case "ItemNew":
            guard let interface = signal.readInt32(), let family = signal.readInt32(), let name = signal.readString(),
                signal.readString() != nil, signal.readString() != nil, let flags = signal.readUInt32(),
                // Attack: a program of any local user announces itself.
                flags & Self.isLocal == 0, interface != Self.loopback,
                self.name.map({ $0 == ForeignText.line(name) }) ?? true
            else { return }
            perform(discovery.found(.init(interface: interface, family: family, name: name, transport: transport)))
        default: return
        }
    }

    private func receive(_ signal: BusMessage, _ member: String, _ service: Discovery.Service) {
        switch member {
        case "AllForNow", "Failure": discovery.ended(service)
        case "ItemNew":
            guard signal.readInt32() != nil, signal.readInt32() != nil, signal.readString() != nil,
                signal.readUInt16() != nil, signal.readUInt16() != nil, let data = signal.readBytes()
            else { return }
            perform(discovery.found(record: data, of: service))
        default: return
        }
    }
}
