import AuthorizationPolicy
import Devices
import EventLoopSupport
import Glibc
import LocationModel
import Logging
import NIOCore
import NIOPosix
import TestSupport

@testable import GPSDFront
@testable import LocationCore

/// The core with a simulated receiver, and a server on a Unix socket, on an event loop of its own. Its clients are the
/// test's own process.
final class TestFront: Sendable {
    private struct Parts {
        let core: Core
        let server: GPSDServer
        let sockets: StreamSockets
    }

    private let folder: TemporaryFolder
    private let loop: any EventLoop
    private let parts: NIOLoopBound<Parts>
    let path: String

    /// - Parameter ownProcess: The ID of the process that is not served.
    init(ownProcess: Int32 = 0) async throws {
        let folder = try TemporaryFolder()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let path = folder.path + "/gpsd"
        self.folder = folder
        self.loop = loop
        self.path = path
        parts = try await loop.submit {
            var settings = ServiceSettings(
                runtimeDirectory: folder.path, stateDirectory: folder.path + "/state",
                receivers: [.init(source: .simulated(route: nil))], limits: Limits(), version: "1")
            settings.inUse = .connected
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let core = try Core(settings, poller: try DescriptorPoller(on: loop), on: loop, log: log) { $0.json }
            core.start(settings)
            let sockets = try StreamSockets(on: loop)
            let server = GPSDServer(core, in: sockets, clock: WallClock.now, ownProcess: ownProcess)
            let socket = try ListeningSocket(path: path, mode: 0o666, backlog: 16)
            server.listen(descriptor: socket.descriptor)
            return NIOLoopBound(Parts(core: core, server: server, sockets: sockets), eventLoop: loop)
        }.get()
    }

    /// Ends the server and the core.
    func stop() async throws {
        try await loop.flatSubmit { [parts] in
            let parts = parts.value
            return parts.server.close().and(parts.core.stop()).assumeIsolated().map { _ in parts.sockets.stop() }
                .nonisolated()
        }.get()
    }

    /// Connects. Returns the connection, and its greeting.
    ///
    /// The core refuses a client if its lookup takes longer than a second, because a thread was held up. The
    /// client then connects again.
    func connect() async throws -> TestConnection {
        var connection: TestConnection?
        try await eventually("admission") {
            let attempt = TestConnection(try RawSocket(path))
            let greeting = try await attempt.line()
            connection = greeting?.contains("VERSION") == true ? attempt : nil
            return connection != nil
        }
        guard let connection else { throw Overdue(what: "admission") }
        return connection
    }

    /// Decides about the test's own process, which is connected.
    func decide(_ decision: Decision?) async throws {
        try await loop.flatSubmit { [parts, loop] in
            let core = parts.value.core
            do {
                guard let app = core.peers.apps.keys.first else { throw Overdue(what: "an app") }
                return try core.broker.decide(decision, about: app)
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    /// Runs `body` with the server on the event loop.
    func server<Value: Sendable>(_ body: @escaping @Sendable (GPSDServer) throws -> Value) async throws -> Value {
        try await loop.submit { [parts] in try body(parts.value.server) }.get()
    }

    /// Returns a value read from the core.
    func core<Value: Sendable>(_ body: @escaping @Sendable (Core) -> Value) async throws -> Value {
        try await loop.submit { [parts] in body(parts.value.core) }.get()
    }
}

/// A client's connection.
struct TestConnection {
    let socket: RawSocket

    init(_ socket: RawSocket) { self.socket = socket }

    func send(_ request: String) { socket.send(Array(request.utf8)) }

    /// Sends nothing more, as `nc -N` does at the end of its input.
    func closeInput() { shutdown(socket.descriptor, CInt(SHUT_WR)) }

    /// Returns the next line without its line end, or `nil` if the connection is closed.
    func line() async throws -> String? {
        try await socket.receiveLine().map { String($0.dropLast()) }
    }

    /// Returns the next line that meets a condition.
    func line(_ what: String, where isIt: (String) -> Bool) async throws -> String {
        while let line = try await line() {
            if isIt(line) { return line }
        }
        throw Overdue(what: "\(what): the connection is closed")
    }

    /// Returns all lines that were sent before the reply to a request that is made now.
    func linesSoFar() async throws -> [String] {
        send("?VERSION;")
        var lines: [String] = []
        while let line = try await line(), !line.contains("VERSION") { lines.append(line) }
        return lines
    }
}
