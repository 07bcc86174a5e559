import Bus
import EventLoopSupport
import NIOCore

/// A program on a bus, such as a service with a name. Confined to the event loop.
final class BusPeer: BusConnectionDelegate {
    /// The ways to answer a call.
    enum Answer {
        case once(String), twice(String), never
    }

    let connection: BusConnection
    var answer: Answer
    /// The senders of the calls, in their order.
    private(set) var callers: [String] = []
    private(set) var isConnected = false
    private var held: [IncomingCall] = []

    init(_ address: String, answer: Answer = .once("yes"), _ poller: DescriptorPoller, on loop: any EventLoop) {
        self.answer = answer
        connection = BusConnection(address: address, poller: poller, on: loop)
        connection.delegate = self
        connection.start()
    }

    func takeName(_ name: String) { connection.call("RequestName", [.string(name), .uint32(0)]) { _ in } }

    func giveNameBack(_ name: String) { connection.call("ReleaseName", [.string(name)]) { _ in } }

    func sendSignal(_ member: String, _ arguments: [BusValue] = [], to destination: String? = nil) {
        connection.send(
            BusSignal(path: "/test", interface: "org.example.Test", member: member, arguments: arguments),
            to: destination)
    }

    func connected() { isConnected = true }

    func disconnected(_ reason: String?) { isConnected = false }

    func receive(_ signal: BusMessage) {}

    func receive(_ call: IncomingCall) {
        callers.append(call.sender)
        switch answer {
        case .once(let text): connection.reply(to: call, [.string(text)])
        case .twice(let text):
            connection.reply(to: call, [.string(text)])
            connection.reply(to: call, [.string("again")])
        case .never: held.append(call)
        }
    }
}
