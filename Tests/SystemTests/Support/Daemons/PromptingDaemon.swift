import Foundation
import LocationModel
import LocationProtocol
import NIOCore
import Synchronization
import TestSupport
import Varlink

/// The part of a daemon that agents use: it sends prompts, and accepts answers.
final class PromptingDaemon: Sendable {
    let folder: TemporaryFolder
    private let state: NIOLoopBoundBox<State>
    private let answers = Mutex<[AnswerPrompt.Parameters]>([])
    private let watched = Mutex<[MonitorPrompts.Parameters]>([])
    var runtime: String { folder.path }
    /// The answers that were accepted.
    var taken: [AnswerPrompt.Parameters] { answers.withLock { $0 } }
    /// The parameters of agents that monitor prompts.
    var agents: [MonitorPrompts.Parameters] { watched.withLock { $0 } }

    private struct State {
        var prompts: [Prompt]
        var calls: [(call: AnyCall, shown: [Prompt])] = []
        var server: VarlinkServer?
    }

    init(_ prompts: [Prompt], folder: TemporaryFolder? = nil) async throws {
        self.folder = try folder ?? TemporaryFolder()
        state = try await TestDaemon.loop.submit {
            NIOLoopBoundBox(State(prompts: prompts), eventLoop: TestDaemon.loop)
        }.get()
        try await TestDaemon.loop.flatSubmit { [self] in
            TestDaemon.loop.makeCompletedFuture { try listen() }.flatMap { $0 }
        }.get()
    }

    deinit {
        let state = state
        TestDaemon.loop.execute { _ = state.value.server?.close() }
    }

    /// Replaces the open prompts.
    func change(to prompts: [Prompt]) async throws {
        try await TestDaemon.loop.submit { [self] in
            state.value.prompts = prompts
            tell()
        }.get()
    }

    /// Stops the service and closes its connections.
    func stop() async throws {
        try await TestDaemon.loop.flatSubmit { [self] in
            state.value.server?.close() ?? TestDaemon.loop.makeSucceededVoidFuture()
        }.get()
    }

    private func tell() {
        for (index, (call, shown)) in state.value.calls.enumerated() {
            let open = state.value.prompts
            let change = MonitorPrompts.Reply(
                prompts: open.filter { !shown.contains($0) },
                closed: shown.filter { !open.contains($0) }.map(\.id))
            call.reply(change, continues: true)
            state.value.calls[index].shown = open
        }
    }

    private func listen() throws -> EventLoopFuture<Void> {
        let description = try InterfaceDescription(parsing: ManageInterface.definition)
        var handlers: [String: VarlinkService.Handler] = [:]
        for method in description.methods.map(\.name) {
            handlers[method] = { $0.fail(VarlinkError("org.varlink.service.MethodNotImplemented")) }
        }
        handlers[MonitorPrompts.name] = { [weak self] call in self?.monitor(call) }
        handlers[AnswerPrompt.name] = { [weak self] call in self?.answer(call) }
        let service = VarlinkService(
            vendor: "locationd", product: "Test", version: "1", url: "https://example.org",
            interfaces: [VarlinkService.Interface(description, handlers: handlers)])
        let server = VarlinkServer(service: service, on: TestDaemon.loop)
        state.value.server = server
        try FileManager.default.createDirectory(
            atPath: ManageInterface.folder(in: runtime), withIntermediateDirectories: true)
        return try server.listen(path: ManageInterface.socketPath(in: runtime), mode: 0o600)
    }

    private func monitor(_ call: AnyCall) {
        guard let parameters: MonitorPrompts.Parameters = try? call.parameters() else { return }
        watched.withLock { $0.append(parameters) }
        call.reply(MonitorPrompts.Reply(prompts: state.value.prompts), continues: call.more)
        if call.more { state.value.calls.append((call, state.value.prompts)) }
    }

    private func answer(_ call: AnyCall) {
        guard let parameters: AnswerPrompt.Parameters = try? call.parameters() else { return }
        guard let prompt = state.value.prompts.first(where: { $0.id == parameters.id }) else {
            return call.fail(
                VarlinkError("io.locationd.Manage.NoSuchPrompt", parameters: ["id": .int(Int64(parameters.id))]))
        }
        guard prompt.answers.contains(parameters.answer) else {
            let offered = prompt.answers.map { JSONValue.string($0.rawValue) }
            return call.fail(
                VarlinkError("io.locationd.Manage.AnswerNotOffered", parameters: ["answers": .array(offered)]))
        }
        answers.withLock { $0.append(parameters) }
        state.value.prompts.removeAll { $0.id == parameters.id }
        call.reply(Nothing())
        tell()
    }
}
