internal import CSystemd
internal import Glibc
internal import LocationctlSupport

/// The notification server of the user's desktop, on the session bus.
final class SessionBus {
    /// A signal from the server or about it.
    enum Notice {
        case invoked(UInt32, key: String, sender: String)
        case closed(UInt32, reason: UInt32, sender: String)
        /// Another server has taken over. It shows no notifications yet.
        case serverChanged(String)
    }

    private let bus: OpaquePointer

    /// Connects to the session bus. Throws an error if there is none.
    init() throws(Failure) {
        var bus: OpaquePointer?
        let result = csystemd_open(&bus)
        guard result >= 0, let bus else {
            throw Failure(
                .failed,
                "cannot connect to the session bus (\(Self.text(result))); "
                    + "run this in a desktop session, or without --notify")
        }
        self.bus = bus
    }

    deinit { csystemd_close(bus) }

    /// The descriptor that becomes readable when a signal has arrived.
    var descriptor: CInt { sd_bus_get_fd(bus) }

    /// Becomes the agent of this session that shows prompts as notifications. Returns `false` if there already is such
    /// an agent: no prompt is shown twice.
    func becomeAgent() throws(Failure) -> Bool {
        let result = sd_bus_request_name(bus, "io.locationd.Agent", 0)
        guard result < 0, result != -EEXIST else { return result >= 0 }
        throw Failure(.failed, "cannot become the agent of the desktop session (\(Self.text(result)))")
    }

    /// Returns whether notifications can have buttons.
    func hasButtons() throws(Failure) -> Bool {
        let result = csystemd_has_capability(bus, "actions")
        guard result >= 0 else {
            throw Failure(
                .failed,
                "no notification server answers on this desktop (\(Self.text(result))); "
                    + "start one, or run this without --notify")
        }
        return result > 0
    }

    /// Returns whether the server displays the action `default` as a button even if it has no label, and closes a
    /// notification that is pressed (xfce4-notifyd 0.9.7).
    func makesButtonOfDefault() -> Bool { csystemd_is_server(bus, "Xfce Notify Daemon") > 0 }

    /// Returns the urgency with which a prompt stays on the screen, with its buttons. GNOME Shell 48 hides every
    /// notification but a critical one after four seconds, whatever timeout it has.
    private func urgency() -> UInt8 { csystemd_is_server(bus, "gnome-shell") > 0 ? 2 : 1 }

    /// Shows a notification. Returns its id and the unique bus name of the server, or the reason for the failure.
    func show(_ text: NotificationText) -> Result<(id: UInt32, server: String), NotShown> {
        var actions: [UnsafeMutablePointer<CChar>?] = text.actions.map { strdup($0) }
        defer { actions.forEach { free($0) } }
        actions.append(nil)
        var id: UInt32 = 0
        var server = [CChar](repeating: 0, count: Int(CSYSTEMD_NAME_SIZE))
        let result = csystemd_notify(bus, urgency(), text.icon, text.summary, text.body, actions, &id, &server)
        guard result >= 0 else { return .failure(NotShown(reason: Self.text(result))) }
        return .success((id, Self.text(server)))
    }

    /// The reason why a notification is not shown.
    struct NotShown: Error { var reason: String }

    /// Removes a notification, if it is still shown.
    func withdraw(_ id: UInt32) {
        _ = csystemd_withdraw(bus, id)
    }

    /// Returns the next signal, or `nil` if none has arrived. Throws an error if the bus is gone.
    func next() throws(Failure) -> Notice? {
        var notice = csystemd_notice()
        while true {
            let result = csystemd_next(bus, &notice)
            guard result >= 0 else {
                throw Failure(.failed, "lost the connection to the session bus (\(Self.text(result)))")
            }
            let sender = withUnsafeBytes(of: notice.sender) { Self.text($0.map { CChar(bitPattern: $0) }) }
            switch notice.kind {
            case CSYSTEMD_INVOKED:
                let key = withUnsafeBytes(of: notice.key) { Self.text($0.map { CChar(bitPattern: $0) }) }
                return .invoked(notice.id, key: key, sender: sender)
            case CSYSTEMD_CLOSED: return .closed(notice.id, reason: notice.reason, sender: sender)
            case CSYSTEMD_SERVER_CHANGED where !sender.isEmpty: return .serverChanged(sender)
            default: if result == 0 { return nil }
            }
        }
    }

    private static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func text(_ negatedErrno: CInt) -> String { String(cString: strerror(-negatedErrno)) }
}
