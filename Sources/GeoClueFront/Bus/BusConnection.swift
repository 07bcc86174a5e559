internal import CSystemd
internal import EventLoopSupport
internal import Glibc
internal import Logging
internal import NIOCore

/// A connection to the system bus, by libsystemd's sd-bus on the event loop.
///
/// Nothing blocks: libsystemd is called when its descriptor is ready, and no call is waited for. When the connection is
/// lost it is made again, with a growing delay. Confined to the event loop.
final class BusConnection {
    /// The number of received messages after which the loop does something else.
    ///
    /// Attack: a program on the bus sends messages without end.
    private static let messagesAtOnce = 64
    /// The number of messages that wait for the bus to read them, above which the connection is given up.
    ///
    /// The bus keeps what a connection does not read, up to its own limit (dbus-daemon: max_outgoing_bytes, 127 MiB on
    /// a system bus). Such messages also count against the daemon (max_incoming_bytes). A bus that reads nothing any
    /// more for this reason forgets them with the connection.
    private static let maximumUnsent: UInt64 = 16_384

    /// Called when the connection is established or, after a loss, established again.
    var onConnected: (() -> Void)?
    /// Called when the connection is lost.
    var onDisconnected: (() -> Void)?
    /// Called with each call that arrives.
    var onCall: ((IncomingCall) -> Void)?
    /// Called with each signal that arrives.
    var onSignal: ((BusMessage) -> Void)?

    private let address: String?
    private let loop: any EventLoop
    private let log: Logger
    private(set) var bus: OpaquePointer?
    private var readiness: DescriptorReadiness?
    private let timeout: LoopTimer
    private let retryTimer: LoopTimer
    private var delay = RetryDelay()
    private var isStopped = false
    private var isProcessing = false
    private var logged: String?
    /// The calls that the daemon has made.
    let pending: PendingCalls

    /// - Parameter address: The address of the bus, or `nil` for the system bus: that in DBUS_SYSTEM_BUS_ADDRESS, or the
    ///   machine's.
    init(address: String?, on loop: any EventLoop, log: Logger) {
        self.address = address
        self.loop = loop
        self.log = log
        timeout = LoopTimer(on: loop)
        retryTimer = LoopTimer(on: loop)
        pending = PendingCalls(on: loop)
    }

    /// A Boolean value indicating whether there is a connection, or one is being established.
    var isOpen: Bool { bus != nil }

    /// Connects.
    func start() {
        guard bus == nil, !isStopped else { return }
        var opened: OpaquePointer?
        let status = address.map { csystemd_open_bus($0, &opened) } ?? sd_bus_open_system(&opened)
        guard status >= 0, let opened else { return retry(after: -status) }
        bus = opened
        do throws(DescriptorReadiness.Failure) {
            if readiness == nil {
                readiness = try DescriptorReadiness(on: loop) { [unowned self] in process() }
            }
        } catch {
            return fail(error.errno)
        }
        // The bus's own name answers once the connection is established. It is sent when it is.
        call("GetId", []) { [unowned self] reply in
            guard case .message = reply else { return fail(ETIMEDOUT) }
            delay.reset()
            logged = nil
            onConnected?()
        }
        process()
    }

    /// Disconnects for good.
    func stop() {
        isStopped = true
        retryTimer.cancel()
        close()
        readiness?.stop()
        readiness = nil
    }

    // MARK: Sending and receiving

    /// Waits for the bus to read, if it has not read everything.
    func didSend() {
        if !isProcessing, unsent > 0 { arm() }
    }

    private func process() {
        guard let bus, !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        for _ in 0..<Self.messagesAtOnce {
            var received: OpaquePointer?
            let status = sd_bus_process(bus, &received)
            if let received { handle(BusMessage(owning: received)) }
            // A callback may have closed the connection.
            guard self.bus == bus else { return }
            guard status >= 0 else { return fail(-status) }
            guard status > 0 else { return arm() }
        }
        guard unsent <= Self.maximumUnsent else { return fail(ENOBUFS) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.process() }
    }

    private func handle(_ message: BusMessage) {
        switch message.kind {
        case .call: if let call = message.incomingCall() { onCall?(call) }
        case .signal: onSignal?(message)
        case .reply(let cookie, let isError): pending.receive(message, cookie: cookie, isError: isError)
        case .other: break
        }
    }

    /// Waits until libsystemd has something to do.
    private func arm() {
        guard let bus else { return }
        guard unsent <= Self.maximumUnsent else { return fail(ENOBUFS) }
        let (descriptor, events) = (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        guard descriptor >= 0, events >= 0 else { return fail(-min(descriptor, events)) }
        do throws(DescriptorReadiness.Failure) { try readiness?.wait(for: descriptor, events: events) } catch {
            return fail(error.errno)
        }
        var microseconds = UInt64.max
        guard sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds != .max else { return timeout.cancel() }
        let deadline = NIODeadline.uptimeNanoseconds(min(microseconds, .max / 2000) * 1000)
        timeout.set(at: deadline) { [unowned self] in process() }
    }

    private var unsent: UInt64 {
        var count: UInt64 = 0
        if let bus { sd_bus_get_n_queued_write(bus, &count) }
        return count
    }

    // MARK: Losing the connection

    /// Gives the connection up, later: the caller may be in the middle of something that the end would change.
    private func fail(_ errno: CInt) {
        let failed = NIOLoopBound((self, bus), eventLoop: loop)
        loop.execute {
            let (connection, bus) = failed.value
            guard connection.bus == bus else { return }
            connection.close()
            connection.retry(after: errno)
        }
    }

    private func retry(after errno: CInt) {
        let reason = String(cString: strerror(errno))
        if logged != reason {
            log.warning("apps that use GeoClue are not served: no connection to the system bus: \(reason)")
        }
        logged = reason
        guard !isStopped else { return }
        retryTimer.set(in: .seconds(delay.next())) { [unowned self] in start() }
    }

    private func close() {
        guard let bus else { return }
        self.bus = nil
        timeout.cancel()
        pending.removeAll()
        // Not flushed: that would wait for the bus.
        sd_bus_close_unref(bus)
        onDisconnected?()
    }
}
