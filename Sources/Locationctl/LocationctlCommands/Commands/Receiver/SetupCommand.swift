internal import ArgumentParser
internal import Devices
internal import LocationctlSupport
internal import MachineDoctor
internal import NTRIP

struct SetupCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Finds a receiver and has locationd use it.",
        discussion: """
            Shows the serial ports, listens at each without writing anything, asks which one to use, writes \
            conf.d/10-receiver.toml beside the daemon's configuration, has the daemon read it, waits for the first \
            fix, and offers to ask the receiver who it is, and to allow locationctl the location. Run again, it \
            replaces that file. Until it has ended, Ctrl-C undoes what was written. The exit status is 1 if no \
            receiver was set up or no fix came.

            With --corrections, it sets corrections up instead: asks for a caster, lists its mount points by distance, \
            asks for the user and the password, writes ntrip/NAME.toml and the credentials, starts locationd-ntrip, \
            and shows what arrives in ten seconds. A failure undoes everything.

            With --places, it has locationd remember places by the networks around them instead, and with --no-places \
            not any more, by conf.d/20-places.toml.
            """)

    @Option(help: ArgumentHelp("The port to use, such as /dev/serial0, instead of asking.", valueName: "port"))
    var port: String?
    @Flag(help: "Answer every question with yes, except the one whether to ask the receiver who it is.")
    var yes = false
    @Option(help: ArgumentHelp("The time to listen at the ports, in seconds.", valueName: "s"))
    var listen: Double = 12
    @Option(help: ArgumentHelp("The time to wait for the first fix, in seconds; 0 not to wait.", valueName: "s"))
    var timeout: Double = 900
    @Option(help: ArgumentHelp("The folder of the daemon's configuration.", valueName: "dir"))
    var configDirectory = "/etc/locationd"
    @Flag(
        inversion: .prefixedNo,
        help: "Remember places by the networks around them, for apps where no receiver has a fix.")
    var places: Bool?
    @Flag(help: "Set up corrections from an NTRIP caster, for positions in centimetres.")
    var corrections = false
    @Option(
        help: ArgumentHelp(
            "With --corrections: the caster, as in ntrips://HOST:PORT, or with /MOUNT.", valueName: "caster"))
    var caster: String?
    @Option(help: .hidden) var credentialDirectory = "/etc/credstore"
    @Option(help: .hidden) var ntripProgram: String?
    @Option(help: .hidden) var systemRoot: String?
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        guard (0.1...3600).contains(listen) else { throw ValidationError("--listen must be between 0.1 and 3600 s") }
        guard (0...86_400).contains(timeout) else {
            throw ValidationError("--timeout must be between 0 and 86,400 s (a day)")
        }
        if let port, !["/", "usb:", "serial:", "modem:", "bluetooth:"].contains(where: port.hasPrefix) {
            throw ValidationError(
                "--port is the path of a port, such as /dev/ttyUSB0, or modem:, or bluetooth:ADDRESS")
        }
        if let port, port.hasPrefix("bluetooth:") { _ = try ReceiverSpecification(parsing: port) }
        guard corrections || caster == nil else { throw ValidationError("--caster belongs to --corrections") }
        guard !corrections || port == nil else { throw ValidationError("--port and --corrections do not go together") }
        guard places == nil || !corrections && port == nil else {
            throw ValidationError("--places and --no-places do not go together with --port and --corrections")
        }
        if let caster { _ = try CasterAddress(parsing: caster) }
    }

    func run(with daemon: DaemonConnection) async throws {
        if corrections { return try await setUpCorrections(daemon) }
        if let places { return try await setUp(places: places, daemon) }
        // A script reads the dialogue from a pipe.
        if Terminal.isOutputTerminal { Translation.begin(on: .current) }
        var options = Setup.Options()
        // An address may be written in lower case.
        options.port = port.map { $0.hasPrefix("bluetooth:") ? "bluetooth:" + $0.dropFirst(10).uppercased() : $0 }
        options.isConfirmed = yes
        options.listening = .seconds(listen)
        options.timeout = .seconds(timeout)
        options.medium = .current()
        let setup = Setup(daemon, folder: configDirectory, root: SystemRoot(systemRoot ?? ""), options)
        let status = try await setup.run()
        if status != .done { throw status }
    }

    private func setUp(places: Bool, _ daemon: DaemonConnection) async throws {
        try await daemon.rememberPlaces(places, folder: configDirectory)
        try Terminal.writeOutput(
            places
                ? "Places are remembered from now on. `sudo locationctl places` shows how many, and clears them.\n"
                : "No places are remembered any more. All were forgotten.\n")
    }

    private func setUpCorrections(_ daemon: DaemonConnection) async throws {
        var options = CorrectionsSetup.Options(folder: configDirectory, credentials: credentialDirectory)
        options.caster = try caster.map { try CasterAddress(parsing: $0) }
        options.isConfirmed = yes
        options.medium = .current()
        if let ntripProgram { options.program.paths = [ntripProgram] }
        try await CorrectionsSetup(daemon, options).run()
    }
}
