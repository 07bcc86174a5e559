package import EventLoopSupport
internal import LocationProtocol
package import NIOCore

/// The location service of this machine, as far as this app is authorized to use it.
///
/// One client serves a whole program. Creating one costs nothing, and nothing happens before the first call.
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
/// Each stream has its own connection, which is closed when the task that reads it is cancelled or its iterator is
/// deallocated. From the first call on, a client keeps a further connection until it is deallocated: an authorization
/// granted *once* ends when the app's last connection has been closed for 10 s.
///
/// Streams survive a restart of the daemon. They report it (``LocationUpdate/disconnected``,
/// ``LocationUpdate/reconnected``), try to reconnect after 0.1 s, then after twice as long each time up to 5 s, and
/// continue. A stream that finds no daemon when it begins throws ``LocationError/daemonUnreachable(path:reason:)``.
public final class LocationClient: Sendable {
    let daemon: DaemonSocket
    let control: ControlConnection

    /// Creates a client of the daemon with its sockets in `runtimeDirectory`. The default is the directory in the
    /// environment variable `LOCATIOND_RUNTIME_DIRECTORY`, or else the installed daemon's, `/run/locationd`.
    ///
    /// ```swift
    /// let client = LocationClient()
    /// let ofATest = LocationClient(runtimeDirectory: "/tmp/locationd-test/run")
    /// ```
    public convenience init(runtimeDirectory: String? = nil) {
        self.init(runtimeDirectory: runtimeDirectory, eventLoop: nil)
    }

    /// Creates a client on the caller's event loop, if it has one.
    ///
    /// - Parameters:
    ///   - eventLoop: The loop for all work and callbacks, or `nil` for the shared one, which is created by the first
    ///     call.
    ///   - backoff: The delays between attempts to connect.
    package init(runtimeDirectory: String?, eventLoop: (any EventLoop)?, backoff: Backoff = Backoff()) {
        let directory =
            runtimeDirectory ?? runtimeDirectoryOfEnvironment ?? installedRuntimeDirectory
        daemon = DaemonSocket(runtimeDirectory: directory, eventLoop: eventLoop, backoff: backoff)
        control = ControlConnection(daemon)
    }

    deinit {
        control.close()
    }
}
