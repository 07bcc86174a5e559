import AuthorizationPolicy
import Bus
import LocationCore
import LocationModel
import NIOCore
import TestSupport
import Testing

@testable import GeoClueFront

/// The front on a real bus, which dbus-daemon runs.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct BusFrontTests {
    private let fixture: FrontFixture
    private let bus: PrivateBus

    init() async throws {
        fixture = try await FrontFixture()
        bus = try await PrivateBus(in: fixture.folder)
    }

    /// Waits until the front has its name, and connects a program that it has answered.
    private func connectApp() async throws -> Int {
        let app = try await fixture.connect()
        var answers: [BusApp.Answer] = []
        try await TestSupport.eventually("the service: \(answers)") {
            answers = try await fixture.answers(of: app) { $0.callManager("GetClient") }
            return answers.last == .text("/org/freedesktop/GeoClue2/Client/1")
        }
        return app
    }

    /// The properties are set and the client is started without waiting for the replies, as libgeoclue does.
    private func start(_ app: Int, level: UInt32 = 8) async throws -> [BusApp.Answer] {
        try await fixture.answers(of: app) { app in
            let path = "/org/freedesktop/GeoClue2/Client/1"
            app.set("DesktopId", .string("test"), path)
            app.set("RequestedAccuracyLevel", .uint32(level), path)
            app.call(path, Scene.client, "Start")
        }
    }

    @Test func aGrantedAppGetsLocationsUntilItIsRevoked() async throws {
        let app = try await connectApp()
        try await fixture.decide(Decision(level: .whenInUse))
        #expect(try await start(app) == [.empty, .empty, .empty])
        let path = try await fixture.eventually("a location") { $0.apps[app].updates.last }
        #expect(path.hasPrefix("/org/freedesktop/GeoClue2/Client/1/Location/"))
        // The program of every fix reads it; a later one may have taken its place meanwhile.
        let longitude = try await fixture.answers(of: app) { $0.get("Longitude", path, Scene.location) }
        #expect(longitude.count == 1)
        #expect(try await fixture.on { $0.core.history.indicator.isInUse })
        try await fixture.decide(.denied)
        #expect(try await fixture.on { $0.front.tree.clients[1]?.isActive } == false)
        #expect(try await fixture.on { !$0.core.history.indicator.isInUse })
        guard case .error(let text) = try await start(app).last else {
            Issue.record("Start was not refused")
            return
        }
        #expect(text.hasPrefix("'test' disallowed for UID "))
        try await fixture.stop()
    }

    @Test func anUndecidedAppIsPromptedAbout() async throws {
        let app = try await connectApp()
        #expect(try await start(app, level: 4) == [.empty, .empty, .empty])
        let prompts = try await fixture.on { $0.core.broker.machine.prompts }
        #expect(prompts.count == 1 && prompts.first?.defaultAccuracy == .reduced)
        #expect(prompts.first?.usageDescription?.text.plain == "Calls itself test.")
        #expect(prompts.first?.usageDescription?.isFromApp == true)
        #expect(try await fixture.on { $0.apps[app].updates.isEmpty })
        let client = "/org/freedesktop/GeoClue2/Client/1"
        _ = try await fixture.answers(of: app) { $0.callManager("DeleteClient", [.objectPath(client)]) }
        #expect(try await fixture.on { $0.front.prompts.isEmpty })
        try await fixture.stop()
    }

    /// A program leaves the bus, and lives on: nothing is left of it.
    @Test func aConnectionThatLeavesTakesItsClientsWithIt() async throws {
        let app = try await connectApp()
        try await fixture.decide(Decision(level: .whenInUse))
        _ = try await start(app)
        #expect(try await fixture.on { $0.core.peers.connectionCount } == 1)
        try await fixture.on { $0.apps[app].bus.stop() }
        _ = try await fixture.eventually("its end") { $0.front.senders.isEmpty ? true : nil }
        let isEmpty = try await fixture.on { parts in
            parts.front.tree.clients.isEmpty && parts.front.subscriptions.isEmpty
                && parts.core.peers.connectionCount == 0
        }
        #expect(isEmpty)
        try await fixture.stop()
    }

    /// Attack: many calls without waiting for replies. Each is answered while the app reads, and memory is bounded.
    @Test func aFloodOfCalls() async throws {
        let app = try await connectApp()
        var paths = 0
        for _ in 0..<20 {
            let answers = try await fixture.answers(of: app) { app in
                for _ in 0..<100 { app.callManager("CreateClient") }
            }
            let (found, refused) = answers.reduce(into: (0, 0)) { counts, answer in
                if case .text = answer { counts.0 += 1 }
                if case .error = answer { counts.1 += 1 }
            }
            #expect(found + refused == 100)
            paths += found
        }
        // Which of them are refused because too many wait depends on the machine.
        #expect((1...ClientTable.maximumCount).contains(paths))
        let other = try await fixture.connect()
        #expect(try await fixture.answers(of: other) { $0.callManager("GetClient") }.count == 1)
        try await fixture.stop()
    }

    /// Programs with a small library of their own do not answer calls, `Peer.Ping` neither. They get what they read.
    @Test func anAppThatAnswersNoCallIsServed() async throws {
        try await getMuch(try await connectApp())
        try await fixture.stop()
    }

    private func getMuch(_ app: Int) async throws {
        for _ in 0..<5 {
            let answers = try await fixture.answers(of: app) { app in
                for _ in 0..<20 { app.call(Scene.managerPath, "org.freedesktop.DBus.Introspectable", "Introspect") }
            }
            let size = answers.reduce(0) { if case .text(let text) = $1 { $0 + text.utf8.count } else { $0 } }
            #expect(answers.count == 20 && size > Backlog.checkSize)
        }
    }

    /// dbus-broker does not say how much it keeps, and a bus without the policy of locationd refuses to.
    @Test func aBusThatDoesNotSayHowMuchItKeeps() async throws {
        try await bus.stop()
        let rule =
            "<deny send_destination=\"org.freedesktop.DBus\" send_interface=\"org.freedesktop.DBus.Debug.Stats\"/>"
        let bus = try await PrivateBus(rules: PrivateBus.everything + [rule], in: fixture.folder)
        try await getMuch(try await connectApp())
        try await fixture.stop()
        try await bus.stop()
    }

    /// Attack: an app waits until the bus is lost, and gets the location before the shell has said again that it is
    /// off.
    @Test func anAgentsSwitchOutlivesTheBus() async throws {
        let shell = try await connectApp()
        try await fixture.on { $0.apps[shell].agentLevel = 0 }
        _ = try await fixture.answers(of: shell) { $0.callManager("AddAgent", [.string("gnome-shell")]) }
        let uid = try await fixture.on { $0.core.peers.apps.keys.first?.uid ?? 0 }
        _ = try await fixture.eventually("services off") { parts in
            parts.core.broker.table.isSwitchedOffByDesktop(for: uid) ? true : nil
        }
        try await bus.stop()
        _ = try await fixture.eventually("the loss") { $0.front.senders.isEmpty ? true : nil }
        #expect(try await fixture.on { $0.core.broker.table.isSwitchedOffByDesktop(for: uid) })
        try await fixture.stop()
    }

    @Test func anAgentsSwitchIsFollowed() async throws {
        let shell = try await connectApp()
        try await fixture.on { $0.apps[shell].agentLevel = 0 }
        _ = try await fixture.answers(of: shell) { $0.callManager("AddAgent", [.string("gnome-shell")]) }
        let uid = try await fixture.on { $0.core.peers.apps.keys.first?.uid ?? 0 }
        _ = try await fixture.eventually("services off") { parts in
            parts.core.broker.table.isSwitchedOffByDesktop(for: uid) ? true : nil
        }
        try await fixture.on { parts in
            parts.apps[shell].agentLevel = 8
            parts.apps[shell].bus.send(
                BusSignal(
                    path: ObjectPath.agent, interface: Scene.properties, member: "PropertiesChanged",
                    arguments: [.string(InterfaceDefinition.agentName), .properties([]), .strings([])]), to: nil)
        }
        _ = try await fixture.eventually("services on") { parts in
            parts.core.broker.table.isSwitchedOffByDesktop(for: uid) ? nil : true
        }
        try await fixture.stop()
    }

    /// The bus ends and comes back: the daemon lives on, and has its name again.
    @Test func aBusThatRestarts() async throws {
        let app = try await connectApp()
        try await bus.stop()
        _ = try await fixture.eventually("the loss") { $0.front.senders.isEmpty && !$0.front.bus.isOpen ? true : nil }
        try await fixture.on { $0.apps[app].bus.stop() }
        let again = try await PrivateBus(in: fixture.folder)
        let other = try await fixture.connect()
        try await TestSupport.eventually("the service") {
            guard case .text(let path) = try await fixture.answers(of: other, { $0.callManager("GetClient") }).last
            else { return false }
            return path == "/org/freedesktop/GeoClue2/Client/1"
        }
        let problems = fixture.log.all.filter { $0.contains("no connection to the system bus") }
        #expect(problems.count <= 4, "each problem once: \(problems)")
        try await fixture.stop()
        try await again.stop()
    }
}

/// A connection that the core refuses.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct RefusedConnectionTests {
    /// Attack: an app that is refused calls without end, and each call has it identified again.
    @Test func aRefusalHolds() async throws {
        var limits = Limits()
        limits.connectionsPerUser = 1
        let fixture = try await FrontFixture(limits: limits)
        let bus = try await PrivateBus(in: fixture.folder)
        let (first, second) = (try await fixture.connect(), try await fixture.connect())
        try await eventually("the service") {
            guard case .text = try await fixture.answers(of: first, { $0.callManager("GetClient") }).last else {
                return false
            }
            return true
        }
        let refusal = BusApp.Answer.error("The limit connectionsPerUser is reached")
        let begin = ContinuousClock.now
        for _ in 0..<200 {
            #expect(try await fixture.answers(of: second) { $0.callManager("GetClient") } == [refusal])
        }
        // Once a second at most.
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        #expect(Double(try await fixture.on { $0.core.peers.refused }) <= seconds + 2)
        #expect(try await fixture.on { $0.front.senders.count } == 2)
        try await fixture.stop()
        try await bus.stop()
    }
}

/// The name on the bus that another program has.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct TakenNameTests {
    @Test func theDaemonWaitsForItsTurn() async throws {
        let fixture = try await FrontFixture()
        try await fixture.on { $0.front.bus.stop() }
        let bus = try await PrivateBus(in: fixture.folder)
        let other = try await fixture.connect()
        try await fixture.on { parts in
            parts.apps[other].bus.call("RequestName", [.string(InterfaceDefinition.serviceName), .uint32(0)]) { _ in }
        }
        let address = bus.address
        let front = try await fixture.on { [loop = fixture.loop] parts in
            let front = GeoClueFront(
                parts.core, address: address, poller: parts.poller, on: loop, log: parts.front.log)
            front.start()
            return NIOLoopBound(front, eventLoop: loop)
        }
        try await eventually("the message") { fixture.log.all.contains { $0.contains("another program owns") } }
        try await fixture.on { $0.apps[other].bus.stop() }
        try await eventually("the name") { fixture.log.all.contains { $0.contains("are served: org.freedesktop") } }
        #expect(fixture.log.all.count { $0.contains("another program owns") } == 1)
        try await fixture.on { _ in front.value.stop() }
        try await fixture.stop()
        try await bus.stop()
    }
}
