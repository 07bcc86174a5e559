internal import LocationProtocol

/// The state of the machine, read once, so that each check is a function of it.
struct Facts: Sendable {
    /// The folder of the daemon's sockets.
    var directory = installedRuntimeDirectory
    /// A Boolean value indicating whether the daemon is the installed one. Many checks apply only to that.
    var isInstalled = true
    /// Returns the command line, for advice, that runs a `locationctl` subcommand against this daemon.
    var command: @Sendable (String) -> String = { "sudo locationctl \($0)" }
    var caller = CallerFacts()
    /// The folder of the sockets, or `nil` if it does not exist.
    var folder: FileFacts?
    /// The folder of the management socket, or `nil` if it does not exist.
    var managementFolder: FileFacts?
    /// A Boolean value indicating whether this process may reach the files in `folder`.
    var isFolderOpen = true
    var publicSocket = SocketFacts(path: LocationInterface.socketPath(in: installedRuntimeDirectory))
    var managementSocket = SocketFacts(path: ManageInterface.socketPath(in: installedRuntimeDirectory))
    var service = ServiceFacts()
    var system = SystemFacts()
    var geoClue = GeoClueFacts()
    var publisher = PublisherFacts()
    /// The user that the daemon runs as, or `nil` if it is not known.
    var daemonUser: UserFacts?
    /// The ports of the daemon's receivers, and those that udev knows as receivers.
    var ports: [PortFacts] = []
    /// The serial ports on USB, and the receivers on any bus.
    var devices: [DeviceFacts] = []
    /// The error that locationd reports about its configuration: empty if there is none, `nil` if it could not be
    /// checked.
    var configurationError: String?
    /// The databases that were set aside, or `nil` if their folder may not be read.
    var databasesSetAside: [String]?

    /// The receivers that are configured or were found; empty if the daemon could not be asked.
    var receivers: [ReceiverSummary] { service.receivers ?? [] }
}
