package import EventLoopSupport
internal import Linux
package import LocationCore
package import Logging
package import NIOCore

/// The sockets of gpsd's protocol: those that the service manager passed, or else those of the settings.
///
/// Confined to the event loop.
package final class GPSDSockets {
    /// A Boolean value indicating whether the daemon has opened a socket itself. Such a socket closes with the daemon.
    package private(set) var hasOwn = false

    private let core: Core
    private let settings: GPSDSettings?
    private let runtimeDirectory: String
    private let sockets: StreamSockets
    private let log: Logger
    private var server: GPSDServer?
    private var unixSocket: ListeningSocket?

    /// Creates the sockets. Opens nothing.
    ///
    /// - Parameters:
    ///   - settings: The sockets to open if the service manager passes none, or `nil` to open none.
    ///   - runtimeDirectory: The directory of the Unix socket.
    package init(
        _ core: Core, _ settings: GPSDSettings?, runtimeDirectory: String, in sockets: StreamSockets, log: Logger
    ) {
        self.core = core
        self.settings = settings
        self.runtimeDirectory = runtimeDirectory
        self.sockets = sockets
        self.log = log
    }

    /// The number of connections.
    package var connectionCount: Int { server?.connectionCount ?? 0 }

    /// Listens. Logs a socket that cannot be opened, and serves the others.
    ///
    /// - Parameter inherited: The sockets that the service manager passed under the name ``GPSDSettings/socketName``.
    ///   This object takes ownership of them.
    package func listen(_ inherited: [CInt]) {
        var descriptors = inherited
        if !descriptors.isEmpty {
            log.info("listening on the sockets \(GPSDSettings.socketName) of the service manager")
        } else if let settings {
            hasOwn = true
            descriptors = settings.listen.compactMap { tcpSocket(at: $0) }
            if settings.socket, let descriptor = openUnixSocket() { descriptors.append(descriptor) }
        }
        guard !descriptors.isEmpty else { return }
        let server = GPSDServer(core, in: sockets, clock: WallClock.now)
        self.server = server
        for descriptor in descriptors { server.listen(descriptor: descriptor) }
    }

    /// Stops listening. Connections stay open.
    package func stopListening() { server?.stopListening() }

    /// Closes the sockets and every connection.
    package func close() -> EventLoopFuture<Void> {
        unixSocket?.unlinkFile()
        unixSocket = nil
        return server?.close() ?? sockets.eventLoop.makeSucceededVoidFuture()
    }

    private func tcpSocket(at address: ListenAddress) -> CInt? {
        do throws(SystemCallError) {
            let descriptor = try TCPListener.open(
                address: address.address, port: address.port, backlog: GPSDServer.backlog.tcp)
            log.info("listening on \(address) for clients of gpsd")
            return descriptor
        } catch {
            log.error(
                """
                cannot serve clients of gpsd on \(address): \(error); if another program has the port, such as gpsd \
                itself, stop it or choose another port in [gpsd] listen
                """)
            return nil
        }
    }

    private func openUnixSocket() -> CInt? {
        let path = runtimeDirectory + "/" + GPSDSettings.socketName
        do throws(SystemCallError) {
            let socket = try ListeningSocket(path: path, mode: 0o666, backlog: GPSDServer.backlog.unix)
            unixSocket = socket
            log.info("listening on \(path) for clients of gpsd")
            return socket.descriptor
        } catch {
            log.error("cannot serve clients of gpsd on \(path): \(error)")
            return nil
        }
    }
}
