internal import LocationClient
internal import NIOCore
internal import NIOPosix

/// The state shared by all managers, monitors and sessions of this process: the client of the daemon, and its reported
/// values.
///
/// Everything that is confined to an event loop is confined to `loop`, which receives the daemon's replies.
final class AppSession: Sendable {
    /// Created with the first manager, stream or session. A program that creates none has no thread for it.
    static let shared = AppSession(runtimeDirectory: nil)

    /// The delays of a session. Tests use others.
    struct Delays: Sendable {
        /// The time after which an app that uses locations is expected to have requested authorization.
        var authorizationRequest = TimeAmount.seconds(5)
        /// The timeout of a request for a region's state. Two fixes determine the state; if only the region needs them,
        /// they are 10 s apart, after the receiver has been opened.
        var regionState = TimeAmount.seconds(30)
        /// The timeout of a geocoding request. A service that looks addresses up in a network needs seconds.
        var geocoding = TimeAmount.seconds(15)
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
    /// The folder of the monitors' files, or `nil` for the user's state folder.
    let stateDirectory: String?
    let geocodingTimeout: TimeAmount

    /// Creates a session with an event loop of its own.
    ///
    /// - Parameters:
    ///   - runtimeDirectory: The folder of the daemon's sockets, or `nil` for the one in the environment, else the
    ///     installed one.
    ///   - wakeSocket: The socket that started this process, or `nil` for the one passed by systemd, if any.
    ///   - stateDirectory: The folder of the monitors' files, or `nil` for the user's state folder.
    ///   - diagnostics: The messages about the app's failures.
    init(
        runtimeDirectory: String?, wakeSocket: ActivationSocket? = nil, stateDirectory: String? = nil,
        diagnostics: Diagnostics = Diagnostics(), delays: Delays = Delays()
    ) {
        self.stateDirectory = stateDirectory
        self.diagnostics = diagnostics
        geocodingTimeout = delays.geocoding
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

    /// Runs `body` on the event loop, after all queued work.
    func onLoop(_ body: @escaping @Sendable () -> Void) {
        loop.execute(body)
    }
}
