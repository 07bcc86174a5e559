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

    /// The times for which a session waits. Tests choose others.
    struct Delays: Sendable {
        /// The time after which an app that uses locations is expected to have requested authorization.
        var authorizationRequest = TimeAmount.seconds(5)
        /// The timeout of a request for the state of a region. Two fixes determine the state, which are 10 s apart if
        /// only the region needs them, after the receiver has been opened.
        var regionState = TimeAmount.seconds(30)
    }

    let loop: any EventLoop
    let client: LocationClient
    let updates: SharedUpdates
    let authorization: AppAuthorization
    let regions: AppRegions
    let wakes: WakeEvents
    let locations = LastLocations()
    let diagnostics: Diagnostics
    let backgroundActivity: BackgroundActivity

    /// Creates a session with an event loop of its own.
    ///
    /// - Parameters:
    ///   - runtimeDirectory: The folder of the daemon's sockets, or `nil` for the one in the environment, else the
    ///     installed one.
    ///   - wakeSocket: The socket through which this process was started, or `nil` for the one that systemd passed,
    ///     if any.
    ///   - diagnostics: The messages about what the app lacks.
    init(
        runtimeDirectory: String?, wakeSocket: ActivationSocket? = nil, diagnostics: Diagnostics = Diagnostics(),
        delays: Delays = Delays()
    ) {
        self.diagnostics = diagnostics
        loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        client = LocationClient(runtimeDirectory: runtimeDirectory, eventLoop: loop)
        updates = SharedUpdates(client, on: loop)
        authorization = AppAuthorization(
            client, diagnostics, requestDelay: delays.authorizationRequest, on: loop)
        wakes = WakeEvents(wakeSocket ?? .ofEnvironment, on: loop)
        regions = AppRegions(client, authorization, wakes, stateTimeout: delays.regionState, on: loop)
        backgroundActivity = BackgroundActivity(on: loop)
        // Before all other observers, so that no location is left when a delegate is notified of a denial.
        onLoop { [authorization, locations, updates] in
            _ = authorization.observe {
                locations.authorizationChanged(to: $0)
                updates.authorizationChanged(to: $0)
            }
        }
    }

    /// Runs `body` on the event loop, after everything that is already queued.
    func onLoop(_ body: @escaping @Sendable () -> Void) {
        loop.execute(body)
    }
}
