/// The bytes that a connection was sent and may not have read.
///
/// Attack: an app makes calls, or starts clients, and reads nothing. The bus keeps what the app was sent, and counts it
/// against the sender too: dbus-daemon reads nothing more of a sender of which it keeps 127 MiB (max_incoming_bytes).
/// Nobody else would get a reply any more. So an app that was sent something is called: `Peer.Ping`, which libdbus,
/// GDBus, sd-bus and Qt answer by themselves. Messages arrive in their order, so the answer proves that what was sent
/// before was read. Until then, little more is sent: of 2048 connections, as many as a system bus has, the bus keeps 112 MiB.
struct Backlog {
    /// The size at which the connection is called, in bytes.
    static let pingSize = 8 * 1024
    /// The size above which locations are left out and calls wait, in bytes. One location for each of the clients that
    /// a connection may have fits in.
    static let maximumSize = 40 * 1024
    /// The size above which nothing at all is sent, in bytes: neither signals nor errors for calls that cannot wait.
    static let limit = 56 * 1024

    private var size = 0
    /// The bytes sent since the call that is not answered yet, or `nil` if there is none.
    private var sizeSincePing: Int?

    /// A Boolean value indicating whether locations are left out and calls wait.
    var isFull: Bool { size > Self.maximumSize }
    /// A Boolean value indicating whether nothing at all is sent.
    var isClosed: Bool { size > Self.limit }
    /// A Boolean value indicating whether the connection is to be called.
    var needsPing: Bool { size >= Self.pingSize && sizeSincePing == nil }

    /// Counts a message of `size` bytes.
    mutating func sent(_ size: Int) {
        self.size += size
        if let since = sizeSincePing { sizeSincePing = since + size }
    }

    /// Begins to wait for the answer to a call.
    mutating func pinged() { sizeSincePing = 0 }

    /// Handles the end of a call. `hasRead` is `true` if it proves that everything sent before was read.
    mutating func answered(hasRead: Bool) {
        if hasRead, let since = sizeSincePing { size = since }
        sizeSincePing = nil
    }
}
