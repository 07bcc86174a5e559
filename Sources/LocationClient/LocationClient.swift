internal import Glibc
internal import LocationProtocol
package import NIOCore

/// The location service of this machine, as this app may have it.
///
/// One client serves a whole program; making one costs nothing, and nothing happens before the first call.
///
/// ```swift
/// import LocationClient
///
/// let client = LocationClient()
/// let authorization = try await client.requestAuthorization(.whenInUse, reason: "to show the way")
/// guard authorization.status.isAuthorized else { exit(4) }
/// for try await case .location(let location) in client.updates() {
///     print(location.latitude, location.longitude, location.horizontalAccuracy ?? .infinity)
/// }
/// ```
///
/// Each stream has a connection of its own, which is closed when the task that reads it is cancelled or its iterator goes
/// away. From the first call on, a client keeps one further connection until it goes away itself: a permission that was
/// given *once* ends when the app's last connection has been closed for 10 s.
///
/// Streams outlive the daemon: when it is restarted they say so (``LocationUpdate/disconnected``,
/// ``LocationUpdate/reconnected``), connect again after 0.1 s, then after twice as long each time up to 5 s, and go on. A
/// stream that finds no daemon when it begins throws ``LocationError/daemonUnreachable(path:reason:)``.
public final class LocationClient: Sendable {
    let daemon: Daemon
    let control: ControlConnection

    /// The daemon whose sockets are in `runtimeDirectory`; without one, that of the environment's
    /// `LOCATIOND_RUNTIME_DIRECTORY`, else the installed one, `/run/locationd`.
    ///
    /// ```swift
    /// let client = LocationClient()
    /// let ofATest = LocationClient(runtimeDirectory: "/tmp/locationd-test/run")
    /// ```
    public convenience init(runtimeDirectory: String? = nil) {
        self.init(runtimeDirectory: runtimeDirectory, eventLoop: nil)
    }

    /// The same on an event loop of the caller's, where it has one.
    ///
    /// - Parameters:
    ///   - eventLoop: Where everything happens and callbacks are called; the shared one, made with the first call, where
    ///     it is `nil`.
    ///   - backoff: How long to wait between two attempts to connect.
    package init(runtimeDirectory: String?, eventLoop: (any EventLoop)?, backoff: Backoff = Backoff()) {
        let directory =
            runtimeDirectory ?? getenv("LOCATIOND_RUNTIME_DIRECTORY").map { String(cString: $0) }
            ?? installedRuntimeDirectory
        daemon = Daemon(runtimeDirectory: directory, eventLoop: eventLoop, backoff: backoff)
        control = ControlConnection(daemon)
    }

    deinit {
        control.close()
    }
}
