internal import Glibc
internal import LocationProtocol

/// Reads how the machine is.
struct Survey {
    /// The folder of the installed daemon's sockets.
    static let installedDirectory = installedRuntimeDirectory

    let daemon: DaemonConnection
    /// How long the daemon may take for an answer, its start included.
    var timeout = Duration.seconds(10)

    /// Everything, read once. What cannot be read is left at what says so.
    func facts() async -> Facts {
        var facts = Facts()
        facts.directory = daemon.directory
        facts.isInstalled = daemon.directory == Self.installedDirectory
        facts.command = { [daemon] in daemon.command($0) }
        facts.person = Self.person()
        facts.folder = FileFacts(path: daemon.directory)
        facts.managementFolder = FileFacts(path: ManageInterface.folder(in: daemon.directory))
        facts.isFolderOpen = access(daemon.directory, X_OK) == 0
        // Before the units: asking starts the daemon.
        facts.service = await service(for: facts.person.uid == geteuid() ? nil : Int(facts.person.uid))
        facts.publicSocket = Self.socket(daemon.path(LocationInterface.self))
        facts.managementSocket = Self.socket(daemon.path(ManageInterface.self))
        facts.system = Self.system()
        facts.daemonUser = Self.daemonUser(facts)
        facts.devices = DeviceFacts.all()
        facts.ports = Self.ports(facts)
        if facts.isInstalled {
            facts.configurationError = Self.configurationError()
            facts.databasesSetAside = Self.databasesSetAside(in: "/var/lib/locationd")
        }
        return facts
    }

    private static func socket(_ path: String) -> SocketFacts {
        SocketFacts(path: path, file: FileFacts(path: path), isOpen: access(path, R_OK | W_OK) == 0)
    }

    /// Whom the daemon runs as: as its unit says, else the one whose socket it is.
    private static func daemonUser(_ facts: Facts) -> UserFacts? {
        if facts.isInstalled, let unit = facts.system.unit("locationd.service"), unit.isLoaded {
            return UserFacts(name: unit.user.isEmpty ? "root" : unit.user)
        }
        return facts.publicSocket.file.flatMap { UserFacts(name: $0.owner) }
    }

    /// The nodes that matter: of the receivers that the daemon has, and of those that udev knows.
    private static func ports(_ facts: Facts) -> [PortFacts] {
        var paths = facts.receivers.compactMap { receiver -> String? in
            let source = ReceiverSource(receiver.specification)
            return source.kind == "serial" ? source.value : receiver.port
        }
        paths += facts.devices.filter(\.isReceiver).map(\.node)
        var nodes: Set<String> = []
        return paths.map(PortFacts.init(path:)).filter { nodes.insert($0.node).inserted }
    }

    /// The names of damaged databases in a folder; `nil` where it may not be looked into.
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

    /// What the installed locationd says of its configuration: empty where that is well, `nil` where it cannot tell.
    private static func configurationError() -> String? {
        let places = ["/usr/sbin/locationd", "/usr/local/sbin/locationd"]
        guard let program = places.first(where: { access($0, X_OK) == 0 }),
            let result = ChildProcess.run(program, ["--check"])
        else { return nil }
        if result.status == 0 { return "" }
        // An older one does not know the option.
        guard result.status == 1 else { return nil }
        // The daemon's user may read it all the same.
        if geteuid() != 0, result.errors.contains("cannot be read") { return nil }
        return result.errors.split(separator: "\n").first.map { line in
            line.hasPrefix("Error: ") ? String(line.dropFirst(7)) : String(line)
        } ?? nil
    }
}
