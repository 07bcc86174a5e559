package import Bus
public import NIOCore

/// A receiver in a modem that the daemon has switched on.
public struct SwitchedModem: Hashable, Sendable {
    /// The ID of the bus. It changes when the machine is restarted.
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

/// The receivers in modems that this daemon, or an earlier one that has crashed, has switched on.
///
/// ModemManager does not count the users of a receiver: it stays on, and uses power, until a program switches it off.
/// So each one is written to the disk before it is switched on. Confined to the event loop.
public final class SwitchedModems {
    /// The bus that ModemManager is on.
    let bus: Bus
    private let memory: (any SwitchedModemMemory)?
    private let eventLoop: any EventLoop
    /// The modems of this daemon and of earlier daemons with the same state folder.
    private(set) var all: Set<SwitchedModem>
    /// The modems that a transport will switch off.
    private var used: Set<SwitchedModem> = []
    private var recovery: ModemRecovery?
    /// The functions to call at the end of the recovery, by their owners.
    private var waiting: [ObjectIdentifier: () -> Void] = [:]
    private var unused: EventLoopPromise<Void>?

    /// Creates the list from the stored modems.
    ///
    /// - Parameters:
    ///   - memory: Keeps the modems across restarts. Without it, they are known only while the daemon runs.
    ///   - bus: The bus that ModemManager is on.
    package init(_ memory: (any SwitchedModemMemory)? = nil, bus: Bus, on eventLoop: any EventLoop) {
        self.bus = bus
        self.memory = memory
        self.eventLoop = eventLoop
        all = memory?.modems ?? []
    }

    /// Switches off the receivers that are not used. Does nothing if there are none.
    public func recover() {
        let left = all.subtracting(used)
        guard recovery == nil, !left.isEmpty else { return }
        let recovery = ModemRecovery(of: left, on: bus) { [unowned self] modem in
            remove(modem)
        } end: { [unowned self] in
            // The recovery is in the middle of a call, and must outlive it.
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

    /// Stops the recovery. Succeeds when no modem is used any longer, or after `limit`.
    public func stop(within limit: TimeAmount) -> EventLoopFuture<Void> {
        recovery?.stop()
        waiting = [:]
        guard !used.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let unused = eventLoop.makePromise(of: Void.self)
        self.unused = unused
        eventLoop.scheduleTask(in: limit) { unused.succeed() }
        return unused.futureResult
    }

    /// Calls `body` once no modem that was left on is being switched off. A call for the same `owner` replaces an
    /// earlier one.
    func whenRecovered(for owner: AnyObject, _ body: @escaping () -> Void) {
        guard recovery != nil else { return body() }
        waiting[ObjectIdentifier(owner)] = body
    }

    /// Records the use of a modem, and calls `body` once its receiver may be switched on.
    func use(_ modem: SwitchedModem, _ body: @escaping () -> Void) {
        used.insert(modem)
        guard all.insert(modem).inserted, let memory else { return body() }
        let body = NIOLoopBound(body, eventLoop: eventLoop)
        // If the disk fails, the receiver is switched on all the same.
        memory.remember(modem).whenComplete { _ in body.value() }
    }

    /// Handles that a modem is no longer used, though its receiver may still be on.
    func release(_ modem: SwitchedModem) {
        used.remove(modem)
        if used.isEmpty { unused?.succeed() }
    }

    /// Handles that a modem's receiver is off or left to others.
    func remove(_ modem: SwitchedModem) {
        if all.remove(modem) != nil { memory?.forget(modem) }
        release(modem)
    }

    /// Handles that another ModemManager, or none, runs on this bus: the earlier one's receivers have ended with it.
    func keepOnly(of service: String?, on bus: String) {
        for modem in all where modem.bus != bus || modem.service != service { remove(modem) }
    }
}
