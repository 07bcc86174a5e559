internal import Devices
internal import Glibc
internal import LocationProtocol
package import LocationctlSupport

/// The reader of all ``Facts``.
package struct Survey {
    /// The folder of the installed daemon's sockets.
    static let installedDirectory = installedRuntimeDirectory

    let daemon: DaemonConnection
    /// The folder of the machine's files. Below any other folder than the root, only files are read: no program is run,
    /// and neither udev nor the kernel is queried.
    let root: SystemRoot
    /// The time that the daemon may take to answer, including its start.
    let timeout: Duration

    package init(daemon: DaemonConnection, root: SystemRoot = SystemRoot(), timeout: Duration = .seconds(10)) {
        (self.daemon, self.root, self.timeout) = (daemon, root, timeout)
    }

    /// Reads everything once. A fact that cannot be read keeps its default.
    package func facts() async -> Facts {
        var facts = Facts()
        facts.directory = daemon.directory
        facts.isInstalled = daemon.directory == Self.installedDirectory && root.isMachine
        facts.command = { [daemon] in daemon.command($0) }
        facts.caller = Self.caller()
        facts.folder = FileFacts(path: daemon.directory)
        facts.managementFolder = FileFacts(path: ManageInterface.folder(in: daemon.directory))
        facts.isFolderOpen = access(daemon.directory, X_OK) == 0
        // The checks ask for no password.
        TerminalAuthentication.stop()
        // Before the units: this call starts the daemon.
        facts.service = await service(for: facts.caller.uid == geteuid() ? nil : Int(facts.caller.uid))
        facts.publicSocket = Self.socket(daemon.path(LocationInterface.self))
        facts.managementSocket = Self.socket(daemon.path(ManageInterface.self))
        facts.system = Self.system(root)
        facts.daemonUser = root.isMachine ? Self.daemonUser(facts) : nil
        facts.devices = root.isMachine ? DeviceFacts.all() : []
        if facts.isInstalled || !root.isMachine { facts.configured = Self.configuredSources(root) }
        facts.ports = Self.ports(facts, root)
        facts.receiverSockets = Self.receiverSockets(facts, root)
        facts.missingFiles = Self.missingFiles(facts, root)
        facts.raspberryPi = Self.raspberryPi(root, facts.configured)
        if facts.isInstalled {
            facts.geoClue = Self.geoClue()
            facts.modems = ModemFacts.all()
            facts.bluetooth = BluetoothFacts.all()
            facts.bluetoothSwitch = .of(root)
            facts.publisher = await publisher()
            facts.casters = Self.casters(root)
            facts.configurationError = Self.configurationError()
            facts.databasesSetAside = Self.databasesSetAside(in: "/var/lib/locationd")
        }
        return facts
    }

    private static func socket(_ path: String) -> SocketFacts {
        SocketFacts(path: path, file: FileFacts(path: path), isOpen: access(path, R_OK | W_OK) == 0)
    }

    /// Returns the user that the daemon runs as: the user in its unit, or else the owner of its public socket.
    private static func daemonUser(_ facts: Facts) -> UserFacts? {
        if facts.isInstalled, let unit = facts.system.unit("locationd.service"), unit.isLoaded {
            return UserFacts(name: unit.user.isEmpty ? "root" : unit.user)
        }
        return facts.publicSocket.file.flatMap { UserFacts(name: $0.owner) }
    }

    /// Returns the ports of the daemon's receivers, of the configured receivers and of the receivers that udev knows,
    /// each node once.
    static func ports(_ facts: Facts, _ root: SystemRoot) -> [PortFacts] {
        var paths = facts.receivers.compactMap { receiver -> String? in
            if case .serial(let path, _)? = receiver.source { return path }
            return receiver.port
        }
        paths += facts.configured.receivers.compactMap { source in
            if case .serial(let path, _) = source { path } else { nil }
        }
        paths += facts.devices.map(\.device).filter(\.isReceiver).map(\.node)
        var nodes: Set<String> = []
        return paths.map { PortFacts(path: $0, root) }.filter { nodes.insert($0.node).inserted }
    }

    /// Returns the sockets of the daemon's receivers and of the configured receivers, each once.
    static func receiverSockets(_ facts: Facts, _ root: SystemRoot) -> [SocketFacts] {
        var paths: Set<String> = []
        for source in facts.receivers.compactMap(\.source) + facts.configured.receivers {
            if case .socket(let path) = source { paths.insert(path) }
        }
        return paths.sorted().compactMap { path in
            let file = FileFacts(path: root.path(path))
            return file == nil && errno == EACCES ? nil : SocketFacts(path: path, file: file)
        }
    }

    /// Returns the recordings and routes of the daemon's receivers that do not exist.
    static func missingFiles(_ facts: Facts, _ root: SystemRoot) -> Set<String> {
        // A relative path starts at the daemon's working directory, which is unknown.
        let files = facts.receivers.compactMap { $0.source?.file }.filter { $0.hasPrefix("/") }
        return Set(files.filter { access(root.path($0), F_OK) != 0 && errno == ENOENT })
    }

    /// Returns the paths of the damaged databases in a folder, or `nil` if the folder may not be read.
    static func databasesSetAside(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return errno == ENOENT ? [] : nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix("locationd.db.damaged-"), !name.hasSuffix("-wal"), !name.hasSuffix("-shm") {
                names.append("\(folder)/\(name)")
            }
        }
        return names.sorted()
    }

    /// Returns the error that the installed locationd reports about its configuration: empty if there is none, `nil`
    /// if it could not be checked.
    private static func configurationError() -> String? {
        let places = ["/usr/sbin/locationd", "/usr/local/sbin/locationd"]
        guard let program = places.first(where: { access($0, X_OK) == 0 }),
            let result = ChildProcess.run(program, ["--check"])
        else { return nil }
        if result.status == 0 { return "" }
        // An older locationd does not know the option.
        guard result.status == 1 else { return nil }
        // A file that this user may not read may still be readable for the daemon's user.
        if geteuid() != 0, result.errors.contains("cannot be read") { return nil }
        return result.errors.split(separator: "\n").first.map { line in
            line.hasPrefix("Error: ") ? String(line.dropFirst(7)) : String(line)
        } ?? nil
    }
}
