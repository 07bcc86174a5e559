public import LocationCore
public import Logging
public import NIOCore
public import Varlink
internal import VarlinkFront

/// The location service: the core, and what it is reached through.
///
/// An actor on one event loop, on which everything runs: reading a receiver, deciding, writing to every subscriber.
public actor Daemon {
    /// The loop that everything runs on.
    nonisolated public let eventLoop: any EventLoop
    /// The loop's own executor, so that the handlers of its channels are on this actor already.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var settings: ServiceSettings
    private let core: Core
    private let sockets: VarlinkSockets
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
    public static func make(_ settings: ServiceSettings, on eventLoop: any EventLoop, log: Logger) throws -> Daemon {
        try eventLoop.submit { try Daemon(settings, on: eventLoop, log: log) }.wait()
    }

    private init(_ settings: ServiceSettings, on eventLoop: any EventLoop, log: Logger) throws {
        self.settings = settings
        self.eventLoop = eventLoop
        core = try Core(settings, on: eventLoop, log: log, wakeLine: wakeLine)
        sockets = try VarlinkSockets(core, settings, on: eventLoop, log: log)
        freeMemory = FreeMemory(on: eventLoop)
        core.start(settings)
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
    nonisolated public func apply(_ settings: ServiceSettings) {
        eventLoop.execute {
            self.assumeIsolated { service in
                service.core.use(settings, insteadOf: service.settings)
                service.settings = settings
                service.followIdleness()
            }
        }
    }

    /// Runs on the loop, without the detour of a task: those start on threads of Dispatch, which then wakes up each
    /// second for ever.
    nonisolated private func onLoop(
        _ body: @escaping @Sendable (isolated Daemon) throws -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit {
            self.assumeIsolated { service in
                do { return try body(service) } catch { return service.eventLoop.makeFailedFuture(error) }
            }
        }
    }

    private func open(_ inherited: ListenDescriptors) throws -> EventLoopFuture<Void> {
        let listening = try sockets.listen(inherited)
        isInherited = VarlinkSockets.areAll(in: inherited)
        clockWatch = ClockWatch(on: eventLoop) { [core] in core.clockChanged(slept: $0) }
        core.onActivity = { [unowned self] in assumeIsolated { $0.idleExit?.check() } }
        sockets.onConnectionsChanged = { [unowned self] in
            assumeIsolated { service in
                service.idleExit?.check()
                service.freeMemory.connectionsChanged(to: service.sockets.connectionCount)
            }
        }
        // Apps that are not connected may monitor something.
        core.followDemand()
        followIdleness()
        return listening
    }

    private func close() -> EventLoopFuture<Void> {
        clockWatch?.stop()
        idleExit?.stop()
        return core.stop().and(sockets.close()).map { _ in }
    }

    /// Watches for having nothing to do, if that is wanted and somebody is there to start the service again.
    private func followIdleness() {
        idleExit?.stop()
        idleExit = nil
        guard isInherited, let seconds = settings.exitWhenIdle else { return }
        idleExit = IdleExit(
            after: .seconds(Int64(seconds)), on: eventLoop,
            isIdle: { [unowned self] in
                assumeIsolated { $0.core.isIdle && $0.sockets.connectionCount == 0 }
            },
            onIdle: { [unowned self] in
                assumeIsolated { service in
                    // Who connects from here on waits for the next start, and is not turned away.
                    service.sockets.stopListening()
                    service.onIdle?()
                }
            })
        idleExit?.check()
    }
}
