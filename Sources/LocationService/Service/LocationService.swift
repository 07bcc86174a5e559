public import AuthorizationPolicy
internal import Glibc
public import LocationModel
internal import LocationProtocol
public import Logging
public import NIOCore
internal import Receivers
public import Varlink

/// The location service: receivers in, authorization and the rules of each app in the middle, Varlink out.
///
/// An actor on one event loop, on which everything runs: reading a receiver, deciding, writing to every subscriber.
public actor LocationService {
    /// The loop that everything runs on.
    nonisolated public let eventLoop: any EventLoop
    /// The loop's own executor, so that the handlers of its channels are on this actor already.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var settings: Settings
    private let log: Logger
    private let parts: Components
    private let freeMemory: FreeMemory
    private var clockWatch: ClockWatch?
    private var idleExit: IdleExit?
    private var isInherited = false
    private var onIdle: (() -> Void)?

    /// Reads the database and wires the parts. Nothing is opened but that.
    ///
    /// Throws where the state directory cannot be made. A database that cannot be used is no error: the service runs,
    /// grants nothing, and says so.
    /// To be called from another thread than the loop's.
    public static func make(_ settings: Settings, on eventLoop: any EventLoop, log: Logger) throws -> LocationService {
        try eventLoop.submit { try LocationService(settings, on: eventLoop, log: log) }.wait()
    }

    private init(_ settings: Settings, on eventLoop: any EventLoop, log: Logger) throws {
        self.settings = settings
        self.eventLoop = eventLoop
        self.log = log
        freeMemory = FreeMemory(on: eventLoop)
        parts = try Components(settings, on: eventLoop, log: log)
        parts.broker.start()
        parts.roster.use(settings.receivers, discovers: settings.discovers)
    }

    /// Opens the sockets: those that the service manager handed over, by their names, else its own.
    ///
    /// Fails with `SystemCallError` where one cannot be bound; the text says which and why.
    ///
    /// - Parameter onIdle: told on the loop, once, when there has been nothing to do for as long as the settings say,
    ///   if the service manager handed over both sockets. No connection is accepted any more then: what is left is to
    ///   stop.
    nonisolated public func start(
        inherited: ListenDescriptors, onIdle: @escaping @Sendable () -> Void
    ) -> EventLoopFuture<Void> {
        onLoop {
            $0.onIdle = onIdle
            return try $0.open(inherited)
        }
    }

    /// Closes the sockets, every connection, and the receivers.
    nonisolated public func stop() -> EventLoopFuture<Void> {
        onLoop { $0.close() }
    }

    /// Takes other receivers, limits, manifests, restrictions and another `exitWhenIdle`. Connections that are open
    /// stay; receivers that stay the same go on.
    nonisolated public func apply(
        receivers: [Settings.ReceiverEntry], discovers: Bool, limits: Limits, manifests: [AppIdentity: AppManifest],
        restrictions: Set<Restriction>, exitWhenIdle: Int?
    ) {
        eventLoop.execute {
            self.assumeIsolated { service in
                service.use(receivers, discovers, limits, manifests, restrictions)
                service.settings.exitWhenIdle = exitWhenIdle
                service.followIdleness()
            }
        }
    }

    /// Runs on the loop, without the detour of a task: those start on threads of Dispatch, which then wakes up each
    /// second for ever.
    nonisolated private func onLoop(
        _ body: @escaping @Sendable (isolated LocationService) throws -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit {
            self.assumeIsolated { service in
                do { return try body(service) } catch { return service.eventLoop.makeFailedFuture(error) }
            }
        }
    }

    private func open(_ inherited: ListenDescriptors) throws -> EventLoopFuture<Void> {
        let location = try listen(parts.locationServer, LocationInterface.self, mode: 0o666, inherited)
        let manage = try listen(parts.manageServer, ManageInterface.self, mode: 0o660, inherited)
        clockWatch = ClockWatch(on: eventLoop) { [parts] in parts.clockChanged(slept: $0) }
        isInherited = [LocationInterface.name, ManageInterface.name].allSatisfy { name in
            inherited.entries.contains { $0.name == name }
        }
        parts.onActivity = { [unowned self] in
            assumeIsolated { service in
                service.idleExit?.check()
                service.freeMemory.connectionsChanged(to: service.parts.connectionCount)
            }
        }
        // Apps that are not connected may monitor something.
        parts.planner.update()
        followIdleness()
        return location.and(manage).map { _ in }
    }

    private func close() -> EventLoopFuture<Void> {
        clockWatch?.stop()
        idleExit?.stop()
        return parts.stop()
    }

    private func use(
        _ entries: [Settings.ReceiverEntry], _ discovers: Bool, _ limits: Limits,
        _ manifests: [AppIdentity: AppManifest], _ restrictions: Set<Restriction>
    ) {
        parts.peers.limits = limits
        if manifests != settings.manifests || restrictions != settings.restrictions {
            settings.manifests = manifests
            settings.restrictions = restrictions
            parts.broker.use(restrictions: restrictions, manifests: manifests)
        }
        guard entries != settings.receivers || discovers != settings.discovers else { return }
        settings.receivers = entries
        settings.discovers = discovers
        parts.roster.use(entries, discovers: discovers)
    }

    /// Watches for having nothing to do, if that is wanted and somebody is there to start the service again.
    private func followIdleness() {
        idleExit?.stop()
        idleExit = nil
        guard isInherited, let seconds = settings.exitWhenIdle else { return }
        idleExit = IdleExit(
            after: .seconds(Int64(seconds)), on: eventLoop,
            isIdle: { [unowned self] in
                assumeIsolated { $0.parts.isIdle }
            },
            onIdle: { [unowned self] in
                assumeIsolated { service in
                    // Who connects from here on waits for the next start, and is not turned away.
                    service.parts.locationServer.stopListening()
                    service.parts.manageServer.stopListening()
                    service.onIdle?()
                }
            })
        idleExit?.check()
    }

    private func listen(
        _ server: VarlinkServer, _ interface: (some DaemonInterface).Type, mode: mode_t,
        _ inherited: ListenDescriptors
    ) throws -> EventLoopFuture<Void> {
        if let entry = inherited.entries.first(where: { $0.name == interface.name }) {
            log.info("listening on the socket \(interface.name) of the service manager")
            return server.listen(descriptor: entry.descriptor)
        }
        try makeDirectory(interface.folder(in: settings.runtimeDirectory), mode: 0o755)
        let path = interface.socketPath(in: settings.runtimeDirectory)
        let listening = try server.listen(path: path, mode: mode)
        if interface.name == ManageInterface.name { openToManagers(path) }
        log.info("listening on \(path)")
        return listening
    }
}

extension LocationService {
    /// Gives the management socket to the group `locationd`, where there is one and the daemon may.
    private func openToManagers(_ path: String) {
        guard let group = getgrnam("locationd")?.pointee.gr_gid, chown(path, .max, group) != 0, errno != ENOENT else {
            return
        }
        log.notice("\(path) stays with its own group: \(String(cString: strerror(errno)))")
    }
}
