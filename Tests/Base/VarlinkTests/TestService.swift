import Glibc
import Linux
import NIOCore
import NIOPosix
import Varlink

/// A service with an actor on the event loop as its state, like the daemon's.
final actor TestService {
    static let definition = """
        # For tests.
        interface org.example.test

        # How loud.
        type Level (quiet, loud)

        type Place (latitude: float, longitude: float, name: ?string)

        # Says it back.
        method Echo(text: string) -> (text: string)
        method Add(a: int, b: int) -> (sum: int)
        method Locate(place: Place, level: ?Level, tags: []string, extra: [string]int) -> (place: Place)
        # Counts up to `count`, without end when it is absent; needs more.
        method Count(count: ?int) -> (number: int)
        # Replies when Release is called, on whatever connection.
        method Wait() -> (released: int)
        method Release() -> ()
        method Forbidden() -> ()
        method Whoami() -> (pid: int, uid: int, gid: int, alive: ?bool)
        method NotThere() -> ()

        error Custom (reason: string, code: int)
        method Fail() -> ()

        """

    struct Text: Codable, Sendable, Equatable { var text: String }
    struct Sum: Codable, Sendable { var sum: Int }
    struct Terms: Codable, Sendable { var a: Int, b: Int }
    struct Place: Codable, Sendable, Equatable { var latitude: Double, longitude: Double, name: String? }
    struct Location: Codable, Sendable { var place: Place, level: String?, tags: [String], extra: [String: Int] }
    struct Located: Codable, Sendable { var place: Place }
    struct Limit: Codable, Sendable { var count: Int? }
    struct Number: Codable, Sendable, Equatable { var number: Int }
    struct Released: Codable, Sendable { var released: Int }
    struct Identity: Codable, Sendable { var pid: Int32, uid: UInt32, gid: UInt32, alive: Bool? }

    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var server: VarlinkServer!
    private var waiting: [AnyCall] = []
    private var streams: [ObjectIdentifier: AnyCall] = [:]
    /// The numbers of calls that ended and of connections that closed, counted by the callbacks.
    private(set) var endedCalls = 0
    private(set) var closedConnections = 0
    private(set) var sums: [Int] = []
    private(set) var processes: [ProcessDescriptor] = []
    var refusal: VarlinkError?

    init(eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()) {
        self.eventLoop = eventLoop
    }

    func start(limits: VarlinkServer.Limits = .init(), refusal: VarlinkError? = nil) {
        self.refusal = refusal
        let interface = VarlinkService.Interface(
            try! InterfaceDescription(parsing: Self.definition),
            handlers: [
                "Echo": { (call) throws(VarlinkError) in call.reply(try call.parameters(as: Text.self)) },
                "Add": { [unowned self] (call) throws(VarlinkError) in
                    let terms = try call.parameters(as: Terms.self)
                    let (sum, overflow) = terms.a.addingReportingOverflow(terms.b)
                    guard !overflow else { throw .invalidParameter("b") }
                    sums.append(sum)
                    call.reply(Sum(sum: sum))
                },
                "Locate": { (call) throws(VarlinkError) in
                    call.reply(Located(place: try call.parameters(as: Location.self).place))
                },
                "Count": { (call) throws(VarlinkError) in try self.count(call) },
                "Wait": { [unowned self] call in
                    onEnd(of: call) { $0.endedCalls += 1 }
                    waiting.append(call)
                },
                "Release": { [unowned self] call in
                    for waiter in waiting { waiter.reply(Released(released: waiting.count)) }
                    waiting = []
                    call.reply(Nothing())
                },
                "Forbidden": { (_) throws(VarlinkError) in throw .permissionDenied },
                "Fail": { (_) throws(VarlinkError) in
                    throw VarlinkError("org.example.test.Custom", parameters: ["reason": "it does", "code": 7])
                },
                "Whoami": { call in
                    let peer = call.connection.peer
                    if let process = peer.pidfd { self.processes.append(process) }
                    call.reply(
                        Identity(pid: peer.pid, uid: peer.uid, gid: peer.gid, alive: peer.pidfd?.isAlive))
                },
            ])
        let service = VarlinkService(
            vendor: "Example", product: "Test", version: "1", url: "https://example.org", interfaces: [interface])
        server = VarlinkServer(service: service, on: eventLoop, limits: limits)
        server.onClosed = { [unowned self] _ in closedConnections += 1 }
        server.accept = { [unowned self] (_) throws(VarlinkError) in
            if let refusal = self.refusal { throw refusal }
            return .admitted
        }
    }

    /// Listens in a folder of its own and runs `body` with the socket's path.
    static func serving<Result: Sendable>(
        limits: VarlinkServer.Limits = .init(), refusal: VarlinkError? = nil,
        _ body: (TestService, String) async throws -> Result
    ) async throws -> Result {
        try await withTemporaryDirectory { directory in
            let service = TestService()
            await service.start(limits: limits, refusal: refusal)
            let path = "\(directory)/socket"
            try await service.listen(path: path)
            let result: Result
            do {
                result = try await body(service, path)
            } catch {
                try await service.stop()
                throw error
            }
            try await service.stop()
            return result
        }
    }

    func listen(path: String, mode: mode_t = 0o600) async throws {
        try await server.listen(path: path, mode: mode).get()
    }

    func listen(descriptor: CInt) async throws {
        try await server.listen(descriptor: descriptor).get()
    }

    func stop() async throws {
        try await server.close().get()
    }

    var connectionCount: Int { server.connectionCount }

    private nonisolated func onEnd(
        of call: AnyCall, _ body: @escaping @Sendable (isolated TestService) -> Void
    ) {
        call.whenEnded { self.assumeIsolated(body) }
    }

    private func count(_ call: AnyCall) throws(VarlinkError) {
        try call.requireMore()
        let limit = try call.parameters(as: Limit.self)
        guard let count = limit.count else {
            let id = ObjectIdentifier(call)
            streams[id] = call
            onEnd(of: call) { service in
                service.endedCalls += 1
                service.streams[id] = nil
            }
            return call.reply(Number(number: 0), continues: true)
        }
        for number in 1..<max(count, 1) { call.reply(Number(number: number), continues: true) }
        call.reply(Number(number: count))
    }

    private struct PaddedNumber: Encodable {
        let number: Int64
        let padding: String?
    }

    /// Offers `number`, padded to `size` bytes, to every endless stream.
    func offer(_ number: Int64, size: Int = 0) {
        let padded = PaddedNumber(number: number, padding: size > 0 ? String(repeating: "x", count: size) : nil)
        guard let frame = try? Frame.reply(parameters: padded, continues: true) else { return }
        for stream in streams.values { stream.offer(frame: frame) }
    }

    func end(with error: VarlinkError) {
        for stream in streams.values { stream.fail(error) }
    }

    var waitingCount: Int { waiting.count }

    var replaced: [Int] { streams.values.map(\.connection.replacedUpdates) }
}
