internal import LocationClient
internal import NIOCore
internal import NIOPosix

/// The state that all managers, monitors and sessions of this process share: the client of the daemon, and the values
/// that it has reported.
///
/// Everything that is confined to an event loop is confined to `loop`, on which the daemon's replies arrive.
final class AppSession: Sendable {
    /// Created with the first manager, stream or session. A program that creates none has no thread for it.
    static let shared = AppSession(runtimeDirectory: nil)

    let loop: any EventLoop
    let client: LocationClient
    let authorization: AppAuthorization
    let regions: AppRegions
    let wakes: WakeEvents
    let headings = HeadingAvailability()
    let backgroundActivity: BackgroundActivity

    /// Creates a session with an event loop of its own.
    ///
    /// - Parameters:
    ///   - runtimeDirectory: The folder of the daemon's sockets, or `nil` for the one in the environment, else the
    ///     installed one.
    ///   - wakeSocket: The socket through which this process was started, or `nil` for the one that systemd passed,
    ///     if any.
    init(runtimeDirectory: String?, wakeSocket: WakeSocket? = nil) {
        loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        client = LocationClient(runtimeDirectory: runtimeDirectory, eventLoop: loop)
        authorization = AppAuthorization(client, on: loop)
        wakes = WakeEvents(wakeSocket ?? .ofEnvironment, on: loop)
        regions = AppRegions(client, authorization, wakes, on: loop)
        backgroundActivity = BackgroundActivity(on: loop)
    }

    /// Runs `body` on the event loop, after everything that is already queued.
    func onLoop(_ body: @escaping @Sendable () -> Void) {
        loop.execute(body)
    }
}
