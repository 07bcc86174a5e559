internal import LocationClient
internal import NIOCore
internal import NIOPosix

/// What all managers, monitors and sessions of this process share: the connection to the daemon, and what it told.
///
/// Everything that is confined to an event loop is confined to `loop`, on which the daemon is heard.
final class AppSession: Sendable {
    /// Made with the first manager, stream or session: a program that makes none has no thread for it.
    static let shared = AppSession(runtimeDirectory: nil)

    let loop: any EventLoop
    let client: LocationClient
    let authorization: AppAuthorization
    let regions: AppRegions
    let wakes: AppWakes
    let headings = AppHeadings()
    let backgroundActivity: BackgroundActivity

    /// - Parameters:
    ///   - runtimeDirectory: where the daemon's sockets are; `nil` for the environment's, else the installed one.
    ///   - wakeSocket: the socket that this process was started through; `nil` for the one that systemd passed, if any.
    init(runtimeDirectory: String?, wakeSocket: WakeSocket? = nil) {
        loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        client = LocationClient(runtimeDirectory: runtimeDirectory, eventLoop: loop)
        authorization = AppAuthorization(client, on: loop)
        wakes = AppWakes(wakeSocket ?? .ofEnvironment, on: loop)
        regions = AppRegions(client, authorization, wakes, on: loop)
        backgroundActivity = BackgroundActivity(on: loop)
    }

    /// Runs `body` on the event loop, after everything that was to run on it before.
    func onLoop(_ body: @escaping @Sendable () -> Void) {
        loop.execute(body)
    }
}
