internal import LocationModel
internal import LocationProtocol

/// The state of the machine, read once, so that each check is a function of it.
package struct Facts: Sendable {
    /// The folder of the daemon's sockets.
    var directory = installedRuntimeDirectory
    /// A Boolean value indicating whether the daemon is the installed one. Many checks apply only to that daemon.
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
    /// The configured instances of locationd-ntrip, by name.
    var casters: [String: CasterFacts] = [:]
    /// The user that the daemon runs as, or `nil` if it is not known.
    var daemonUser: UserFacts?
    /// The ports of the daemon's receivers, and those that udev knows as receivers.
    var ports: [PortFacts] = []
    /// The sockets of configured receivers. Sockets in a folder that may not be searched are missing.
    var receiverSockets: [SocketFacts] = []
    /// The receivers' recordings and routes that do not exist.
    var missingFiles: Set<String> = []
    /// The statements about ports in the daemon's configuration files.
    var configured = ConfiguredSources()
    /// The Raspberry Pi that the machine is, or `nil` if it is another machine.
    var raspberryPi: RaspberryPiFacts?
    /// The serial ports on USB, and the receivers on any bus.
    var devices: [DeviceFacts] = []
    /// The modems that ModemManager knows.
    var modems: [ModemFacts] = []
    /// The Bluetooth devices that may be receivers.
    var bluetooth: [BluetoothFacts] = []
    var bluetoothSwitch = BluetoothSwitch()
    /// The error that locationd reports about its configuration: empty if there is none, `nil` if it could not be
    /// checked.
    var configurationError: String?
    /// The databases that were set aside, or `nil` if their folder may not be read.
    var databasesSetAside: [String]?

    /// The receivers that are configured or were found; empty if the daemon could not be asked.
    var receivers: [ReceiverSummary] { service.receivers ?? [] }
}

/// The user who runs the command; under sudo, the user who called sudo.
struct CallerFacts: Sendable, Equatable {
    var name = "root"
    var uid: UInt32 = 0
    /// A Boolean value indicating whether this process runs as root.
    var isRoot = true
    /// A Boolean value indicating whether the group `locationd` exists.
    var groupExists = true
    /// A Boolean value indicating whether the group database lists the user as a member of `locationd`.
    var isMember = false
    /// A Boolean value indicating whether this process has the group, which takes effect at login. `nil` under sudo,
    /// which does not pass the caller's groups on.
    var isMemberNow: Bool?
    /// The user's state in logind, such as `active` or `online`, or `nil` if logind reports none.
    var loginState: String?
}

/// A user, as in the databases of users and groups.
struct UserFacts: Sendable, Equatable {
    var name: String
    var uid: UInt32
    /// The ids of the primary group and of the other groups.
    var groups: Set<UInt32> = []
}

/// The answers of the daemon.
struct ServiceFacts: Sendable {
    /// A Boolean value indicating whether the daemon answered on the public socket.
    var answers = false
    /// The reason why it did not answer, for users.
    var failure: String?
    /// The authorization of this program, or `nil` if the daemon did not answer.
    var authorization: Authorization?
    /// The app identity of this program.
    var app: String?
    /// The location services' switches, or `nil` if the management socket did not answer.
    var services: GetServices.Reply?
    /// The receivers, or `nil` if the management socket did not answer.
    var receivers: [ReceiverSummary]?
    /// The reason why apps that want beacons find none, or `nil` if there is none.
    var missingBeacons: String?
    /// The time for chrony, or `nil` if it is not passed on or the caller may not see it.
    var time: TimeStatistics?
    /// The reason why the radio surroundings are not used, or `nil` if they are, or if the caller may not see it.
    var surroundings: String?
    /// The number of prompts that wait for an answer, or `nil` if the management socket did not answer.
    var openPrompts: Int?
    /// The identity of the desktop portal if it has full accuracy, otherwise `nil`.
    var exactPortal: String?
    /// The reason why the management socket did not answer, for users.
    var managementFailure: String?
    /// A Boolean value indicating whether the reason is that the caller may not manage.
    var isManagementRefused = false
}

/// The machine around the daemon.
struct SystemFacts: Sendable, Equatable {
    /// A Boolean value indicating whether systemd is the init system.
    var hasSystemd = true
    /// A Boolean value indicating whether systemd-logind is running.
    var hasLogind = true
    /// The units that systemctl reported, by name.
    var units: [String: UnitFacts] = [:]
    /// A Boolean value indicating whether udev is running.
    var hasUdev = true
    /// The path of the udev rules for receivers, or `nil` if there is no such file.
    var receiverRules: String?
    /// A Boolean value indicating whether gpsd is running, under systemd or not.
    var isGPSDRunning = false
    /// A Boolean value indicating whether the kernel has IPv6.
    var hasIPv6 = true
    /// A Boolean value indicating whether ModemManager is running, under systemd or not.
    var isModemManagerRunning = false
    /// A Boolean value indicating whether gpsd's udev rules may hand devices to gpsd: USBAUTO in /etc/default/gpsd.
    var isGPSDHotplugEnabled = false
    /// A Boolean value indicating whether the kernel considers the clock synchronized (adjtimex(2)), or `nil` if that
    /// is unknown.
    var isClockSynchronized: Bool?

    func unit(_ name: String) -> UnitFacts? { units[name] }

    /// Returns whether the unit is active: a service that runs, or a socket that listens.
    func isActive(_ name: String) -> Bool { units[name]?.isActive ?? false }
}

/// The publisher, as the package locationd-publish installs it.
struct PublisherFacts: Sendable, Equatable {
    /// A Boolean value indicating whether the program is installed.
    var isPackaged = false
    /// A Boolean value indicating whether there is a configuration.
    var isConfigured = false
    /// The error that the program reports about its configuration: empty if there is none, `nil` if it could not be
    /// checked.
    var configurationError: String?
    /// The status of its authorization, or `nil` if the daemon did not report it, as it does to root only.
    var status: AuthorizationStatus?
}

/// A configured instance of locationd-ntrip.
struct CasterFacts: Sendable, Equatable {
    /// A Boolean value indicating whether the connection uses TLS.
    var usesTLS: Bool
    /// A Boolean value indicating whether there is a user for the caster, whose password is sent; only root sees it.
    var hasUser = false
}

/// GeoClue's interface, as the package locationd-geoclue installs it.
struct GeoClueFacts: Sendable, Equatable {
    /// A Boolean value indicating whether the package's configuration is installed.
    var isPackaged = false
    /// The process that owns GeoClue's name on the system bus, or `nil` if there is no owner or the bus did not answer.
    var owner: Owner?
    /// The unit that the bus starts for the first caller, or `nil` if it starts no unit.
    var activatedUnit: String?
    /// A Boolean value indicating whether a bus policy permits the user `locationd` to acquire the name.
    var isNamePermitted = false
    /// A Boolean value indicating whether a bus policy permits that user to read the switch of a desktop.
    var isAgentPermitted = false
    /// A Boolean value indicating whether Firefox is installed and no policy keeps it from asking a web service.
    var isFirefoxAskingWebService = false

    /// A process on the bus.
    struct Owner: Sendable, Equatable {
        var name: String
        var pid: Int
        var uid: UInt32
    }
}
