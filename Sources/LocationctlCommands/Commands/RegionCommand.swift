internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import Varlink

struct RegionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "region", abstract: "Monitors regions for this program, as an app does.",
        discussion: """
            The regions are locationctl's own, and outlast it and the daemon. `locationctl watch --regions` prints their \
            crossings; where nothing watches, the socket of --wake gets them.
            """,
        subcommands: [
            RegionAddCommand.self, RegionRemoveCommand.self, RegionListCommand.self, RegionStateCommand.self,
        ])

    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    /// Returns the daemon that was named after the subcommand, after `region`, or before it.
    func daemon(_ target: Target, level: RequestedLevel = .whenInUse) -> DaemonConnection {
        var target = target
        target.runtimeDirectory = target.runtimeDirectory ?? self.target.runtimeDirectory
        return DaemonConnection(target, parent.target, level: level)
    }
}

struct RegionAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Monitors a circle; one with the same identifier is replaced.",
        discussion: """
            Where nobody has decided about locationctl, it asks, and waits for the answer: with --wake for always.
            """)

    @Argument(help: ArgumentHelp("What the region is called.", valueName: "id"))
    var identifier: String
    @Argument(help: ArgumentHelp("The centre, in degrees.", valueName: "lat,lon"), transform: PlaceArgument.init)
    var centre: PlaceArgument
    @Argument(help: ArgumentHelp("Metres: 1 to 1,000,000.", valueName: "radius"))
    var radius: Double
    @Option(
        help: ArgumentHelp(
            "The Unix socket that gets the crossings while nothing watches; needs always.", valueName: "path"),
        transform: WakePath.init)
    var wake: WakePath?
    @Flag(help: "Entering is not told.")
    var noEntry = false
    @Flag(help: "Leaving is not told.")
    var noExit = false
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: RegionCommand

    func validate() throws {
        guard (1...CircularRegion.maximumIdentifierLength).contains(identifier.utf8.count) else {
            throw ValidationError("an identifier is 1 to \(CircularRegion.maximumIdentifierLength) bytes")
        }
        guard CircularRegion.radii.contains(radius) else {
            throw ValidationError("a radius is 1 to \(Decimal.text(CircularRegion.radii.upperBound, digits: 0)) m")
        }
    }

    func run() async throws {
        let daemon = parent.daemon(target, level: wake == nil ? .whenInUse : .always)
        try await daemon.requestAuthorization(reason: "to tell when this machine enters or leaves a region")
        var region = CircularRegion(
            identifier: identifier, latitude: centre.latitude, longitude: centre.longitude, radius: radius)
        if noEntry { region.notifyOnEntry = false }
        if noExit { region.notifyOnExit = false }
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region, wake: wake?.path))
        try output.write(region) {
            let name = Terminal.printable(identifier)
            return "\(name) is monitored: \(Decimal.text(radius, digits: 0)) m around \(centre.text).\n"
        }
    }
}

struct RegionRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Ends a region's monitoring.")

    @Argument(help: ArgumentHelp("As `locationctl region list` shows it.", valueName: "id"))
    var identifier: String
    @OptionGroup var target: Target
    @ParentCommand var parent: RegionCommand

    func run() async throws {
        _ = try await parent.daemon(target).call(StopMonitoringRegion.self, RegionScope(identifier: identifier))
        try Terminal.writeOutput("\(Terminal.printable(identifier)) is not monitored.\n")
    }
}

struct RegionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Shows the regions.")

    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: RegionCommand

    func run() async throws {
        let regions = try await parent.daemon(target).call(ListRegions.self, Nothing()).regions
        try output.write(regions) {
            var table = Table("REGION", "LATITUDE", "LONGITUDE", "RADIUS", "TOLD")
            for region in regions {
                let told = [region.tells(.inside) ? "entry" : nil, region.tells(.outside) ? "exit" : nil]
                table.add(
                    region.identifier, Decimal.text(region.latitude, digits: 6, unit: "°"),
                    Decimal.text(region.longitude, digits: 6, unit: "°"),
                    Decimal.text(region.radius, digits: 0, unit: " m"), told.compactMap(\.self).joined(separator: ", "))
            }
            return table.text(nothing: "locationctl monitors no region: see `locationctl region add --help`.")
        }
    }
}

struct RegionStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state", abstract: "Tells whether the machine is inside of a region.",
        discussion: "It is unknown until the fixes of some seconds agree.")

    @Argument(help: ArgumentHelp("As `locationctl region list` shows it.", valueName: "id"))
    var identifier: String
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: RegionCommand

    func run() async throws {
        let reply = try await parent.daemon(target).call(GetRegionState.self, RegionScope(identifier: identifier))
        try output.write(RegionEvent(identifier: identifier, state: reply.state)) { reply.state.rawValue + "\n" }
    }
}
