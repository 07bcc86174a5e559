internal import Glibc
package import LocationModel
package import LocationProtocol
package import NIOCore
internal import NIOPosix
package import Varlink

/// The connections to one daemon's sockets. Each call and each stream has a connection of its own.
package struct DaemonConnection {
    package let directory: String
    /// The authorization that this program needs.
    let level: RequestedLevel
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Selects the daemon that the arguments name, or else LOCATIOND_RUNTIME_DIRECTORY, or else the installed daemon.
    package init(_ target: Target, _ parent: Target, level: RequestedLevel = .whenInUse) {
        self.level = level
        directory =
            target.runtimeDirectory ?? parent.runtimeDirectory
            ?? runtimeDirectoryOfEnvironment ?? installedRuntimeDirectory
    }

    /// The event loop of all connections.
    package static var loop: any EventLoop { group.next() }

    /// Returns the path of an interface's socket.
    package func path(_ interface: (some DaemonInterface).Type) -> String { interface.socketPath(in: directory) }

    /// A Boolean value indicating whether this process may manage without a polkit check at each call.
    package var isManager: Bool { !TerminalAuthentication.needsAuthorization(for: path(ManageInterface.self)) }

    /// Authenticates the user before the screen is drawn, if that is needed and only the terminal can ask: a later
    /// question would be written into the screen. The screen's calls are refused if they need another password.
    package func authenticateForScreen() async {
        if !isManager { _ = try? await call(GetServices.self, UserScope()) }
        TerminalAuthentication.stop()
    }

    /// Calls a method on a new connection.
    package func call<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters) async throws -> M.Reply {
        try await explaining(M.Interface.self) {
            try await connect(to: M.Interface.self).call(M.qualifiedName, parameters, returning: M.Reply.self)
        }
    }

    /// Calls a method with `more` and passes each reply to `body`, until the last one or until `body` returns false.
    package func stream<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters, _ body: (M.Reply) throws -> Bool)
        async throws
    {
        try await explaining(M.Interface.self) {
            let client = try await connect(to: M.Interface.self)
            for try await reply in try client.stream(M.qualifiedName, parameters, of: M.Reply.self) {
                guard try body(reply) else { return }
            }
        }
    }

    /// Returns a whole list, combined from all replies.
    package func list<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters) async throws -> M.Reply
    where M.Reply: Page {
        let first = try await call(method, parameters)
        guard first.continued == true else { return first }
        var whole: M.Reply?
        try await lists(method, parameters) { list in
            whole = list
            return false
        }
        guard let whole else {
            throw Failure(
                .unreachable, "locationd closed the connection before the list was complete: see its log and try again")
        }
        return whole
    }

    /// Passes a whole list to `body` and, with `follow`, again at every change.
    package func show<M: DaemonMethod>(
        _ method: M.Type, _ parameters: M.Parameters, follow: Bool, _ body: (M.Reply) throws -> Void
    ) async throws where M.Reply: Page {
        guard follow else { return try body(try await list(method, parameters)) }
        try await lists(method, parameters) {
            try body($0)
            return true
        }
    }

    /// Calls a method with `more` and passes each whole list to `body`, until the last one or until `body` returns
    /// false.
    package func lists<M: DaemonMethod>(
        _ method: M.Type, _ parameters: M.Parameters, _ body: (M.Reply) throws -> Bool
    ) async throws where M.Reply: Page {
        var begun: M.Reply?
        try await stream(method, parameters) { page in
            begun?.append(page)
            let list = begun ?? page
            begun = list.continued == true ? list : nil
            return begun == nil ? try body(list) : true
        }
    }

    private func connect<I: DaemonInterface>(to interface: I.Type) async throws -> VarlinkClient {
        if I.self == ManageInterface.self { TerminalAuthentication.start(for: path(interface)) }
        return try await VarlinkClient.connect(path: path(interface), on: Self.loop)
    }

    /// Runs `body`, which calls a method of an interface, and turns its errors into messages that help the user.
    private func explaining<Result>(
        _ interface: (some DaemonInterface).Type, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as VarlinkClientError {
            throw failure(for: error)
        } catch let error as VarlinkError {
            throw failure(for: error, of: interface)
        }
    }
}
