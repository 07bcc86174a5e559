import Bus
import EventLoopSupport
import LocationCore
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import PolkitAuthority

/// The questions to polkit on a real bus, which dbus-daemon runs. polkit is a fake.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct PolkitAuthorityTests {
    private let folder: TemporaryFolder
    private let log = RecordedLines()
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let parts: NIOLoopBound<Parts>

    /// The parts that are confined to the loop.
    private final class Parts {
        let bus: Bus
        let authority: PolkitAuthority
        let poller: DescriptorPoller
        var polkit: FakePolkit?
        var verdicts: [ManagementVerdict] = []
        /// A Boolean value indicating whether each answer brings a further question.
        var asksAgain = false

        init(_ address: String, _ log: RecordedLines, on loop: any EventLoop) throws {
            poller = try DescriptorPoller(on: loop)
            bus = Bus(address: address, poller: poller, on: loop)
            authority = PolkitAuthority(bus, on: loop, log: Logger(label: "test") { _ in LineHandler(lines: log) })
        }

        @discardableResult func ask(
            _ permission: ManagementPermission = .manage, mayAskUser: Bool = true
        ) -> UInt64 {
            let process = ManagingProcess(pid: 77, startTime: 12345, uid: .max)
            return authority.ask(permission, for: process, mayAskUser: mayAskUser) { [self] in
                verdicts.append($0)
                if asksAgain { ask() }
            }
        }

        func stop() {
            authority.stop()
            bus.stop()
            polkit?.bus.stop()
            poller.stop()
        }
    }

    init() async throws {
        let (folder, loop, log) = (try TemporaryFolder(), loop, log)
        self.folder = folder
        parts = try await loop.submit {
            NIOLoopBound(try Parts("unix:path=\(folder.path)/bus", log, on: loop), eventLoop: loop)
        }.get()
    }

    private func on<Value: Sendable>(
        _ body: @escaping @Sendable (Parts) throws -> Value
    ) async throws -> Value {
        try await loop.submit { [parts] in try body(parts.value) }.get()
    }

    /// Starts the fake and waits until it has its name.
    private func startPolkit(_ answers: [FakePolkit.Answer]) async throws {
        let address = "unix:path=\(folder.path)/bus"
        try await on { [loop] in $0.polkit = FakePolkit(address, $0.poller, answers, on: loop) }
        try await eventually("the name") { try await on { $0.polkit?.isReady == true } }
    }

    private func verdicts(_ count: Int) async throws -> [ManagementVerdict] {
        try await eventually("\(count) answers") { try await on { $0.verdicts.count } == count }
        return try await on { $0.verdicts }
    }

    @Test(
        arguments: [
            (.answered(isAuthorized: true, isChallenge: false), .authorized),
            (.answered(isAuthorized: false, isChallenge: false), .refused),
            (.answered(isAuthorized: false, isChallenge: true), .authenticationNeeded),
            (.failed, .unavailable), (.unreadable, .unavailable),
        ] as [(FakePolkit.Answer, ManagementVerdict)])
    fileprivate func theAnswerIsPolkits(answer: FakePolkit.Answer, verdict: ManagementVerdict) async throws {
        let bus = try await PrivateBus(in: folder)
        try await startPolkit([answer])
        _ = try await on { $0.ask() }
        #expect(try await verdicts(1) == [verdict])
        #expect(try await on { $0.polkit?.signatures } == ["(sa{sv})sa{ss}us"])
        try await on { $0.stop() }
        try await bus.stop()
    }

    /// Simultaneous questions share one connection. Nothing is left of it afterwards, and the next question
    /// makes another one.
    @Test func thereIsAConnectionWhileThereAreQuestions() async throws {
        let bus = try await PrivateBus(in: folder)
        try await startPolkit([])
        for round in 1...3 {
            try await on { parts in for _ in 0..<5 { parts.ask() } }
            #expect(try await verdicts(5 * round).allSatisfy { $0 == .authorized })
            try await eventually("the end of the connection") { try await on { !$0.bus.connection.isOpen } }
        }
        #expect(try await on { $0.polkit.map { Set($0.senders).count } } == 3)
        try await on { $0.stop() }
        try await bus.stop()
    }

    /// A caller who has gone: polkit closes the dialog.
    @Test func aQuestionThatIsWithdrawnIsCancelled() async throws {
        let bus = try await PrivateBus(in: folder)
        try await startPolkit([.none])
        let first = try await on { $0.ask() }
        try await eventually("the question") { try await on { $0.polkit?.signatures.count } == 1 }
        // Another one keeps the connection open.
        try await on { parts in
            parts.ask()
            parts.authority.withdraw(first)
        }
        #expect(try await verdicts(1) == [.authorized])
        try await eventually("the cancellation") { try await on { $0.polkit?.cancelled } == ["locationd-1"] }
        try await on { $0.stop() }
        try await bus.stop()
    }

    @Test func thereIsNoBus() async throws {
        for count in 1...20 {
            _ = try await on { $0.ask() }
            #expect(try await verdicts(count).last == .unavailable)
        }
        try await eventually("the end") { try await on { !$0.bus.connection.isOpen } }
        // Attack: a user asks without end, to fill the log.
        #expect(log.all.count == 1, "\(log.all)")
        try await on { $0.stop() }
    }

    @Test func thereIsNoPolkit() async throws {
        let bus = try await PrivateBus(in: folder)
        for count in 1...5 {
            _ = try await on { $0.ask() }
            #expect(try await verdicts(count).last == .unavailable)
        }
        #expect(log.all.count == 1, "\(log.all)")
        #expect(log.all.first?.contains("polkit is not available") == true)
        try await on { $0.stop() }
        try await bus.stop()
    }

    /// Attack: a user asks without end while polkit is away for a moment, so that the connection to the bus never ends.
    /// A question asked once polkit is back gets an answer.
    @Test(arguments: [true, false]) func polkitIsAwayDuringAFlood(wasKnown: Bool) async throws {
        let bus = try await PrivateBus(in: folder)
        if wasKnown { try await startPolkit([]) }
        // Each answer brings the next question at once.
        try await on { parts in
            parts.asksAgain = true
            parts.ask()
        }
        if wasKnown {
            try await eventually("answers of polkit's") { try await on { $0.verdicts.last == .authorized } }
            try await on { $0.polkit?.bus.stop() }
        }
        try await eventually("answers without polkit") { try await on { $0.verdicts.last == .unavailable } }
        #expect(try await on { $0.bus.connection.isOpen })
        try await startPolkit([])
        try await eventually("answers of polkit's again") { try await on { $0.verdicts.last == .authorized } }
        try await on { $0.asksAgain = false }
        try await eventually("the end of the connection") { try await on { !$0.bus.connection.isOpen } }
        try await on { $0.stop() }
        try await bus.stop()
    }

    @Test func aBusThatEndsEndsTheQuestions() async throws {
        let bus = try await PrivateBus(in: folder)
        try await startPolkit([.none])
        _ = try await on { $0.ask() }
        try await eventually("the question") { try await on { $0.polkit?.signatures.count } == 1 }
        try await bus.stop()
        #expect(try await verdicts(1) == [.unavailable])
        try await on { $0.stop() }
    }
}

/// A service with polkit's name. Confined to the event loop.
private final class FakePolkit: BusConnectionDelegate {
    enum Answer {
        case answered(isAuthorized: Bool, isChallenge: Bool)
        case failed, unreadable, none
    }

    let bus: BusConnection
    private(set) var isReady = false
    /// The signatures and the senders of the questions, in their order.
    private(set) var signatures: [String] = []
    private(set) var senders: [String] = []
    private(set) var cancelled: [String] = []
    /// The answers to the next questions. Then everything is authorized.
    private var answers: [Answer]

    init(_ address: String, _ poller: DescriptorPoller, _ answers: [Answer], on loop: any EventLoop) {
        self.answers = answers
        bus = BusConnection(address: address, reading: ["s"], poller: poller, on: loop)
        bus.delegate = self
        bus.start()
    }

    func connected() {
        bus.call("RequestName", [.string(PolkitAuthority.serviceName), .uint32(0)]) { [self] _ in isReady = true }
    }

    func disconnected(_ reason: String?) { isReady = false }

    func receive(_ signal: BusMessage) {}

    func receive(_ call: IncomingCall) {
        if call.call.member == "CancelCheckAuthorization" {
            if case .string(let id)? = call.call.arguments.first { cancelled.append(id) }
            bus.reply(to: call, [])
            return
        }
        signatures.append(call.call.signature)
        senders.append(call.sender)
        switch answers.isEmpty ? .answered(isAuthorized: true, isChallenge: false) : answers.removeFirst() {
        case .answered(let isAuthorized, let isChallenge):
            bus.reply(to: call, [.structure([.boolean(isAuthorized), .boolean(isChallenge), .texts(["a": "b"])])])
        case .failed: bus.reply(to: call, BusError(.failed, "no such action"))
        case .unreadable: bus.reply(to: call, [.boolean(true)])
        case .none: break
        }
    }
}

/// Keeps the messages of a log.
private struct LineHandler: LogHandler {
    let lines: RecordedLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add("\(event.message)") }
}
