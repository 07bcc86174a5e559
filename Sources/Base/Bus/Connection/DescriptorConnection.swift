internal import Bytewise
internal import CLinux
internal import CSystemd
internal import Glibc
package import Linux

/// A connection to the system bus that receives descriptors, for a thread that no other part waits for.
///
/// Attack: any program on the bus can send a message with descriptors, unless a rule of the bus forbids it. Closing a
/// descriptor may take forever, for instance if its file is in a file system that never answers. Libsystemd closes all
/// of them in the thread that calls it, whichever program sent them. So the connection belongs to one thread, which
/// does nothing that other parts depend on. Closing a lingering socket is interrupted (`descriptors_close`).
///
/// Messages of programs other than ``service`` and the bus are dropped without an answer.
package final class DescriptorConnection {
    /// A message that matters.
    package enum Received {
        /// A call by the service.
        case call(BusMessage)
        /// A signal of the service, or of the bus.
        case signal(BusMessage)
        /// The reply to the call with this cookie, from the connection that was called.
        case reply(cookie: UInt64, BusMessage)
        /// An error in reply to the call with this cookie, from the connection that was called or from the bus.
        case failure(cookie: UInt64, BusFailure)
    }

    /// The maximum number of calls that wait for a reply. The service may never reply.
    package static let maximumCalls = 256

    /// The unique name of the connection whose calls and signals matter, or `nil` to ignore all calls and signals.
    package var service: String?

    private let bus: OpaquePointer
    /// The message that libsystemd received last, unless it was handled already.
    private let received: UnsafeMutablePointer<OpaquePointer?>
    /// The destinations of calls, by the cookie of the call.
    private var called: [UInt64: String] = [:]

    /// Begins to connect.
    ///
    /// - Parameter address: The address of the bus, or `nil` for the system bus.
    package init(address: String?) throws(SystemCallError) {
        var opened: OpaquePointer?
        let status = csystemd_open_bus(address, 1, &opened)
        guard status >= 0, let opened else { throw SystemCallError("sd_bus_start", -status) }
        bus = opened
        received = .allocate(capacity: 1)
        received.initialize(to: nil)
        csystemd_keep_messages(bus, received)
    }

    deinit {
        // Not flushed: that would wait for the bus. Messages that were not handled are dropped with their descriptors.
        descriptors_close({ sd_bus_close_unref(OpaquePointer($0)) }, UnsafeMutableRawPointer(bus))
        received.deallocate()
    }

    // MARK: Waiting

    /// Returns the descriptor to wait for, the events of poll(2), and the deadline for waiting, in microseconds of
    /// CLOCK_MONOTONIC.
    package func awaited() throws(SystemCallError) -> (descriptor: CInt, events: Int16, deadline: UInt64) {
        let (descriptor, events) = (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        guard descriptor >= 0, events >= 0 else { throw SystemCallError("sd_bus_get_fd", -min(descriptor, events)) }
        var deadline = UInt64.max
        sd_bus_get_timeout(bus, &deadline)
        return (descriptor, Int16(truncatingIfNeeded: events), deadline)
    }

    /// Sends and receives what is possible without waiting, up to one message, and calls `handle` with it if it
    /// matters. Returns `false` if there is nothing more to do now.
    ///
    /// `handle` must not keep the message, whose descriptors are closed afterwards.
    package func process(_ handle: (Received) -> Void) throws(SystemCallError) -> Bool {
        let status = sd_bus_process(bus, nil)
        if let message = received.pointee {
            received.pointee = nil
            show(message, to: handle)
            descriptors_close({ sd_bus_message_unref(OpaquePointer($0)) }, UnsafeMutableRawPointer(message))
        }
        guard status >= 0 else { throw SystemCallError("sd_bus_process", -status) }
        return status > 0
    }

    /// Calls `handle` with a message. Afterwards, only the caller's reference to the message is left.
    private func show(_ message: OpaquePointer, to handle: (Received) -> Void) {
        if let received = examine(BusMessage(owning: sd_bus_message_ref(message))) { handle(received) }
    }

    private func examine(_ message: BusMessage) -> Received? {
        switch message.kind {
        case .call: return message.sender.map(isService) == true ? .call(message) : nil
        case .signal: return message.sender.map { isService($0) || isBus($0) } == true ? .signal(message) : nil
        case .reply(let cookie, let isError):
            // As in `PendingCalls`: another connection may guess a cookie.
            guard let destination = called[cookie], let sender = message.sender else { return nil }
            guard sender.isBytewiseEqual(to: destination) || isError && isBus(sender) else { return nil }
            called[cookie] = nil
            return isError ? .failure(cookie: cookie, message.failure) : .reply(cookie: cookie, message)
        case .other: return nil
        }
    }

    private func isService(_ sender: String) -> Bool { service.map(sender.isBytewiseEqual) == true }

    private func isBus(_ sender: String) -> Bool { sender.isBytewiseEqual(to: BusDriver.name) }

    // MARK: Sending

    /// Calls a method. Returns the cookie of the call, or `nil` if it cannot be sent.
    package func call(
        _ method: String, of interface: String, at path: String, on destination: String, _ arguments: [BusValue]
    ) -> UInt64? {
        guard called.count < Self.maximumCalls else { return nil }
        let message = OutgoingBusMessage(calling: method, of: interface, at: path, to: destination, on: bus)
        message.append(arguments)
        let cookie = message.send(on: bus, wantsReply: true)
        if let cookie { called[cookie] = destination }
        return cookie
    }

    /// Starts to receive the signals that match a rule: D-Bus specification, "Match Rules".
    package func addMatch(_ rule: String) { callBus("AddMatch", rule) }

    /// Stops receiving the signals that match a rule, unless another rule matches them.
    package func removeMatch(_ rule: String) { callBus("RemoveMatch", rule) }

    private func callBus(_ method: String, _ rule: String) {
        let message = OutgoingBusMessage(
            calling: method, of: BusDriver.name, at: BusDriver.path, to: BusDriver.name, on: bus)
        message.append([.string(rule)])
        _ = message.send(on: bus)
    }

    /// Replies to a call that has been received.
    package func reply(to call: IncomingCall, _ error: BusError? = nil) {
        guard call.expectsReply else { return }
        let message =
            if let error {
                OutgoingBusMessage(failing: call, with: error, on: bus)
            } else {
                OutgoingBusMessage(replyingTo: call, on: bus)
            }
        _ = message.send(on: bus)
    }
}

extension BusMessage {
    /// The call without its arguments, for a reply, or `nil` if the message has no sender.
    package var callWithoutArguments: IncomingCall? { incomingCall(reading: []) }

    var failure: BusFailure {
        let name = sd_bus_message_get_error(message)?.pointee.name.map { String(cString: $0) } ?? ""
        return BusFailure(name: name, text: errorText)
    }

    /// Returns a close-on-exec duplicate of the next argument if it is a descriptor. The caller owns the duplicate.
    package func readDescriptor() -> CInt? {
        var descriptor: CInt = -1
        guard sd_bus_message_read_basic(message, Character("h").code, &descriptor) > 0 else { return nil }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }
}
