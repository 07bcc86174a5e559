internal import CSystemd
package import EventLoopSupport
internal import Glibc
internal import Linux
package import NIOCore

/// Handles what arrives on a connection to a bus.
package protocol BusConnectionDelegate: AnyObject {
    /// Handles a new connection: the first one, or one after a loss.
    func connected()
    /// Handles the end of the connection, or of an attempt to connect. `reason` is meant for users. It is `nil` if
    /// ``BusConnection/disconnect()`` or ``BusConnection/stop()`` ended the connection; otherwise, the connection is
    /// tried again.
    func disconnected(_ reason: String?)
    /// Handles a call that has arrived.
    func receive(_ call: IncomingCall)
    /// Handles a signal that has arrived.
    func receive(_ signal: BusMessage)
}

/// A connection to the system bus or a session bus, by libsystemd's sd-bus on the event loop.
///
/// Nothing blocks: libsystemd is called when its descriptor is ready, and no call waits for its reply. A lost
/// connection is made again, with a growing delay. Clients of services share one connection: ``Bus``. Confined to the
/// event loop. What the loop keeps may outlive the connection, and does not call it then.
package final class BusConnection {
    /// The number of received messages after which the loop does something else.
    ///
    /// Attack: a program on the bus sends messages without end.
    private static let messagesAtOnce = 64
    /// The total size of unsent messages, in bytes, above which the connection is given up. A bus that has stopped
    /// reading drops what it keeps for the daemon when the connection ends.
    private static let maximumUnsentSize = 8 * 1024 * 1024

    /// Handles what arrives.
    package weak var delegate: (any BusConnectionDelegate)?

    private let address: String?
    /// The signatures of calls whose arguments are read.
    private let signatures: Set<String>
    let loop: any EventLoop
    private(set) var bus: OpaquePointer?
    /// The id of the bus. No other bus has it, and the same bus gets a new one when it is started again. `nil` before
    /// the first connection.
    package private(set) var id: String?
    private let poller: DescriptorPoller
    /// The watch of libsystemd's descriptor. Libsystemd may replace the descriptor while it connects.
    private var watch: (descriptor: CInt, watch: DescriptorPoller.Watch)?
    private let timeout: LoopTimer
    private let retry: Retry
    /// A Boolean value indicating whether there is a connection, or one is being established.
    package private(set) var isOpen = false
    /// A Boolean value indicating whether there is a connection.
    package private(set) var isConnected = false
    /// The number of the connection. It keeps the end of one connection from ending the next one.
    private var number = 0
    private var isStopped = false
    private var isProcessing = false
    private var unsent = UnsentMessages()
    /// The message that libsystemd received last, unless it was handled already.
    private let received: UnsafeMutablePointer<OpaquePointer?>
    /// The calls that wait for their answers.
    let pending: PendingCalls

    /// Creates a connection, which is not established yet.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, or `nil` for the system bus, at DBUS_SYSTEM_BUS_ADDRESS or the machine's
    ///     standard address.
    ///   - signatures: The signatures of calls whose arguments are read. The arguments of other calls are left out.
    ///   - poller: Waits for the bus.
    package init(
        address: String?, reading signatures: Set<String> = [], poller: DescriptorPoller, on loop: any EventLoop
    ) {
        self.address = address
        self.signatures = signatures
        self.poller = poller
        self.loop = loop
        timeout = LoopTimer(on: loop)
        retry = Retry(Backoff(first: 1, greatest: 60), on: loop)
        pending = PendingCalls(on: loop)
        received = .allocate(capacity: 1)
        received.initialize(to: nil)
    }

    deinit { received.deallocate() }

    /// The machine's id, machine-id(5), or `nil` if it has none.
    package static var machineID: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(SD_ID128_STRING_MAX)) { text in
            guard let start = text.baseAddress, csystemd_machine_id(start) >= 0 else { return nil }
            return String(cString: start)
        }
    }

    /// Connects now, unless there is a connection already.
    package func start() {
        guard !isOpen, !isStopped else { return }
        isOpen = true
        number += 1
        var opened: OpaquePointer?
        var status = csystemd_open_bus(address, 0, &opened)
        if status >= 0 { status = csystemd_keep_messages(opened, received) }
        bus = opened
        guard status >= 0 else { return fail(-status) }
        // The bus answers this call once the connection is established. Libsystemd keeps the call until then.
        call("GetId", []) { [weak self] reply in
            guard let self else { return }
            guard case .message(let message) = reply else { return fail(ETIMEDOUT) }
            id = message.readString()
            retry.succeeded()
            isConnected = true
            delegate?.connected()
        }
        // During the handling of a message, the connection that is being processed is the previous one.
        if isProcessing { processLater() } else { process() }
    }

    /// Disconnects until ``start()`` is called again.
    package func disconnect() {
        retry.cancel()
        close()
    }

    /// Disconnects permanently.
    package func stop() {
        isStopped = true
        retry.cancel()
        close()
    }

    // MARK: Sending and receiving

    /// Sends a message, or keeps it until the bus reads. Returns its cookie, or `nil` if it cannot be sent.
    @discardableResult
    func send(_ message: OutgoingBusMessage, wantsReply: Bool = false) -> UInt64? {
        guard let bus, unsent.size <= Self.maximumUnsentSize else { return nil }
        let cookie = message.send(on: bus, wantsReply: wantsReply)
        unsent.append(message.size)
        updateUnsent()
        if !isProcessing, !unsent.isEmpty { arm() }
        return cookie
    }

    private func updateUnsent() {
        var count: UInt64 = 0
        if let bus { sd_bus_get_n_queued_write(bus, &count) }
        unsent.keepLast(Int(clamping: count))
    }

    private func processLater() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.process() }
    }

    private func process() {
        guard let bus, !isProcessing else { return }
        let number = number
        isProcessing = true
        defer { isProcessing = false }
        for _ in 0..<Self.messagesAtOnce {
            let status = sd_bus_process(bus, nil)
            if let message = received.pointee {
                received.pointee = nil
                handle(BusMessage(owning: message))
            }
            // A callback may have closed the connection and opened another one.
            guard self.number == number, self.bus != nil else { return }
            guard status >= 0 else { return fail(-status) }
            guard status > 0 else { return arm() }
        }
        updateUnsent()
        guard unsent.size <= Self.maximumUnsentSize else { return fail(ENOBUFS) }
        processLater()
    }

    private func handle(_ message: BusMessage) {
        switch message.kind {
        case .call: if let call = message.incomingCall(reading: signatures) { delegate?.receive(call) }
        case .signal: delegate?.receive(message)
        case .reply(let cookie, let isError): pending.receive(message, cookie: cookie, isError: isError)
        case .other: break
        }
    }

    /// Waits until libsystemd has something to do.
    private func arm() {
        guard let bus else { return }
        updateUnsent()
        guard unsent.size <= Self.maximumUnsentSize else { return fail(ENOBUFS) }
        let (descriptor, events) = (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        guard descriptor >= 0, events >= 0 else { return fail(-min(descriptor, events)) }
        do throws(SystemCallError) {
            try watch(of: descriptor).wait(for: .init(rawValue: UInt32(events)))
        } catch {
            return fail(error.errno)
        }
        var microseconds = UInt64.max
        guard sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds != .max else { return timeout.cancel() }
        let deadline = NIODeadline.uptimeNanoseconds(min(microseconds, .max / 2000) * 1000)
        timeout.set(at: deadline) { [weak self] in self?.process() }
    }

    private func watch(of descriptor: CInt) -> DescriptorPoller.Watch {
        if let watch, watch.descriptor == descriptor { return watch.watch }
        watch?.watch.end()
        let watch = poller.watch(descriptor) { [weak self] _ in self?.process() }
        self.watch = (descriptor, watch)
        return watch
    }

    // MARK: Losing the connection

    /// Schedules the end of the connection. Ending it now could change what the caller is working on.
    private func fail(_ errno: CInt) {
        let failed = NIOLoopBound((self, number), eventLoop: loop)
        loop.execute {
            let (connection, number) = failed.value
            guard connection.isOpen, connection.number == number else { return }
            // Scheduled first: the delegate may cancel the retry.
            connection.retry.schedule { [weak connection] in connection?.start() }
            connection.close("no connection to the system bus: \(String(cString: strerror(errno)))")
        }
    }

    private func close(_ reason: String? = nil) {
        guard isOpen else { return }
        isOpen = false
        isConnected = false
        watch?.watch.end()
        watch = nil
        timeout.cancel()
        unsent.keepLast(0)
        pending.removeAll()
        // Not flushed: that would wait for the bus.
        if let bus { sd_bus_close_unref(bus) }
        bus = nil
        delegate?.disconnected(reason)
    }
}
