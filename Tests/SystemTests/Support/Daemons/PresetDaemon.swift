import AuthorizationPolicy
import Foundation
import LocationModel
import LocationProtocol
import NIOCore
import Synchronization
import TestSupport
import Varlink

/// A service with locationd's interfaces and preset replies. It validates calls against the interface definitions.
final class PresetDaemon: Sendable {
    /// The answer to a method.
    enum Answer: Sendable {
        /// Several replies. The last one ends the call.
        case replies([any Encodable & Sendable])
        /// Several replies, after which the call stays open.
        case endless([any Encodable & Sendable])
        case error(VarlinkError)
    }

    private let folder: TemporaryFolder
    private let calls = Mutex<[String: [JSONValue]]>([:])
    private let servers: NIOLoopBoundBox<[VarlinkServer]>
    var runtime: String { folder.path }

    /// Creates a service. Methods that are not in `answers` reply without parameters, and every request for
    /// authorization is granted always.
    init(_ answers: [String: Answer] = [:]) async throws {
        let always = Authorization(status: .authorizedAlways, accuracy: .full, servicesEnabled: true)
        let granted: [String: Answer] = [
            "RequestAuthorization": .replies([GetAuthorization.Reply(authorization: always)])
        ]
        let all = granted.merging(answers) { $1 }
        folder = try TemporaryFolder()
        servers = try await TestDaemon.loop.submit { NIOLoopBoundBox([], eventLoop: TestDaemon.loop) }.get()
        let definitions = [
            (LocationInterface.socketPath(in: runtime), LocationInterface.definition),
            (ManageInterface.socketPath(in: runtime), ManageInterface.definition),
        ]
        try FileManager.default.createDirectory(
            atPath: ManageInterface.folder(in: runtime), withIntermediateDirectories: true)
        for (path, definition) in definitions {
            try await TestDaemon.loop.flatSubmit { [self] in
                TestDaemon.loop.makeCompletedFuture { try serve(path, definition, all) }.flatMap { $0 }
            }.get()
        }
    }

    deinit {
        let servers = servers
        TestDaemon.loop.execute { for server in servers.value { _ = server.close() } }
    }

    /// Returns the parameters of each call of a method.
    func asked(_ method: String) -> [JSONValue] { calls.withLock { $0[method] ?? [] } }

    private func serve(
        _ path: String, _ definition: String, _ answers: [String: Answer]
    ) throws -> EventLoopFuture<Void> {
        let description = try InterfaceDescription(parsing: definition)
        var handlers: [String: VarlinkService.Handler] = [:]
        for method in description.methods.map(\.name) {
            let answer = answers[method] ?? .replies([Nothing()])
            handlers[method] = { [weak self] call in
                self?.calls.withLock { $0[method, default: []].append(call.parameters) }
                Self.answer(call, answer)
            }
        }
        let service = VarlinkService(
            vendor: "locationd", product: "Test", version: "1", url: "https://example.org",
            interfaces: [VarlinkService.Interface(description, handlers: handlers)])
        let server = VarlinkServer(service: service, on: TestDaemon.loop)
        servers.value.append(server)
        return try server.listen(path: path, mode: 0o600)
    }

    private static func answer(_ call: AnyCall, _ answer: Answer) {
        switch answer {
        case .replies(let replies):
            for reply in replies.dropLast() { call.reply(reply, continues: true) }
            if let last = replies.last { call.reply(last) }
        case .endless(let replies): for reply in replies { call.reply(reply, continues: true) }
        case .error(let error): call.fail(error)
        }
    }
}
