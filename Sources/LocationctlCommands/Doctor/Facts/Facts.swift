internal import LocationProtocol

/// How the machine is: read once, so that each check is a function of it.
struct Facts: Sendable {
    /// Where the daemon's sockets are.
    var directory = installedRuntimeDirectory
    /// A Boolean value indicating whether that is the daemon which a package installs, of which much more can be said.
    var isInstalled = true
    /// How locationctl is called for this daemon, for what is to be typed.
    var command: @Sendable (String) -> String = { "sudo locationctl \($0)" }
    var person = PersonFacts()
    /// The folder of the sockets; `nil` where there is none.
    var folder: FileFacts?
    /// The folder of the management socket; `nil` where there is none.
    var managementFolder: FileFacts?
    /// A Boolean value indicating whether this process may open what is in it.
    var isFolderOpen = true
    var publicSocket = SocketFacts(path: LocationInterface.socketPath(in: installedRuntimeDirectory))
    var managementSocket = SocketFacts(path: ManageInterface.socketPath(in: installedRuntimeDirectory))
    var service = ServiceFacts()
    var system = SystemFacts()
    /// Whom the daemon runs as; `nil` where that is not known.
    var daemonUser: UserFacts?
    /// The ports that the daemon's receivers mean, and those that udev knows as receivers.
    var ports: [PortFacts] = []
    /// The serial ports on USB, and receivers wherever they are.
    var devices: [DeviceFacts] = []
    /// What locationd says of its configuration; `nil` where it was not asked, empty where that is well.
    var configurationError: String?
    /// Databases that were set aside; `nil` where the folder may not be looked into.
    var databasesSetAside: [String]?

    /// The receivers that are configured or found; empty where they cannot be asked about.
    var receivers: [ReceiverSummary] { service.receivers ?? [] }
}
