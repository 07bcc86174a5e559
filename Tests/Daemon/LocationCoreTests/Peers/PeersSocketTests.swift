import AuthorizationPolicy
import CLinux
import EventLoopSupport
import Glibc
import Linux
import LocationModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PeerIdentity
import TestSupport
import Testing

@testable import LocationCore

/// Clients of which the kernel states the socket, and not the process.
@Suite struct PeersSocketTests {
    private static let viewer = AppIdentity("exe:/usr/bin/viewer")!

    /// A client of gpsd's front.
    private final class SocketClient: Client {
        let front = Front(name: "sockets")
        let evidence: PeerEvidence
        let pid: Int32 = 0
        let uid = geteuid()
        private(set) var isClosed = false
        var answer: Result<ConnectedApp, AdmissionRefusal>?

        init(_ owner: TCPSocketOwner) { evidence = .socket(owner) }

        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor { throw .processGone }
        func close() { isClosed = true }
    }

    /// The client of another front, in a process.
    private final class ProcessClient: Client {
        let front = Front(name: "processes")
        let evidence = PeerEvidence.process
        let pid: Int32
        let uid = geteuid()
        private(set) var isClosed = false

        init(_ pid: Int32) { self.pid = pid }

        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor { try PeersSocketTests.process(pid) }
        func close() { isClosed = true }
    }

    /// Says that certain processes hold every socket.
    private final class HolderList: PeerIdentifying {
        private let processes: NIOLockedValueBox<[ProcessDescriptor]>

        init(_ processes: [ProcessDescriptor]) { self.processes = NIOLockedValueBox(processes) }

        func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity { viewer }
        func holders(of sockets: [SocketOrigin], uid: uid_t) throws(IdentityRefusal) -> [SocketHolders.Outcome] {
            let holders = SocketHolders(app: viewer, processes: processes.withLockedValue { $0 })
            return sockets.map { _ in .found(holders) }
        }
        func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner? { nil }
        func executable(of process: ProcessDescriptor) -> String? { "/usr/bin/viewer" }
        func startTime(of process: ProcessDescriptor) -> UInt64? { nil }
        func isConfined(_ process: ProcessDescriptor) -> Bool { false }
        func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal) {}
    }

    private static func process(_ pid: Int32) throws(IdentityRefusal) -> ProcessDescriptor {
        let descriptor = process_open(pid)
        guard descriptor >= 0 else { throw .processGone }
        return ProcessDescriptor(owning: descriptor)
    }

    /// The peers, with one client whose socket is held by certain processes.
    private final class Fixture {
        let peers: Peers
        let client: SocketClient
        private(set) var forgotten: [pid_t] = []
        /// The numbers of the app's connections that were reported.
        private(set) var connectionCounts: [Int] = []

        init(
            _ owner: TCPSocketOwner, _ holders: [ProcessDescriptor], _ limits: Limits, on loop: any EventLoop
        ) throws {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            peers = try Peers(
                lookups: PeerLookups(HolderList(holders), on: loop), sharedLimit: SharedConnectionLimit(),
                limits: limits, poller: DescriptorPoller(on: loop), on: loop, log: log)
            client = SocketClient(owner)
            peers.onProcessForgotten = { [weak self] in self?.forgotten.append($0) }
            peers.onConnectionsChanged = { [weak self] in self?.connectionCounts.append($0.connections) }
            try peers.admit(client) { [client] in client.answer = $0 }
        }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let pair: TCPPair

    init() throws { pair = try TCPPair() }

    /// Has a client admitted whose socket is held by these processes.
    private func fixture(
        _ holders: [ProcessDescriptor], _ limits: Limits = Limits()
    ) async throws -> NIOLoopBound<Fixture> {
        let owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        let fixture = try await loop.submit { [loop] in
            NIOLoopBound(try Fixture(owner, holders, limits, on: loop), eventLoop: loop)
        }.get()
        try await eventually("an answer") { try await on(fixture) { $0.client.answer != nil } }
        return fixture
    }

    private func on<Value: Sendable>(
        _ fixture: NIOLoopBound<Fixture>, _ body: @escaping @Sendable (Fixture) throws -> Value
    ) async throws -> Value {
        try await loop.submit { try body(fixture.value) }.get()
    }

    private func stop(_ fixture: NIOLoopBound<Fixture>) async throws {
        try await on(fixture) { fixture in
            fixture.peers.closed(fixture.client)
            fixture.peers.stop()
        }
    }

    private func sleeping() throws -> (RunningProgram, ProcessDescriptor) {
        let program = try RunningProgram("/bin/sleep", ["infinity"])
        return (program, try Self.process(program.processIdentifier))
    }

    @Test func anAppWithTwoConnectionsIsConnectedOnce() async throws {
        let (program, process) = try sleeping()
        let fixture = try await fixture([process])
        let owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        let further = try await loop.submit { [loop] in
            let further = SocketClient(owner)
            try fixture.value.peers.admit(further) { further.answer = $0 }
            return NIOLoopBound(further, eventLoop: loop)
        }.get()
        try await eventually("an answer") { try await on(fixture) { _ in further.value.answer != nil } }
        try await on(fixture) { fixture in
            #expect(fixture.peers.connected.map(\.key.app) == [Self.viewer])
            fixture.peers.closed(further.value)
            #expect(fixture.peers.connected.map(\.connections) == [1])
            fixture.peers.closed(fixture.client)
            #expect(fixture.peers.connected.isEmpty && fixture.peers.apps.isEmpty)
            // Attack: the app's last connection is closed, and a process in the background connects within ten seconds:
            // the app keeps the full accuracy that it has for now. So the first connection is reported too.
            #expect(fixture.connectionCounts == [1, 2, 1])
            fixture.peers.stop()
        }
        withExtendedLifetime(program) {}
    }

    @Test func theAppIsThatOfTheHolders() async throws {
        let (program, process) = try sleeping()
        let fixture = try await fixture([process])
        let pid = program.processIdentifier
        try await on(fixture) { fixture in
            let app = try #require(try? fixture.client.answer?.get())
            #expect(app.key == AppKey(uid: geteuid(), app: Self.viewer))
            #expect(app.connections == 1)
            #expect(app.fronts.map(\.name) == ["sockets"])
            #expect(fixture.peers.processes(of: fixture.client) == [pid])
            #expect(fixture.peers.processID(of: fixture.client) == pid)
            #expect(fixture.peers.executable(pid) == "/usr/bin/viewer")
            #expect(fixture.peers.isRunning(fixture.client))
            #expect(!fixture.client.isClosed)
            fixture.peers.closed(fixture.client)
            #expect(fixture.forgotten == [pid])
            #expect(fixture.peers.apps.isEmpty)
            #expect(app.fronts.isEmpty)
            fixture.peers.stop()
        }
    }

    /// Attack: an app passes its socket to another process, which reads on in its name, and ends.
    @Test func theConnectionEndsWithTheLastHolder() async throws {
        let (first, firstProcess) = try sleeping()
        let (second, secondProcess) = try sleeping()
        let fixture = try await fixture([firstProcess, secondProcess])
        first.signal(SIGKILL)
        let rest = [second.processIdentifier]
        try await eventually("the end of the first") {
            try await on(fixture) { $0.peers.processes(of: $0.client) == rest }
        }
        #expect(try await on(fixture) { $0.peers.isRunning($0.client) && !$0.client.isClosed })
        second.signal(SIGKILL)
        try await eventually("the end of the connection") { try await on(fixture) { $0.client.isClosed } }
        #expect(try await on(fixture) { !$0.peers.isRunning($0.client) })
        try await stop(fixture)
    }

    /// Attack: the process ends, and a request that it left behind is handled before its end is noticed.
    @Test func noRequestIsHandledAfterTheEnd() async throws {
        let (program, process) = try sleeping()
        let fixture = try await fixture([process])
        try await on(fixture) { fixture in
            // On the loop: the notice of the end waits behind this.
            program.signal(SIGKILL)
            #expect(program.waitUntilEnd() != nil)
            #expect(!fixture.peers.isRunning(fixture.client))
            #expect(fixture.client.isClosed)
        }
        try await stop(fixture)
    }

    /// Attack: the socket is closed while its holders are looked for, and its number is that of another socket now.
    @Test func aSocketThatIsClosedMeanwhile() async throws {
        let (program, process) = try sleeping()
        defer { withExtendedLifetime(program) {} }
        let owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        pair.closeApp()
        let fixture = try await loop.submit { [loop] in
            NIOLoopBound(try Fixture(owner, [process], Limits(), on: loop), eventLoop: loop)
        }.get()
        try await eventually("an answer") { try await on(fixture) { $0.client.answer != nil } }
        try await on(fixture) { fixture in
            #expect(throws: AdmissionRefusal.permissionDenied) { try fixture.client.answer?.get() }
            #expect(fixture.peers.refused == 1)
            #expect(fixture.peers.apps.isEmpty)
        }
        try await stop(fixture)
    }

    /// Attack: a user's few connections are held by so many processes that the daemon watches more of them than the
    /// user may have connections.
    @Test func holdersCountForTheirUser() async throws {
        let programs = try (0..<3).map { _ in try sleeping() }
        defer { withExtendedLifetime(programs) {} }
        var limits = Limits()
        limits.connectionsPerUser = 3
        let served = try await fixture(programs.map(\.1), limits)
        #expect(try await on(served) { (try? $0.client.answer?.get()) != nil })
        try await stop(served)
        limits.connectionsPerUser = 2
        let refused = try await fixture(programs.map(\.1), limits)
        try await on(refused) { fixture in
            #expect(throws: AdmissionRefusal.limitExceeded("connectionsPerUser")) { try fixture.client.answer?.get() }
            #expect(fixture.peers.processes(of: fixture.client).isEmpty)
            #expect(fixture.peers.refused == 1)
        }
        try await stop(refused)
    }

    /// Attack: the process ends at once, and nobody is there to be watched.
    @Test func holdersThatHaveEnded() async throws {
        let (program, process) = try sleeping()
        program.signal(SIGKILL)
        _ = try await program.end()
        let fixture = try await fixture([process])
        try await on(fixture) { fixture in
            #expect(throws: AdmissionRefusal.permissionDenied) { try fixture.client.answer?.get() }
            #expect(fixture.peers.processes(of: fixture.client).isEmpty)
            #expect(!fixture.peers.isRunning(fixture.client))
        }
        try await stop(fixture)
    }

    /// Connections of two fronts, by one process, are one app's and end together.
    @Test func aProcessWithConnectionsThroughTwoFronts() async throws {
        let (program, process) = try sleeping()
        let fixture = try await fixture([process])
        let pid = program.processIdentifier
        let other = try await loop.submit { [loop] in
            let client = ProcessClient(pid)
            try fixture.value.peers.admit(client) { _ in }
            return NIOLoopBound(client, eventLoop: loop)
        }.get()
        try await eventually("both fronts") {
            try await on(fixture) { $0.peers.apps.values.first?.fronts.map(\.name) == ["sockets", "processes"] }
        }
        try await on(fixture) { #expect($0.peers.apps.values.first?.connections == 2) }
        program.signal(SIGKILL)
        try await eventually("the end of both") {
            try await on(fixture) { $0.client.isClosed && other.value.isClosed }
        }
        try await on(fixture) { $0.peers.closed(other.value) }
        try await stop(fixture)
    }

    /// Attack: a process in the background shares its socket with one in front of its user, to pass for it.
    @Test func aConditionHoldsForAllHolders() async throws {
        let (first, firstProcess) = try sleeping()
        let (second, secondProcess) = try sleeping()
        let fixture = try await fixture([firstProcess, secondProcess])
        let pid = first.processIdentifier
        defer { withExtendedLifetime((first, second)) {} }
        try await on(fixture) { fixture in
            #expect(fixture.peers.areAll(of: fixture.client) { _, _ in true })
            #expect(!fixture.peers.areAll(of: fixture.client) { $1 == pid })
            fixture.peers.closed(fixture.client)
            #expect(!fixture.peers.areAll(of: fixture.client) { _, _ in true }, "nobody is known")
            fixture.peers.stop()
        }
    }
}
