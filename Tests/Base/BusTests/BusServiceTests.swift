import Bus
import EventLoopSupport
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// Services on a real bus, run by dbus-daemon: found, lost, found again. This suite tests it for all clients of the
/// services. The clients' own tests cover their calls.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct BusServiceTests {
    private static let name = "org.example.Test"

    /// A client with its service, and programs on the bus. Confined to the loop.
    private final class Parts {
        let poller: DescriptorPoller
        let bus: Bus
        let service: BusService
        let address: String
        let loop: any EventLoop
        var peers: [BusPeer] = []
        var events: [String] = []
        var signals: [String] = []
        var answers: [String] = []

        init(_ address: String, on loop: any EventLoop) throws {
            (self.address, self.loop) = (address, loop)
            poller = try DescriptorPoller(on: loop)
            bus = Bus(address: address, poller: poller, on: loop)
            service = BusService(name, on: bus, signals: ["path='/test'"])
            // Weak: a test that fails leaves without `stop()`, and the loop goes on for a moment.
            service.onEvent = { [weak self] event in
                switch event {
                case .found: self?.events.append("found")
                case .absent: self?.events.append("absent")
                // Each attempt that fails says so again. Their number depends on the time that the test takes.
                case .disconnected: if self?.events.last != "disconnected" { self?.events.append("disconnected") }
                }
            }
            service.onSignal = { [weak self] in self?.signals.append("\($0.member ?? "") \($0.readString() ?? "")") }
        }

        func call(timeout: TimeAmount? = nil) {
            service.call("Ask", of: name, at: "/test", timeout: timeout) { [self] reply in
                switch reply {
                case .message(let message): answers.append(message.readString() ?? "nothing")
                case .failure: answers.append("failure")
                case .none: answers.append("none")
                }
            }
        }

        func stop() {
            bus.stop()
            for peer in peers { peer.connection.stop() }
            poller.stop()
        }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let bus: PrivateBus
    private let parts: NIOLoopBound<Parts>

    init() async throws {
        let (bus, loop) = (try await PrivateBus(), loop)
        self.bus = bus
        parts = try await loop.submit { NIOLoopBound(try Parts(bus.address, on: loop), eventLoop: loop) }.get()
    }

    @discardableResult private func on<Value: Sendable>(
        _ body: @escaping @Sendable (Parts) throws -> Value
    ) async throws -> Value {
        try await loop.submit { [parts] in try body(parts.value) }.get()
    }

    private func addPeer(_ answer: BusPeer.Answer = .once("yes"), takesName: Bool = true) async throws {
        let index = try await on { parts in
            parts.peers.append(BusPeer(parts.address, answer: answer, parts.poller, on: parts.loop))
            return parts.peers.count - 1
        }
        try await eventually("a connection") { try await on { $0.peers[index].isConnected } }
        if takesName { try await on { $0.peers[index].takeName(Self.name) } }
    }

    private func events(_ expected: String...) async throws {
        try await eventually("\(expected)") { try await on { $0.events } == expected }
    }

    private func stop() async throws {
        try await on { $0.stop() }
        try await bus.stop()
    }

    @Test func theOwnerComesAndGoesAndComesBack() async throws {
        try await on { $0.service.open() }
        try await events("absent")
        try await addPeer()
        try await events("absent", "found")
        let first = try await on { $0.service.owner }
        try await on { $0.peers[0].connection.stop() }
        try await events("absent", "found", "absent")
        #expect(try await on { $0.service.owner } == nil)
        try await addPeer(.once("another"))
        try await events("absent", "found", "absent", "found")
        #expect(try await on { $0.service.owner } != first)
        try await on { $0.call() }
        try await eventually("the answer") { try await on { $0.answers } == ["another"] }
        try await stop()
    }

    /// The name goes from one program to the next without a moment in between.
    @Test func anotherOwnerIsFoundAtOnce() async throws {
        try await addPeer()
        try await on { $0.service.open() }
        try await events("found")
        try await addPeer(.once("the second"))
        try await on { $0.peers[0].giveNameBack(Self.name) }
        try await events("found", "found")
        try await on { $0.call() }
        try await eventually("the answer") { try await on { $0.answers } == ["the second"] }
        try await stop()
    }

    @Test func whoeverAsksAgainLooksAgain() async throws {
        try await on { $0.service.open() }
        try await events("absent")
        try await on { $0.service.open() }
        try await events("absent", "absent")
        try await stop()
    }

    @Test func aServiceThatNeverAnswers() async throws {
        try await addPeer(.never)
        try await on { $0.service.open() }
        try await events("found")
        try await on { parts in
            parts.call(timeout: .milliseconds(1))
            parts.call()
        }
        try await eventually("the end of the time") { try await on { $0.answers } == ["none"] }
        // It leaves: the bus answers for it.
        try await on { $0.peers[0].connection.stop() }
        try await eventually("the bus's answer") { try await on { $0.answers } == ["none", "failure"] }
        try await stop()
    }

    @Test func whatWasAskedBeforeTheEndIsNotAnsweredAfterIt() async throws {
        try await addPeer()
        try await on { $0.service.open() }
        try await events("found")
        try await on { parts in
            // Another client keeps the connection.
            let other = BusService("org.example.Other", on: parts.bus)
            other.open()
            parts.call()
            parts.service.close()
            parts.service.open()
        }
        try await events("found", "found")
        try await on { $0.call() }
        try await eventually("one answer") { try await on { $0.answers } == ["yes"] }
        #expect(try await on { $0.peers[0].callers.count } == 2)
        try await stop()
    }

    /// The connection ends and another one begins within the handling of a message.
    @Test func anotherIsOpenedAsTheLastOneIsClosed() async throws {
        try await addPeer()
        try await on { $0.service.open() }
        try await events("found")
        let other = try await on { parts in
            let other = BusService(Self.name, on: parts.bus)
            other.onEvent = { event in
                if case .found = event { parts.events.append("other found") } else { parts.events.append("other lost") }
            }
            parts.service.call("Ask", of: Self.name, at: "/test", timeout: nil) { _ in
                parts.service.close()
                other.open()
            }
            return NIOLoopBound(other, eventLoop: parts.loop)
        }
        try await events("found", "other found")
        try await on { _ in other.value.close() }
        try await stop()
    }

    @Test func aSecondAnswerIsIgnored() async throws {
        try await addPeer(.twice("first"))
        try await on { $0.service.open() }
        try await events("found")
        for count in 1...3 {
            try await on { $0.call() }
            try await eventually("an answer") { try await on { $0.answers.count } == count }
        }
        #expect(try await on { $0.answers } == ["first", "first", "first"])
        try await stop()
    }

    /// Attack: another program on the bus sends signals as the service would, and says that the service has gone.
    @Test func signalsOfStrangersDoNotCount() async throws {
        try await addPeer()
        try await on { $0.service.open() }
        try await events("found")
        try await addPeer(takesName: false)
        let client = try #require(try await ownName())
        try await on { parts in
            parts.peers[1].sendSignal("Changed", [.string("forged")], to: client)
            parts.peers[1].connection.send(
                BusSignal(
                    path: BusDriver.path, interface: BusDriver.name, member: "NameOwnerChanged",
                    arguments: [.string(Self.name), .string(parts.service.owner ?? ""), .string("")]), to: client)
            for _ in 0..<5000 { parts.peers[1].sendSignal("Flood", to: client) }
        }
        try await on { $0.peers[0].sendSignal("Changed", [.string("true")]) }
        try await eventually("the true one") { try await on { $0.signals } == ["Changed true"] }
        try await events("found")
        try await stop()
    }

    /// The unique name of the client's connection, which the service sees as its caller.
    private func ownName() async throws -> String? {
        try await on { $0.call() }
        try await eventually("a call") { try await on { !$0.peers[0].callers.isEmpty } }
        return try await on { $0.peers[0].callers.first }
    }

    @Test func aFloodOfItsSignalsIsReceivedWhole() async throws {
        try await addPeer()
        try await on { $0.service.open() }
        try await events("found")
        try await on { parts in for _ in 0..<20_000 { parts.peers[0].sendSignal("Flood") } }
        try await eventually("all of them") { try await on { $0.signals.count } == 20_000 }
        try await stop()
    }

    @Test func theBusIsRestarted() async throws {
        try await addPeer()
        try await on { $0.service.open() }
        try await events("found")
        let id = try await on { $0.service.busID }
        try await bus.crash()
        try await events("found", "disconnected")
        try await bus.restart()
        try await eventually("the service's return") {
            try await on { parts in
                // Its own connection comes back by itself; a name has to be taken again.
                if parts.peers[0].isConnected, parts.service.owner == nil { parts.peers[0].takeName(Self.name) }
                return parts.service.owner != nil
            }
        }
        #expect(try await on { $0.service.busID } != id)
        try await on { $0.call() }
        try await eventually("the answer") { try await on { $0.answers } == ["yes"] }
        try await stop()
    }

    @Test func withoutABusTheClientIsToldWithinATurn() async throws {
        try await bus.stop()
        try await on { parts in
            parts.service.open()
            #expect(parts.events == [])
        }
        try await events("disconnected")
        try await on { $0.stop() }
    }

    /// Clients share a connection, which ends with the last of them.
    @Test func thereIsOneConnection() async throws {
        try await addPeer()
        let services = try await on { parts in
            let services = (0..<3).map { _ in BusService(Self.name, on: parts.bus) }
            for service in services + [parts.service] { service.open() }
            return NIOLoopBound(services, eventLoop: parts.loop)
        }
        try await events("found")
        try await eventually("all of them") { try await on { _ in services.value.allSatisfy { $0.owner != nil } } }
        try await on { parts in
            parts.call()
            for service in services.value { service.call("Ask", of: Self.name, at: "/test", timeout: nil) { _ in } }
        }
        try await eventually("their calls") { try await on { $0.peers[0].callers.count } == 4 }
        #expect(try await on { Set($0.peers[0].callers).count } == 1)
        try await on { parts in
            for service in services.value { service.close() }
            #expect(parts.bus.connection.isOpen)
            parts.service.close()
            #expect(!parts.bus.connection.isOpen)
        }
        try await stop()
    }
}
