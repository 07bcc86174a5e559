internal import Bus
internal import EventLoopSupport
internal import GPSDFront
internal import GeoClueFront
public import LocationCore
package import LocationModel
internal import LocationProtocol
public import Logging
public import NIOCore
internal import PolkitAuthority
public import Varlink
internal import VarlinkFront

/// The location service: the core and the fronts through which clients reach it.
///
/// An actor on one event loop, which does all the work: reading receivers, deciding, and writing to every subscriber.
public actor Daemon {
    /// The event loop that does all the work.
    nonisolated public let eventLoop: any EventLoop
    /// The loop's own executor, so that the handlers of the loop's channels already run on this actor.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var settings: ServiceSettings
    private let core: Core
    private let streamSockets: StreamSockets
    private let sockets: VarlinkSockets
    private let gpsd: GPSDSockets
    private let geoclue: GeoClueFront?
    private let corrections: CorrectionsServer?
    private let polkit: PolkitAuthority
    private let synchronizedClock: SynchronizedClock
    private let freeMemory: MemoryTrimmer
    private var clockWatch: ClockWatch?
    private var idleExit: IdleExit?
    /// A Boolean value indicating whether the service manager holds every socket, and so can start the service again.
    private var isInherited = false
    private var onIdle: (() -> Void)?

    /// Creates the service: reads the database and creates the parts. Nothing else is opened yet.
    ///
    /// Must not be called on the event loop's thread. A database that cannot be used is not an error: the service
    /// runs, grants nothing, and logs the problem.
    ///
    /// - Throws: An error if the state directory cannot be used.
    public static func make(
        _ settings: ServiceSettings, fronts: FrontSettings, on eventLoop: any EventLoop, log: Logger
    ) throws -> Daemon {
        try make(settings, fronts: fronts, busAddress: nil, on: eventLoop, log: log, clock: WallClock.now)
    }

    /// Creates the service with another system bus, or with another clock than the machine's.
    package static func make(
        _ settings: ServiceSettings, fronts: FrontSettings, busAddress: String?, on eventLoop: any EventLoop,
        log: Logger, clock: @escaping @Sendable () -> Timestamp
    ) throws -> Daemon {
        try eventLoop.submit {
            try Daemon(settings, fronts, busAddress: busAddress, on: eventLoop, log: log, clock: clock)
        }.wait()
    }

    private init(
        _ settings: ServiceSettings, _ fronts: FrontSettings, busAddress: String?, on eventLoop: any EventLoop,
        log: Logger, clock: @escaping () -> Timestamp
    ) throws {
        self.settings = settings
        self.eventLoop = eventLoop
        streamSockets = try StreamSockets(on: eventLoop)
        core = try Core(
            settings, busAddress: busAddress, poller: streamSockets.poller, on: eventLoop, log: log, clock: clock,
            wakeLine: wakeLine)
        sockets = try VarlinkSockets(core, settings, in: streamSockets, log: log)
        gpsd = GPSDSockets(
            core, fronts.gpsd, runtimeDirectory: settings.runtimeDirectory, in: streamSockets, log: log)
        geoclue =
            if fronts.geoclue {
                GeoClueFront(core, address: busAddress, poller: streamSockets.poller, on: eventLoop, log: log)
            } else { nil }
        corrections =
            if let own = fronts.corrections {
                CorrectionsServer(
                    core, own, runtimeDirectory: settings.runtimeDirectory, in: streamSockets, log: log)
            } else { nil }
        polkit = PolkitAuthority(core.bus, on: eventLoop, log: log)
        core.managers.authority = polkit
        synchronizedClock = SynchronizedClock(core.bus, on: eventLoop, log: log)
        core.synchronization = synchronizedClock
        freeMemory = MemoryTrimmer(on: eventLoop)
        core.start(settings)
    }

    /// Opens the sockets: those that the service manager passed, found by their names, or else its own.
    ///
    /// Fails with `SystemCallError` if a socket cannot be bound. The error's text names the socket and the reason.
    ///
    /// - Parameter onIdle: Called once, on the loop, when the service has been idle for the configured time, but only
    ///   if the service manager passed all sockets. No connection is accepted after that, and the service should be
    ///   stopped.
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

    /// Applies new receivers, limits, manifests, restrictions and a new `exitWhenIdle`. Open connections stay open, and
    /// receivers that stay the same are not interrupted.
    nonisolated public func apply(_ settings: ServiceSettings) -> EventLoopFuture<Void> {
        eventLoop.submit {
            self.assumeIsolated { service in
                service.core.use(settings, insteadOf: service.settings)
                service.sockets.use(settings)
                service.settings = settings
                service.followIdleness()
            }
        }
    }

    /// Runs `body` on the loop without creating a task. Tasks start on Dispatch's threads, and Dispatch then wakes up
    /// every second forever.
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
        let listening = try sockets.listen(inherited, others: [GPSDSettings.socketName, CorrectionsSocket.name])
        gpsd.listen(inherited.entries.filter { $0.name == GPSDSettings.socketName }.map(\.descriptor))
        corrections?.listen(inherited.entries.first { $0.name == CorrectionsSocket.name }?.descriptor)
        isInherited = VarlinkSockets.areAll(in: inherited) && !gpsd.hasOwn && corrections?.hasOwn != true
        clockWatch = ClockWatch(poller: streamSockets.poller) { [core, synchronizedClock] in
            synchronizedClock.clockChanged()
            core.clockChanged(slept: $0)
        }
        core.changes.observe([.activity]) { [weak self] in self?.assumeIsolated { $0.idleExit?.check() } }
        core.changes.observe([.connections]) { [weak self] in self?.assumeIsolated { $0.connectionsChanged() } }
        geoclue?.start()
        // Apps that are not connected may have monitoring that needs the receivers.
        core.followDemand()
        followIdleness()
        return listening
    }

    private func close() -> EventLoopFuture<Void> {
        geoclue?.stop()
        corrections?.close()
        polkit.stop()
        clockWatch?.stop()
        idleExit?.stop()
        let stopped = core.stop()
        // After the core, whose last write may ask about the clock again.
        synchronizedClock.stop()
        return stopped.and(sockets.close()).and(gpsd.close()).assumeIsolated().map { _ in
            self.assumeIsolated {
                $0.core.bus.stop()
                $0.streamSockets.stop()
            }
        }.nonisolated()
    }

    private var connectionCount: Int {
        sockets.connectionCount + gpsd.connectionCount + (corrections?.connectionCount ?? 0)
    }

    private func connectionsChanged() {
        idleExit?.check()
        freeMemory.connectionsChanged(to: connectionCount)
    }

    /// Watches for idleness if that is configured and the service manager can start the service again.
    private func followIdleness() {
        idleExit?.stop()
        idleExit = nil
        guard isInherited, let seconds = settings.exitWhenIdle else { return }
        idleExit = IdleExit(
            after: .seconds(Int64(seconds)), on: eventLoop,
            isIdle: { [weak self] in
                self?.assumeIsolated { $0.core.isIdle && $0.connectionCount == 0 } ?? false
            },
            onIdle: { [weak self] in
                self?.assumeIsolated { service in
                    // Clients that connect from now on are not turned away: they wait for the next start.
                    service.sockets.stopListening()
                    service.gpsd.stopListening()
                    service.onIdle?()
                }
            })
        idleExit?.check()
    }
}
