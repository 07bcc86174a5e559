internal import EventLoopSupport
internal import GPSDFront
internal import Linux
internal import LocationCore
internal import Logging
internal import NIOCore
internal import Varlink

/// The sockets of gpsd's protocol: those that the service manager passed, or else those of the settings.
///
/// Confined to the event loop.
final class GPSDSockets {
    /// A Boolean value indicating whether the daemon has opened a socket itself, which ends with it.
    private(set) var hasOwn = false

    private let core: Core
    private let settings: ServiceSettings
    private let sockets: StreamSockets
    private let log: Logger
    private var server: GPSDServer?
    private var unixSocket: ListeningSocket?

    /// Creates the sockets. Opens nothing.
    init(_ core: Core, _ settings: ServiceSettings, in sockets: StreamSockets, log: Logger) {
        self.core = core
        self.settings = settings
        self.sockets = sockets
        self.log = log
    }

    /// The number of connections.
    var connectionCount: Int { server?.connectionCount ?? 0 }

    /// Listens. A socket that cannot be opened is logged, and the others are served.
    func listen(_ inherited: ListenDescriptors) {
        var descriptors = inherited.entries.filter { $0.name == GPSDSettings.socketName }.map(\.descriptor)
        if !descriptors.isEmpty {
            log.info("listening on the sockets \(GPSDSettings.socketName) of the service manager")
        } else if let gpsd = settings.gpsd {
            hasOwn = true
            descriptors = gpsd.listen.compactMap { tcpSocket(at: $0) }
            if gpsd.socket, let descriptor = openUnixSocket() { descriptors.append(descriptor) }
        }
        guard !descriptors.isEmpty else { return }
        let server = GPSDServer(core, in: sockets, clock: WallClock.now)
        self.server = server
        for descriptor in descriptors { server.listen(descriptor: descriptor) }
    }

    /// Stops listening. Connections stay open.
    func stopListening() { server?.stopListening() }

    /// Closes the sockets and every connection.
    func close() -> EventLoopFuture<Void> {
        unixSocket?.unlinkFile()
        unixSocket = nil
        return server?.close() ?? sockets.eventLoop.makeSucceededVoidFuture()
    }

    private func tcpSocket(at address: ListenAddress) -> CInt? {
        do throws(SystemCallError) {
            let descriptor = try TCPListener.open(address: address.address, port: address.port)
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
        let path = settings.runtimeDirectory + "/" + GPSDSettings.socketName
        do throws(SystemCallError) {
            let socket = try ListeningSocket(path: path, mode: 0o666, backlog: GPSDServer.backlog)
            unixSocket = socket
            log.info("listening on \(path) for clients of gpsd")
            return socket.descriptor
        } catch {
            log.error("cannot serve clients of gpsd on \(path): \(error)")
            return nil
        }
    }
}
