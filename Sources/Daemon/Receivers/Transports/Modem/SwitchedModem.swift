package import Bus
public import NIOCore

/// A receiver in a modem that the daemon has switched on.
public struct SwitchedModem: Hashable, Sendable {
    /// The id of the bus. It changes when the machine is started again.
    public let bus: String
    /// The unique name of ModemManager's connection to the bus, which no other connection ever gets.
    public let service: String
    /// The path of the modem on the bus.
    public let path: String

    /// Creates the value for a modem of this ModemManager on this bus.
    public init(bus: String, service: String, path: String) {
        self.bus = bus
        self.service = service
        self.path = path
    }
}

/// A store for the receivers in modems that are switched on, so that they are switched off even after a crash.
///
/// Called on the receivers' event loop, which it must not block.
public protocol SwitchedModemMemory: AnyObject {
    /// The modems that were stored when the daemon was started.
    var modems: Set<SwitchedModem> { get }
    /// Stores a modem. Succeeds once it is on the disk.
    func remember(_ modem: SwitchedModem) -> EventLoopFuture<Void>
    /// Removes a modem.
    func forget(_ modem: SwitchedModem)
}

/// The receivers in modems that this daemon, or one before it that has crashed, has switched on.
///
/// ModemManager does not count who needs a receiver: it stays on, and uses power, until somebody switches it off. So
/// each one is on the disk before it is switched on. Confined to the event loop.
public final class SwitchedModems {
    /// The bus that ModemManager is on.
    let bus: Bus
    private let memory: (any SwitchedModemMemory)?
    private let eventLoop: any EventLoop
    /// Those of this daemon and of daemons of the same state folder.
    private(set) var all: Set<SwitchedModem>
    /// The modems that a transport is to switch off.
    private var used: Set<SwitchedModem> = []
    private var recovery: ModemRecovery?
    /// The functions to call at the end of the recovery, by their owners.
    private var waiting: [ObjectIdentifier: () -> Void] = [:]
    private var unused: EventLoopPromise<Void>?

    /// - Parameters:
    ///   - memory: Keeps them over a restart. Without it, they are known while the daemon runs.
    ///   - bus: The bus that ModemManager is on.
    package init(_ memory: (any SwitchedModemMemory)? = nil, bus: Bus, on eventLoop: any EventLoop) {
        self.bus = bus
        self.memory = memory
        self.eventLoop = eventLoop
        all = memory?.modems ?? []
    }

    /// Switches those off that nobody uses. Does nothing if there are none.
    public func recover() {
        let left = all.subtracting(used)
        guard recovery == nil, !left.isEmpty else { return }
        let recovery = ModemRecovery(of: left, on: bus) { [unowned self] modem in
            remove(modem)
        } end: { [unowned self] in
            // It is in the middle of a call.
            let ended = NIOLoopBound(self.recovery, eventLoop: eventLoop)
            eventLoop.execute { withExtendedLifetime(ended) {} }
            self.recovery = nil
            let waiting = waiting.values
            self.waiting = [:]
            for body in waiting { body() }
        }
        self.recovery = recovery
        recovery.start()
    }

    /// Stops the recovery. Succeeds when no modem is used any more, or after `limit`.
    public func stop(within limit: TimeAmount) -> EventLoopFuture<Void> {
        recovery?.stop()
        waiting = [:]
        guard !used.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let unused = eventLoop.makePromise(of: Void.self)
        self.unused = unused
        eventLoop.scheduleTask(in: limit) { unused.succeed() }
        return unused.futureResult
    }

    /// Calls `body` once no modem is being switched off that was left on. A call for the same `owner` replaces an
    /// earlier one.
    func whenRecovered(for owner: AnyObject, _ body: @escaping () -> Void) {
        guard recovery != nil else { return body() }
        waiting[ObjectIdentifier(owner)] = body
    }

    /// Uses a modem, whose receiver is switched on once `body` is called.
    func use(_ modem: SwitchedModem, _ body: @escaping () -> Void) {
        used.insert(modem)
        guard all.insert(modem).inserted, let memory else { return body() }
        let body = NIOLoopBound(body, eventLoop: eventLoop)
        // Without the disk, it is switched on all the same.
        memory.remember(modem).whenComplete { _ in body.value() }
    }

    /// Handles that a modem is not used any more, though its receiver may still be on.
    func release(_ modem: SwitchedModem) {
        used.remove(modem)
        if used.isEmpty { unused?.succeed() }
    }

    /// Handles that a modem's receiver is off, or left to others.
    func remove(_ modem: SwitchedModem) {
        if all.remove(modem) != nil { memory?.forget(modem) }
        release(modem)
    }

    /// Handles that another ModemManager, or none, runs on this bus: those of the one before have ended with it.
    func keepOnly(of service: String?, on bus: String) {
        for modem in all where modem.bus != bus || modem.service != service { remove(modem) }
    }
}
