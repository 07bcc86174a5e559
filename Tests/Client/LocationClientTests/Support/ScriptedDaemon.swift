import Glibc
import LocationModel
import LocationProtocol
import NIOCore
import NIOPosix
import TestSupport
import Varlink

/// A daemon whose replies a test determines. Calls without a prepared reply stay open.
final class ScriptedDaemon: Sendable {
    private static let loop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    private struct State {
        var server: VarlinkServer?
        var answers: [String: JSONValue]
        var errors: [String: VarlinkError] = [:]
        var refusal: VarlinkError?
        var authorization = JSONValue.authorization("authorizedAlways")
        var open: [(method: String, call: AnyCall)] = []
        var asked: [(method: String, parameters: JSONValue)] = []
    }

    var runtime: String { folder.path }
    private let folder: TemporaryFolder
    private let state: NIOLoopBoundBox<State>

    /// - Parameter answers: The parameters of the reply, by the method's name.
    init(_ answers: [String: JSONValue] = [:], starts: Bool = true) async throws {
        folder = try TemporaryFolder()
        state = NIOLoopBoundBox.makeBoxSendingValue(State(answers: answers), eventLoop: Self.loop)
        if starts { try await start() }
    }

    deinit {
        let (state, folder) = (state, folder)
        Self.loop.execute {
            _ = state.value.server?.close()
            withExtendedLifetime(folder) {}
        }
    }

    func start() async throws {
        try await Self.loop.flatSubmit { [self] in
            Self.loop.makeCompletedFuture { try listen() }.flatMap { $0 }
        }.get()
    }

    func stop() async throws {
        try await Self.loop.flatSubmit { [self] in
            state.value.open = []
            let server = state.value.server
            state.value.server = nil
            return server?.close() ?? Self.loop.makeSucceededVoidFuture()
        }.get()
    }

    // MARK: Replies

    func authorize(_ status: String, services: Bool = true) async throws {
        try await change { $0.authorization = .authorization(status, services: services) }
    }

    /// Fails every further call of a method.
    func fail(_ method: String, with error: VarlinkError) async throws {
        try await change { $0.errors[method] = error }
    }

    /// Refuses every further connection.
    func refuse(with error: VarlinkError) async throws {
        try await change { $0.refusal = error }
    }

    /// Sends replies to each open call of a method.
    func send(_ method: String, _ replies: JSONValue..., last: Bool = false) async throws {
        try await change { state in
            for open in state.open where open.method == method {
                for reply in replies.dropLast() { open.call.reply(reply, continues: true) }
                if let reply = replies.last { open.call.reply(reply, continues: !last) }
            }
        }
    }

    /// Offers updates as the daemon does: a newer update replaces one that has not been sent. Returns how many were
    /// replaced.
    func offer(_ method: String, _ replies: [JSONValue]) async throws -> Int {
        let frames = try replies.map { try Frame.reply(parameters: $0, continues: true) }
        return try await change { state in
            let calls = state.open.filter { $0.method == method }.map(\.call)
            for call in calls { for frame in frames { call.offer(frame: frame) } }
            return calls.reduce(0) { $0 + $1.connection.replacedUpdates }
        }
    }

    /// Ends each open call of a method with an error.
    func end(_ method: String, with error: VarlinkError) async throws {
        try await change { state in
            for open in state.open where open.method == method { open.call.fail(error) }
        }
    }

    // MARK: Calls

    /// Returns the parameters of each call of a method.
    func asked(_ method: String) async throws -> [JSONValue] {
        try await change { state in state.asked.filter { $0.method == method }.map(\.parameters) }
    }

    func connections() async throws -> Int {
        try await change { $0.server?.connectionCount ?? 0 }
    }

    /// Waits until exactly this many calls of a method are open.
    func waitUntilOpen(_ method: String, _ count: Int = 1) async throws {
        try await eventually("\(count) open calls of \(method)") {
            try await change { state in
                state.open.filter { $0.method == method && !$0.call.isEnded }.count == count
            }
        }
    }

    func waitUntilConnections(_ count: Int) async throws {
        try await eventually("\(count) connections") { try await connections() == count }
    }

    private func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout State) -> Result
    ) async throws -> Result {
        try await Self.loop.submit { [state] in body(&state.value) }.get()
    }

    // MARK: Serving

    private func listen() throws -> EventLoopFuture<Void> {
        let description = try InterfaceDescription(parsing: LocationInterface.definition)
        let handlers = Dictionary(
            uniqueKeysWithValues: description.methods.map { method in
                (
                    method.name,
                    { [weak self] (call: AnyCall) throws(VarlinkError) in try self?.handle(method.name, call) }
                        as VarlinkService.Handler
                )
            })
        let service = VarlinkService(
            vendor: "locationd", product: "Test", version: "1", url: "https://example.org",
            interfaces: [VarlinkService.Interface(description, handlers: handlers)])
        // However late a refused client makes its first call, it learns why.
        var limits = VarlinkServer.Limits()
        limits.refusalTime = .minutes(30)
        let server = VarlinkServer(service: service, on: Self.loop, limits: limits)
        server.accept = { [state] _ throws(VarlinkError) in
            if let refusal = state.value.refusal { throw refusal }
            return .admitted
        }
        state.value.server = server
        return try server.listen(path: runtime + "/" + LocationInterface.name, mode: 0o600)
    }

    private func handle(_ method: String, _ call: AnyCall) throws(VarlinkError) {
        state.value.asked.append((method, call.parameters))
        if let error = state.value.errors[method] { throw error }
        if method == "GetAuthorization" {
            call.reply(["authorization": state.value.authorization] as JSONValue, continues: call.more)
        } else if let answer = state.value.answers[method] {
            return call.reply(answer)
        }
        if !call.isEnded { state.value.open.append((method, call)) }
    }
}

extension JSONValue {
    static func authorization(_ status: String, services: Bool = true) -> JSONValue {
        ["status": .string(status), "accuracy": "full", "servicesEnabled": .bool(services)]
    }

    /// Returns a reply of Subscribe whose location has this timestamp, in seconds since 1970.
    static func fix(_ second: Int) -> JSONValue {
        ["update": ["event": "location", "location": location(second)]]
    }

    static func location(_ second: Int) -> JSONValue {
        [
            "timestamp": .string("\(Timestamp(millisecondsSince1970: Int64(second) * 1000))"), "latitude": 47.5,
            "longitude": 8.75, "simulated": true,
        ]
    }

    static func event(_ name: String) -> JSONValue { ["update": ["event": .string(name)]] }
}
