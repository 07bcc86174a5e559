import Foundation
import LocationModel
import LocationProtocol
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Varlink

/// A daemon that replies what a test determines: to a call with `more` the current value and each further one, to
/// another call the current value. Methods without a value get MethodNotImplemented.
final class ScriptedDaemon: Sendable {
    let folder: TemporaryFolder
    private let state: NIOLoopBoundBox<State>
    private let received = NIOLockedValueBox<[String]>([])
    var runtime: String { folder.path }
    /// The qualified names of the methods that were called, in order.
    var calls: [String] { received.withLockedValue { $0 } }

    private struct State {
        /// What replies to a call of a method; the second parameter says whether further replies follow.
        var replies: [String: (AnyCall, Bool) -> Void] = [:]
        var streams: [String: [AnyCall]] = [:]
        var servers: [VarlinkServer] = []
    }

    init(folder: TemporaryFolder? = nil) async throws {
        self.folder = try folder ?? TemporaryFolder()
        state = try await TestDaemon.loop.submit { NIOLoopBoundBox(State(), eventLoop: TestDaemon.loop) }.get()
    }

    deinit {
        let state = state
        TestDaemon.loop.execute { state.value.servers.forEach { _ = $0.close() } }
    }

    /// Sets the reply to a method, and sends it to the calls that wait for it.
    func set<M: DaemonMethod>(_ method: M.Type, _ reply: M.Reply) async throws {
        try await TestDaemon.loop.submit { [self] in
            state.value.replies[M.qualifiedName] = { $0.reply(reply, continues: $1) }
            for call in state.value.streams[M.qualifiedName] ?? [] where !call.isEnded {
                call.reply(reply, continues: true)
            }
        }.get()
    }

    /// Sets what the dashboard and the doctor ask for: these apps and uses, and nothing else.
    func setLists(apps: [AppSummary], uses: [IndicatorEntry]) async throws {
        try await set(MonitorApps.self, .init(apps: apps))
        try await set(ListSessions.self, .init(sessions: []))
        try await set(GetIndicator.self, .init(apps: uses))
        try await set(GetAccessLog.self, .init(entries: []))
        try await set(GetServices.self, .init(machine: true, user: true))
        try await set(GetStatistics.self, .init(statistics: Statistics(version: "7.7.7")))
        try await set(ListReceivers.self, .init(receivers: []))
        try await set(MonitorPrompts.self, .init(prompts: []))
    }

    /// Opens the sockets of both interfaces, or of the public one alone.
    func listen(management: Bool = true) async throws {
        try await listen(LocationInterface.self)
        if management { try await listen(ManageInterface.self) }
    }

    /// Closes the sockets and all connections.
    func stop() async throws {
        try await TestDaemon.loop.flatSubmit { [self] in
            let servers = state.value.servers
            state.value.servers = []
            return EventLoopFuture.andAllComplete(servers.map { $0.close() }, on: TestDaemon.loop)
        }.get()
    }

    private func listen<I: DaemonInterface>(_ interface: I.Type) async throws {
        let description = try InterfaceDescription(parsing: I.definition)
        try FileManager.default.createDirectory(
            atPath: (I.socketPath(in: runtime) as NSString).deletingLastPathComponent, withIntermediateDirectories: true
        )
        try await TestDaemon.loop.flatSubmit { [self] in
            var handlers: [String: VarlinkService.Handler] = [:]
            for method in description.methods.map(\.name) {
                handlers[method] = { [weak self] in self?.answer("\(I.name).\(method)", $0) }
            }
            let service = VarlinkService(
                vendor: "locationd", product: "Test", version: "1", url: "https://example.org",
                interfaces: [VarlinkService.Interface(description, handlers: handlers)])
            let server = VarlinkServer(service: service, on: TestDaemon.loop)
            state.value.servers.append(server)
            return TestDaemon.loop.makeCompletedFuture {
                try server.listen(path: I.socketPath(in: runtime), mode: 0o600)
            }.flatMap { $0 }
        }.get()
    }

    private func answer(_ method: String, _ call: AnyCall) {
        received.withLockedValue { $0.append(method) }
        guard let reply = state.value.replies[method] else {
            return call.fail(VarlinkError("org.varlink.service.MethodNotImplemented"))
        }
        reply(call, call.more)
        if call.more { state.value.streams[method, default: []].append(call) }
    }
}
