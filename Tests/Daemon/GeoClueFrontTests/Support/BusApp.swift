import Bus
import EventLoopSupport
import NIOCore

@testable import GeoClueFront

/// A program on the bus, which the front takes for this process. Confined to the event loop.
final class BusApp: BusConnectionDelegate {
    /// The answer to a call: the only string, path, number or Boolean value in it, or the text of the error.
    enum Answer: Equatable, Sendable {
        case text(String), number(UInt32), empty, error(String), none
    }

    let bus: BusConnection
    /// The answers in their order.
    private(set) var answers: [Answer] = []
    /// The number of unanswered calls.
    private(set) var unanswered = 0
    /// The paths in the signals LocationUpdated.
    private(set) var updates: [String] = []
    /// The members of all signals, in their order.
    private(set) var signals: [String] = []
    private(set) var isConnected = false
    private var service: String?
    /// The level that the app answers with as an agent, or `nil` to answer nothing.
    var agentLevel: UInt32?

    init(_ address: String, _ poller: DescriptorPoller, on loop: any EventLoop) {
        bus = BusConnection(address: address, poller: poller, on: loop)
        bus.delegate = self
        bus.start()
    }

    func connected() { isConnected = true }

    func disconnected(_ reason: String?) {}

    func receive(_ call: IncomingCall) {
        if let agentLevel { bus.reply(to: call, [.variant(.uint32(agentLevel))]) }
    }

    func receive(_ message: BusMessage) {
        let member = message.member ?? ""
        guard message.sender != "org.freedesktop.DBus" else { return }
        signals.append(member)
        guard member == "LocationUpdated" else { return }
        _ = message.readString("o")
        updates.append(message.readString("o") ?? "")
    }

    func call(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []) {
        unanswered += 1
        withService { [self] service in
            guard let service else { return answered(.error("no service")) }
            bus.call(member, of: interface, at: path, on: service, arguments, timeout: nil) {
                self.answered(Self.answer($0))
            }
        }
    }

    private func answered(_ answer: Answer) {
        unanswered -= 1
        answers.append(answer)
    }

    /// Calls `body` with the name of the service's connection, which its replies come from, or with `nil`.
    private func withService(_ body: @escaping (String?) -> Void) {
        if let service { return body(service) }
        bus.call(BusDriver.getNameOwner, [.string(InterfaceDefinition.serviceName)]) { [self] reply in
            if case .message(let message) = reply { service = message.readString() }
            body(service)
        }
    }

    func callManager(_ member: String, _ arguments: [BusValue] = []) {
        call(Scene.managerPath, Scene.manager, member, arguments)
    }

    func set(_ property: String, _ value: BusValue, _ path: String) {
        call(path, Scene.properties, "Set", [.string(Scene.client), .string(property), .variant(value)])
    }

    func get(_ property: String, _ path: String, _ interface: String) {
        call(path, Scene.properties, "Get", [.string(interface), .string(property)])
    }

    private static func answer(_ reply: CallReply) -> Answer {
        switch reply {
        case .failure(let failure): return .error(failure.text)
        case .none: return .none
        case .message(let message):
            switch message.signature {
            case "o": return message.readString("o").map { .text($0) } ?? .none
            case "s": return message.readString().map { .text($0) } ?? .none
            case "v": return message.readVariant { $0 == "u" ? message.readUInt32() : nil }.map { .number($0) } ?? .none
            default: return .empty
            }
        }
    }
}
