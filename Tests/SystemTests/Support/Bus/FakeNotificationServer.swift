import CSystemd
import Foundation
import Synchronization
import TestSupport

/// A desktop's notification server that shows nothing and records everything.
final class FakeNotificationServer: Sendable {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"

    /// A call of Notify.
    struct Notification: Equatable {
        /// The connection that made the call.
        var caller: String
        var id: UInt32
        var summary: String
        var body: String
        var actions: [String]
        /// 1 for normal, 2 for critical.
        var urgency: UInt8?
        /// The time after which it goes, in milliseconds; 0 if it stays.
        var timeout: Int32

        /// Returns the key of the button with that label.
        func key(_ label: String) -> String {
            actions.firstIndex(of: label).map { actions[$0 - 1] } ?? "no button \(label)"
        }
    }

    /// A signal to send.
    enum Signal {
        case invoked(UInt32, String)
        case closed(UInt32, reason: UInt32)
    }

    private struct State {
        var shown: [Notification] = []
        var withdrawn: [UInt32] = []
        var signals: [Signal] = []
        var isOver = false
    }
    private let state: StateBox

    /// The state, shared with the thread, which ends after the server is released.
    private final class StateBox: Sendable {
        let value = Mutex(State())
    }

    var shown: [Notification] { state.value.withLock { $0.shown } }
    var withdrawn: [UInt32] { state.value.withLock { $0.withdrawn } }

    /// Starts a server that calls itself `program`.
    init(on bus: PrivateBus, capabilities: [String], program: String = "a test") throws {
        let state = StateBox()
        self.state = state
        nonisolated(unsafe) let bus = try bus.open()
        guard sd_bus_request_name(bus, Self.name, 0) >= 0 else { throw POSIXError(.EADDRINUSE) }
        Thread.detachNewThread {
            while !state.value.withLock({ $0.isOver }) {
                let signals = state.value.withLock { state in
                    defer { state.signals = [] }
                    return state.signals
                }
                for signal in signals { Self.send(signal, on: bus) }
                var message: OpaquePointer?
                if sd_bus_process(bus, &message) == 0 { sd_bus_wait(bus, 5000) }
                guard let message else { continue }
                Self.answer(message, capabilities, program, state)
                sd_bus_message_unref(message)
            }
            sd_bus_flush_close_unref(bus)
        }
    }

    deinit { state.value.withLock { $0.isOver = true } }

    func send(_ signal: Signal) { state.value.withLock { $0.signals.append(signal) } }

    /// Presses a button of the latest notification once it can have been read, and again if it was not yet: the prompt
    /// is then shown again. Returns the notification whose button had the effect.
    @discardableResult func press(_ label: String, until isDone: () -> Bool) async throws -> Notification {
        while true {
            let before = shown
            guard let latest = before.last else { throw POSIXError(.ENOENT) }
            try await Task.sleep(for: .milliseconds(700))
            send(.invoked(latest.id, latest.key(label)))
            try await eventually("\(label), pressed") { isDone() || shown.count > before.count }
            if isDone() { return latest }
        }
    }

    /// Sends a signal: as the server to everybody, or as any program to one connection.
    static func send(_ signal: Signal, on bus: OpaquePointer, to destination: String? = nil) {
        var message: OpaquePointer?
        let member =
            switch signal {
            case .invoked: "ActionInvoked"
            case .closed: "NotificationClosed"
            }
        sd_bus_message_new_signal(bus, &message, path, name, member)
        switch signal {
        case .invoked(let id, let key):
            append(id, to: message)
            append(key, to: message)
        case .closed(let id, let reason):
            append(id, to: message)
            append(reason, to: message)
        }
        if let destination { sd_bus_message_set_destination(message, destination) }
        sd_bus_send(bus, message, nil)
        sd_bus_flush(bus)
        sd_bus_message_unref(message)
    }

    /// Replaces a notification, as any program can that knows or guesses its id.
    static func replace(_ id: UInt32, on bus: OpaquePointer, summary: String, actions: [String]) {
        var call: OpaquePointer?
        sd_bus_message_new_method_call(bus, &call, name, path, name, "Notify")
        append("another app", to: call)
        append(id, to: call)
        for text in ["", summary, ""] { append(text, to: call) }
        sd_bus_message_open_container(call, CChar(UInt8(ascii: "a")), "s")
        for action in actions { append(action, to: call) }
        sd_bus_message_close_container(call)
        sd_bus_message_open_container(call, CChar(UInt8(ascii: "a")), "{sv}")
        sd_bus_message_close_container(call)
        var timeout: Int32 = 0
        sd_bus_message_append_basic(call, CChar(UInt8(ascii: "i")), &timeout)
        sd_bus_call(bus, call, 0, nil, nil)
        sd_bus_message_unref(call)
    }

    private static func answer(
        _ call: OpaquePointer, _ capabilities: [String], _ program: String, _ state: StateBox
    ) {
        guard sd_bus_message_is_method_call(call, name, nil) > 0, let member = sd_bus_message_get_member(call) else {
            return
        }
        var reply: OpaquePointer?
        sd_bus_message_new_method_return(call, &reply)
        switch String(cString: member) {
        case "GetCapabilities":
            sd_bus_message_open_container(reply, CChar(UInt8(ascii: "a")), "s")
            for capability in capabilities { append(capability, to: reply) }
            sd_bus_message_close_container(reply)
        case "GetServerInformation": for text in [program, "a vendor", "1", "1.2"] { append(text, to: reply) }
        case "Notify":
            _ = text(call)
            let replaced = number(call)
            _ = text(call)
            let (summary, body) = (text(call), text(call))
            var actions: [String] = []
            sd_bus_message_enter_container(call, CChar(UInt8(ascii: "a")), "s")
            while sd_bus_message_at_end(call, 0) == 0 { actions.append(text(call)) }
            sd_bus_message_exit_container(call)
            let urgency = urgency(call)
            var timeout: Int32 = -1
            sd_bus_message_read_basic(call, CChar(UInt8(ascii: "i")), &timeout)
            let caller = sd_bus_message_get_sender(call).map { String(cString: $0) } ?? ""
            let id = state.value.withLock { [timeout] state in
                let id = replaced != 0 ? replaced : UInt32(41 + state.shown.count)
                state.shown.append(
                    Notification(
                        caller: caller, id: id, summary: summary, body: body, actions: actions, urgency: urgency,
                        timeout: timeout))
                return id
            }
            append(id, to: reply)
        case "CloseNotification":
            let id = number(call)
            state.value.withLock { $0.withdrawn.append(id) }
        default: break
        }
        if sd_bus_message_get_expect_reply(call) > 0 { sd_bus_send(nil, reply, nil) }
        sd_bus_message_unref(reply)
    }

    private static func append(_ text: String, to message: OpaquePointer?) {
        _ = text.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
    }

    private static func append(_ number: UInt32, to message: OpaquePointer?) {
        _ = withUnsafePointer(to: number) { sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), $0) }
    }

    private static func text(_ message: OpaquePointer) -> String {
        var text: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text)
        return text.map { String(cString: $0) } ?? ""
    }

    /// Reads the hints, and returns the urgency among them.
    private static func urgency(_ message: OpaquePointer) -> UInt8? {
        var urgency: UInt8?
        sd_bus_message_enter_container(message, CChar(UInt8(ascii: "a")), "{sv}")
        while sd_bus_message_enter_container(message, CChar(UInt8(ascii: "e")), "sv") > 0 {
            if text(message) == "urgency" {
                var value: UInt8 = 0
                sd_bus_message_enter_container(message, CChar(UInt8(ascii: "v")), "y")
                sd_bus_message_read_basic(message, CChar(UInt8(ascii: "y")), &value)
                sd_bus_message_exit_container(message)
                urgency = value
            } else {
                sd_bus_message_skip(message, "v")
            }
            sd_bus_message_exit_container(message)
        }
        sd_bus_message_exit_container(message)
        return urgency
    }

    private static func number(_ message: OpaquePointer) -> UInt32 {
        var number: UInt32 = 0
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number)
        return number
    }
}
