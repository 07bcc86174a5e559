import AuthorizationPolicy
import CLinux
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

/// Who may manage: the clients of the management socket, and the questions about them.
@Suite(.timeLimit(.minutes(15))) struct ManagersTests {
    /// A process of a user that is neither root nor the daemon's.
    private final class ManagingClient: Client {
        let front = Front(name: "test")
        let evidence = PeerEvidence.process
        let pid: Int32
        let uid: UInt32
        private(set) var isClosed = false

        init(_ pid: Int32, uid: UInt32 = 4711) {
            self.pid = pid
            self.uid = uid
        }

        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor {
            let descriptor = process_open(pid)
            guard descriptor >= 0 else { throw .processGone }
            return ProcessDescriptor(owning: descriptor)
        }
        func close() { isClosed = true }
    }

    /// Says that every process is a certain app.
    private struct OneApp: PeerIdentifying {
        let app: AppIdentity
        var startTime: UInt64? = 12345
        var isConfined = false

        func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity { app }
        func holders(of sockets: [SocketOrigin], uid: uid_t) throws(IdentityRefusal) -> [SocketHolders.Outcome] { [] }
        func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner? { nil }
        func executable(of process: ProcessDescriptor) -> String? { nil }
        func startTime(of process: ProcessDescriptor) -> UInt64? { startTime }
        func isConfined(_ process: ProcessDescriptor) -> Bool { isConfined }
        func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal) {}
    }

    /// Keeps the questions until the test answers them.
    private final class Authority: ManagementAuthority {
        private(set) var asked: [ManagingProcess] = []
        private(set) var withdrawn: [UInt64] = []
        private var bodies: [(ManagementVerdict) -> Void] = []

        func ask(
            _ permission: ManagementPermission, for process: ManagingProcess, mayAskUser: Bool,
            _ body: @escaping (ManagementVerdict) -> Void
        ) -> UInt64 {
            asked.append(process)
            bodies.append(body)
            return UInt64(asked.count)
        }

        func withdraw(_ question: UInt64) { withdrawn.append(question) }

        func answer(_ number: Int, _ verdict: ManagementVerdict) { bodies[number - 1](verdict) }
    }

    private final class Fixture {
        let managers: Managers
        let authority = Authority()
        var clients: [ManagingClient] = []
        /// The outcomes of the admissions: `nil` for a client that is admitted.
        var admissions: [AdmissionRefusal?] = []
        /// The outcomes of the calls, by client: `nil` for one that is authorized.
        var outcomes: [Int: [ManagementRefusal?]] = [:]

        init(_ identifier: OneApp, timeout: TimeAmount, on loop: any EventLoop) {
            managers = Managers(
                lookups: PeerLookups(identifier, on: loop), sharedLimit: SharedConnectionLimit(),
                questionTimeout: timeout,
                on: loop, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            managers.authority = authority
        }

        func admit(_ client: ManagingClient, isMember: Bool) throws {
            clients.append(client)
            try managers.admit(client, isMember: isMember) { [self] in admissions.append($0) }
        }

        func call(_ client: Int) {
            managers.authorize(.manage, for: clients[client]) { [self] in outcomes[client, default: []].append($0) }
        }

        func stop() {
            for client in clients { managers.closed(client) }
            managers.stop()
        }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let program: RunningProgram

    init() throws { program = try RunningProgram("/bin/sleep", ["infinity"]) }

    private func fixture(
        _ app: String = "exe:/usr/bin/locationctl", startTime: UInt64? = 12345, isConfined: Bool = false,
        timeout: TimeAmount = .minutes(10)
    ) async throws -> NIOLoopBound<Fixture> {
        let identifier = OneApp(app: AppIdentity(app)!, startTime: startTime, isConfined: isConfined)
        return try await loop.submit { [loop] in
            NIOLoopBound(Fixture(identifier, timeout: timeout, on: loop), eventLoop: loop)
        }.get()
    }

    private func on<Value: Sendable>(
        _ fixture: NIOLoopBound<Fixture>, _ body: @escaping @Sendable (Fixture) throws -> Value
    ) async throws -> Value {
        try await loop.submit { try body(fixture.value) }.get()
    }

    /// Has clients admitted that are the program, and waits until all are.
    private func admit(
        _ count: Int, isMember: Bool = false, uids: [UInt32] = [4711], in fixture: NIOLoopBound<Fixture>
    ) async throws {
        let pid = program.processIdentifier
        let before = try await on(fixture) { $0.clients.count }
        try await on(fixture) { fixture in
            for index in 0..<count {
                try fixture.admit(ManagingClient(pid, uid: uids[index % uids.count]), isMember: isMember)
            }
        }
        try await eventually("the admissions") { try await on(fixture) { $0.admissions.count } == before + count }
    }

    private func ask(_ client: Int, in fixture: NIOLoopBound<Fixture>) async throws {
        let before = try await on(fixture) { $0.authority.asked.count }
        try await on(fixture) { $0.call(client) }
        try await eventually("the question") { try await on(fixture) { $0.authority.asked.count } == before + 1 }
    }

    private func outcomes(_ client: Int, in fixture: NIOLoopBound<Fixture>) async throws -> [ManagementRefusal?] {
        try await on(fixture) { $0.outcomes[client] ?? [] }
    }

    /// Attack: an app in a sandbox that leaves no name was given the socket, and answers its own prompt.
    @Test(arguments: [true, false]) func aSandboxOfAnyKindIsRefused(isMember: Bool) async throws {
        let fixture = try await fixture("app:org.example.Sandboxed", isConfined: true)
        try await admit(1, isMember: isMember, in: fixture)
        #expect(try await on(fixture) { $0.admissions } == [.permissionDenied])
        #expect(try await on(fixture) { $0.authority.asked.isEmpty })
        try await on(fixture) { $0.stop() }
    }

    @Test func aMemberIsNotAsked() async throws {
        let fixture = try await fixture()
        try await admit(1, isMember: true, in: fixture)
        try await on(fixture) { fixture in
            fixture.call(0)
            #expect(fixture.outcomes[0] == [nil])
            #expect(fixture.authority.asked.isEmpty && fixture.managers.isManager(fixture.clients[0]))
            fixture.stop()
        }
    }

    @Test func everybodyElseIsAskedAtEachCall() async throws {
        let fixture = try await fixture()
        try await admit(1, in: fixture)
        for (number, verdict) in [ManagementVerdict.authorized, .refused, .authenticationNeeded, .unavailable]
            .enumerated()
        {
            try await ask(0, in: fixture)
            try await on(fixture) { $0.authority.answer(number + 1, verdict) }
        }
        #expect(try await outcomes(0, in: fixture) == [nil, .refused, .authenticationNeeded, .unavailable])
        let process = ManagingProcess(pid: program.processIdentifier, startTime: 12345, uid: 4711)
        #expect(try await on(fixture) { $0.authority.asked } == Array(repeating: process, count: 4))
        #expect(try await on(fixture) { !$0.managers.isManager($0.clients[0]) })
        try await on(fixture) { $0.stop() }
    }

    /// Attack: an app in a sandbox asks, and the user takes the question for another one's.
    @Test(arguments: ["flatpak:org.example.App", "snap:example"])
    func nobodyIsAskedAboutASandbox(app: String) async throws {
        let fixture = try await fixture(app)
        try await admit(1, in: fixture)
        try await on(fixture) { fixture in
            #expect(fixture.admissions == [.permissionDenied])
            fixture.call(0)
            #expect(fixture.outcomes[0] == [.refused] && fixture.authority.asked.isEmpty)
            fixture.stop()
        }
    }

    /// Attack: the process ends while polkit thinks, and its id passes to one that is authorized.
    @Test func aProcessThatEndsMeanwhileIsRefused() async throws {
        let fixture = try await fixture()
        try await admit(1, in: fixture)
        try await ask(0, in: fixture)
        program.signal(SIGKILL)
        _ = try await program.end()
        try await on(fixture) { $0.authority.answer(1, .authorized) }
        #expect(try await outcomes(0, in: fixture) == [.refused])
        // It left its connection to a child.
        try await on(fixture) { $0.call(0) }
        #expect(try await outcomes(0, in: fixture) == [.refused, .refused])
        #expect(try await on(fixture) { $0.authority.asked.count } == 1)
        try await on(fixture) { $0.stop() }
    }

    /// The process has ended before its start time could be read.
    @Test func aProcessWithoutAStartTimeIsRefused() async throws {
        let fixture = try await fixture(startTime: nil)
        try await admit(1, in: fixture)
        try await on(fixture) { $0.call(0) }
        try await eventually("the answer") { try await outcomes(0, in: fixture) == [.refused] }
        #expect(try await on(fixture) { $0.authority.asked.isEmpty })
        try await on(fixture) { $0.stop() }
    }

    /// Attack: polkit never answers, and the caller waits, or holds its place, for ever.
    @Test func aQuestionThatIsNeverAnswered() async throws {
        let fixture = try await fixture(timeout: .milliseconds(20))
        try await admit(1, in: fixture)
        for count in 1...QuestionQuota.maximumCountPerUser + 1 {
            try await on(fixture) { $0.call(0) }
            try await eventually("the timeout") { try await outcomes(0, in: fixture).count == count }
        }
        #expect(try await outcomes(0, in: fixture).allSatisfy { $0 == .unavailable })
        let (asked, withdrawn) = try await on(fixture) { ($0.authority.asked.count, $0.authority.withdrawn.count) }
        #expect(asked == withdrawn)
        // An answer that comes too late is not one to the next call.
        try await on(fixture) { if !$0.authority.asked.isEmpty { $0.authority.answer(1, .authorized) } }
        #expect(try await outcomes(0, in: fixture).count == QuestionQuota.maximumCountPerUser + 1)
        try await on(fixture) { $0.stop() }
    }

    /// Attack: a user asks from many connections at once, so that nobody else is asked about.
    @Test func aFloodOfQuestions() async throws {
        let fixture = try await fixture()
        let (most, all) = (QuestionQuota.maximumCountPerUser, QuestionQuota.maximumCount)
        try await admit(most + 1, in: fixture)
        for client in 0..<most { try await ask(client, in: fixture) }
        try await on(fixture) { $0.call(most) }
        #expect(try await outcomes(most, in: fixture) == [.limitExceeded("questionsPerUser")])
        // Other users are asked about, up to what the bus bears.
        let others = (0..<UInt32(all)).map { 5000 + $0 }
        try await admit(all, uids: others, in: fixture)
        for client in 0..<all - most { try await ask(most + 1 + client, in: fixture) }
        try await on(fixture) { $0.call(most + all) }
        #expect(try await outcomes(most + all, in: fixture) == [.limitExceeded("questions")])
        // A connection that is closed makes room.
        try await on(fixture) { $0.managers.closed($0.clients[0]) }
        #expect(try await on(fixture) { $0.authority.withdrawn } == [1])
        try await ask(most + all, in: fixture)
        try await on(fixture) { fixture in
            fixture.clients = Array(fixture.clients.dropFirst())
            fixture.stop()
        }
    }

    @Test func withoutAnAuthorityNobodyElseManages() async throws {
        let fixture = try await fixture()
        try await on(fixture) { $0.managers.authority = nil }
        try await admit(1, in: fixture)
        try await on(fixture) { $0.call(0) }
        #expect(try await outcomes(0, in: fixture) == [.unavailable])
        try await on(fixture) { $0.stop() }
    }
}

@Suite struct QuestionQuotaTests {
    private var quota = QuestionQuota()

    /// Enters a question. Returns the reason for a refusal.
    private mutating func enter(_ user: UInt32) -> ManagementRefusal? {
        do throws(ManagementRefusal) {
            try quota.enter(user)
            return nil
        } catch {
            return error
        }
    }

    @Test mutating func eachUserHasSome() {
        for _ in 0..<QuestionQuota.maximumCountPerUser { #expect(enter(1) == nil) }
        #expect(enter(1) == .limitExceeded("questionsPerUser"))
        #expect(enter(2) == nil)
        quota.leave(1)
        #expect(enter(1) == nil)
        #expect(quota.count == QuestionQuota.maximumCountPerUser + 1)
    }

    /// Attack: eight users ask as often as each may, and nobody else is asked about.
    @Test mutating func severalUsersLeaveRoom() {
        for user in 0..<UInt32(8) { while enter(user) == nil {} }
        #expect(quota.count <= QuestionQuota.maximumCount - 8)
        for user in 8..<UInt32(16) { #expect(enter(user) == nil) }
    }

    @Test mutating func thereIsRoomForSomeUsers() {
        for number in 0..<QuestionQuota.maximumCount { #expect(enter(UInt32(number)) == nil) }
        #expect(enter(.max) == .limitExceeded("questions"))
        for number in 0..<QuestionQuota.maximumCount { quota.leave(UInt32(number)) }
        #expect(quota.count == 0)
        #expect(enter(.max) == nil)
    }
}
