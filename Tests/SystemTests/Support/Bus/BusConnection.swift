import CSystemd
import Foundation
import TestSupport

/// A message that was received from a bus.
struct BusMessage: Sendable {
    let sender: String
    let path: String
    let interface: String
    let member: String
    let arguments: [BusValue]
}

/// An error that a call was answered with.
struct BusError: Error, Equatable {
    let name: String
    let text: String

    static let prefix = "org.freedesktop.DBus.Error."

    /// The name without the prefix of the standard errors.
    var shortName: String { name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name }
}

/// A connection of this process to a bus, which sends and receives messages in order.
final class BusConnection {
    private let bus: OpaquePointer
    private var replies: [UInt64: Result<[BusValue], BusError>] = [:]
    /// The signals that have arrived and that nothing has waited for.
    private(set) var signals: [BusMessage] = []
    /// Answers a call of this connection's own objects, or returns `nil` to never answer it.
    var respond: ((BusMessage) -> [BusValue]?)?

    init(_ address: String) throws {
        var bus: OpaquePointer?
        guard sd_bus_new(&bus) >= 0, let bus else { throw POSIXError(.ENOMEM) }
        self.bus = bus
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0
        else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// The unique name of this connection.
    var name: String {
        var name: UnsafePointer<CChar>?
        sd_bus_get_unique_name(bus, &name)
        return name.map { String(cString: $0) } ?? ""
    }

    /// Acquires a well-known name.
    func own(_ name: String) throws {
        guard sd_bus_request_name(bus, name, 0) >= 0 else { throw POSIXError(.EADDRINUSE) }
    }

    /// Waits until something arrives, for a tenth of a second at most.
    func wait() { sd_bus_wait(bus, 100_000) }

    // MARK: Calls

    /// Sends a call. Returns what identifies its reply.
    func send(
        to destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
    ) throws -> UInt64 {
        var call: OpaquePointer?
        guard sd_bus_message_new_method_call(bus, &call, destination, path, interface, member) >= 0 else {
            throw POSIXError(.EINVAL)
        }
        defer { sd_bus_message_unref(call) }
        for argument in arguments { argument.append(to: call) }
        var cookie: UInt64 = 0
        guard sd_bus_send(bus, call, &cookie) >= 0 else { throw POSIXError(.EPIPE) }
        return cookie
    }

    /// Waits for the reply to a call.
    func reply(to cookie: UInt64) async throws -> [BusValue] {
        try await eventually("a reply") {
            try receive()
            return replies[cookie] != nil
        }
        return try replies.removeValue(forKey: cookie)?.get() ?? []
    }

    /// Makes a call and waits for its reply.
    @discardableResult func call(
        to destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
    ) async throws -> [BusValue] {
        try await reply(to: try send(to: destination, path, interface, member, arguments))
    }

    /// Calls the bus itself.
    @discardableResult func callBus(_ member: String, _ arguments: [BusValue] = []) async throws -> [BusValue] {
        try await call(
            to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
    }

    // MARK: Signals

    /// Sends a signal to everybody who wants it.
    func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) {
        var signal: OpaquePointer?
        sd_bus_message_new_signal(bus, &signal, path, interface, member)
        for argument in arguments { argument.append(to: signal) }
        sd_bus_send(bus, signal, nil)
        sd_bus_flush(bus)
        sd_bus_message_unref(signal)
    }

    /// Waits for a signal, and drops the ones before it.
    func signal(_ what: String, where isIt: (BusMessage) -> Bool) async throws -> BusMessage {
        var found: BusMessage?
        try await eventually(what) {
            try receive()
            guard let index = signals.firstIndex(where: isIt) else { return false }
            found = signals[index]
            signals.removeFirst(index + 1)
            return true
        }
        guard let found else { throw Overdue(what: what) }
        return found
    }

    /// Returns the signals that were sent before the reply to a call that is made now to the bus and to a service. A
    /// connection receives the messages of each sender in the order of sending.
    func signals(from service: String) async throws -> [BusMessage] {
        try await call(to: service, "/", "org.freedesktop.DBus.Peer", "Ping")
        defer { signals = [] }
        return signals
    }

    // MARK: Receiving

    /// Receives messages that have arrived, and answers calls.
    func receive() throws {
        while true {
            var message: OpaquePointer?
            let result = sd_bus_process(bus, &message)
            guard result >= 0 else { throw POSIXError(.EPIPE) }
            guard result > 0 else { return }
            guard let message else { continue }
            handle(message)
            sd_bus_message_unref(message)
        }
    }

    private func handle(_ message: OpaquePointer) {
        var type: UInt8 = 0
        var cookie: UInt64 = 0
        sd_bus_message_get_type(message, &type)
        sd_bus_message_get_reply_cookie(message, &cookie)
        // The numbers of the types: D-Bus Specification, "Message Types".
        switch type {
        case 1: answer(message)
        case 2: replies[cookie] = .success(Self.arguments(of: message))
        case 3: replies[cookie] = .failure(Self.error(of: message))
        default: signals.append(Self.received(message))
        }
    }

    private func answer(_ call: OpaquePointer) {
        guard let values = respond?(Self.received(call)) else { return }
        var reply: OpaquePointer?
        sd_bus_message_new_method_return(call, &reply)
        for value in values { value.append(to: reply) }
        sd_bus_send(bus, reply, nil)
        sd_bus_message_unref(reply)
    }

    private static func arguments(of message: OpaquePointer) -> [BusValue] {
        var values: [BusValue] = []
        while let value = BusValue.next(in: message) { values.append(value) }
        return values
    }

    private static func error(of message: OpaquePointer) -> BusError {
        guard let error = sd_bus_message_get_error(message)?.pointee, let name = error.name else {
            return BusError(name: "", text: "")
        }
        return BusError(name: String(cString: name), text: error.message.map { String(cString: $0) } ?? "")
    }

    private static func received(_ message: OpaquePointer) -> BusMessage {
        func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
        return BusMessage(
            sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
            interface: text(sd_bus_message_get_interface(message)),
            member: text(sd_bus_message_get_member(message)), arguments: arguments(of: message))
    }
}
