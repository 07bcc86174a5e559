/// The size of the messages that a connection was sent and the bus may still keep, in bytes.
///
/// Attack: an app makes calls, or starts clients, and reads nothing. The bus keeps the messages to it. dbus-daemon
/// charges them to their sender, and from 127 MiB on (max_incoming_bytes) it reads nothing more from the sender: no
/// other app would get a reply. So the bus is asked how much it keeps for the connection (GetConnectionStats), and
/// little is sent until it has answered: for 2048 connections, as many as a system bus has, it keeps 112 MiB. The app
/// itself is not asked, because many programs do not answer calls.
struct Backlog {
    /// The size that triggers a check with the bus, in bytes.
    static let checkSize = 8 * 1024
    /// The size in bytes above which locations are left out and calls wait. One location for each of the clients that a
    /// connection may have is smaller.
    static let maximumSize = 40 * 1024
    /// The size in bytes above which nothing at all is sent, neither signals nor errors for calls that cannot wait.
    static let limit = 56 * 1024

    private enum Check {
        case none
        /// The bus was asked. `sent` is the size of the messages sent since then.
        case underWay(sent: Int)
        /// The bus will be asked again later.
        case postponed
    }

    private var size = 0
    private var check = Check.none

    /// A Boolean value indicating whether locations are left out and calls wait.
    var isFull: Bool { size > Self.maximumSize }
    /// A Boolean value indicating whether nothing at all is sent.
    var isClosed: Bool { size > Self.limit }
    /// A Boolean value indicating whether the bus must be asked now.
    var needsCheck: Bool {
        if case .none = check { size >= Self.checkSize } else { false }
    }
    /// A Boolean value indicating whether the bus must be asked again later, because the connection reads slowly.
    var isPostponed: Bool {
        if case .postponed = check { true } else { false }
    }

    /// Counts a message of `size` bytes.
    mutating func sent(_ size: Int) {
        self.size += size
        if case .underWay(let sent) = check { check = .underWay(sent: sent + size) }
    }

    /// Starts waiting for the bus's answer.
    mutating func beginCheck() { check = .underWay(sent: 0) }

    /// Handles the bus's answer: the size that it keeps for the connection, or `nil` if it has not answered.
    mutating func checked(_ kept: Int?) {
        guard case .underWay(let sent) = check else { return }
        if let kept { size = kept + sent }
        check = kept.map { $0 < Self.checkSize } == true ? .none : .postponed
    }

    /// Ends the postponement of the next check.
    mutating func checkAgain() { check = .none }
}
