package import EventLoopSupport
internal import Glibc
package import LocationCore
internal import LocationProtocol
package import Logging
package import NIOCore
internal import StateFiles
package import Varlink

/// The service's two Varlink sockets: `io.locationd.Location` for apps, `io.locationd.Manage` for management.
///
/// Confined to the event loop.
package final class VarlinkSockets {
    private let location: VarlinkServer
    private let manage: VarlinkServer
    private let geocoder: GeocoderCalls
    private let runtimeDirectory: String
    private let log: Logger

    /// Creates the servers of both interfaces. Opens nothing.
    package init(_ core: Core, _ settings: ServiceSettings, in sockets: StreamSockets, log: Logger) throws {
        let loop = sockets.eventLoop
        runtimeDirectory = settings.runtimeDirectory
        self.log = log
        let encoder = LocationEncoder()
        geocoder = GeocoderCalls(socket: settings.geocoderSocket)
        // Short queues: beside a flood, whoever connects waits behind a queue of others (`StreamListener`).
        location = try Self.server(
            LocationMethods(core, encoder: encoder, geocoder: geocoder).table, frameSize: 16_384, backlog: 16,
            version: settings.version, in: sockets, turns: core.peers.turns)
        manage = try Self.server(
            ManageMethods(core, encoder: encoder, version: settings.version, on: loop).table, frameSize: 65_536,
            backlog: 16, version: settings.version, in: sockets, turns: core.managers.turns)
        location.admitsUser = { [peers = core.peers] in peers.mayConnect($0) }
        manage.admitsUser = { [managers = core.managers] in managers.mayConnect($0) }
        location.accept = { [peers = core.peers] (connection) throws(VarlinkError) in try peers.admit(connection) }
        location.onClosed = { [peers = core.peers] in peers.closed($0) }
        manage.accept = { [managers = core.managers] (connection) throws(VarlinkError) in
            try managers.admit(connection)
        }
        manage.onClosed = { [managers = core.managers] in managers.closed($0) }
        location.onConnectionsChanged = { [changes = core.changes] in changes.report(.connections) }
        manage.onConnectionsChanged = { [changes = core.changes] in changes.report(.connections) }
    }

    private static func server(
        _ methods: [MethodHandler<some DaemonInterface>], frameSize: Int, backlog: CInt, version: String,
        in sockets: StreamSockets, turns: TurnScheduler
    ) throws -> VarlinkServer {
        let service = VarlinkService(
            vendor: "locationd", product: "locationd", version: version, url: "",
            interfaces: [try VarlinkService.Interface(methods)])
        var limits = VarlinkServer.Limits()
        limits.frameSize = frameSize
        limits.backlog = backlog
        return VarlinkServer(
            service: service, on: sockets.eventLoop, limits: limits, turns: turns, sockets: sockets)
    }

    /// Uses new settings. Open connections stay open.
    package func use(_ settings: ServiceSettings) { geocoder.socket = settings.geocoderSocket }

    /// The number of connections to both sockets.
    package var connectionCount: Int { location.connectionCount + manage.connectionCount }

    /// Returns whether the service manager passed both sockets.
    package static func areAll(in inherited: ListenDescriptors) -> Bool {
        [LocationInterface.name, ManageInterface.name].allSatisfy { name in
            inherited.entries.contains { $0.name == name }
        }
    }

    /// Listens on the sockets that the service manager passed, found by their names, or else on sockets of its own.
    ///
    /// - Parameter others: The names of sockets that other fronts use. A socket with any other name is logged.
    package func listen(_ inherited: ListenDescriptors, others: [String]) throws -> EventLoopFuture<Void> {
        let location = try listen(location, LocationInterface.self, mode: 0o666, inherited)
        // Every process may connect. `Managers` and `ManagementAccess` decide what it may do.
        let manage = try listen(manage, ManageInterface.self, mode: 0o666, inherited)
        let names = [LocationInterface.name, ManageInterface.name] + others
        for entry in inherited.entries where !names.contains(entry.name) {
            log.warning(
                """
                the service manager passed a socket named \(entry.name), which is not used: name it \
                \(names.joined(separator: ", ")) with FileDescriptorName=
                """)
        }
        return location.and(manage).map { _ in }
    }

    /// Stops listening. Connections stay open.
    package func stopListening() {
        location.stopListening()
        manage.stopListening()
    }

    /// Closes both sockets and every connection.
    package func close() -> EventLoopFuture<Void> {
        location.close().and(manage.close()).map { _ in }
    }

    private func listen(
        _ server: VarlinkServer, _ interface: (some DaemonInterface).Type, mode: mode_t,
        _ inherited: ListenDescriptors
    ) throws -> EventLoopFuture<Void> {
        if let entry = inherited.entries.first(where: { $0.name == interface.name }) {
            log.info("listening on the socket \(interface.name) of the service manager")
            return server.listen(descriptor: entry.descriptor)
        }
        try makeDirectory(interface.folder(in: runtimeDirectory), mode: 0o755)
        let path = interface.socketPath(in: runtimeDirectory)
        let listening = try server.listen(path: path, mode: mode)
        if interface.name == ManageInterface.name { setManagementGroup(path) }
        log.info("listening on \(path)")
        return listening
    }

    /// Gives the management socket to the group `locationd`, whose members may manage, if that group exists and the
    /// daemon is permitted to.
    private func setManagementGroup(_ path: String) {
        guard let group = getgrnam("locationd")?.pointee.gr_gid, chown(path, .max, group) != 0, errno != ENOENT else {
            return
        }
        log.notice("cannot give \(path) to the group locationd: \(String(cString: strerror(errno)))")
    }
}
