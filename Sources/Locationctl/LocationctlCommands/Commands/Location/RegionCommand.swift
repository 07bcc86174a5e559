internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

struct RegionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "region", abstract: "Monitors regions for this program, as an app does.",
        discussion: """
            The regions belong to locationctl, and remain when it and the daemon end. `locationctl watch --regions` \
            prints crossings; if no watch is running, they go to the socket of --wake.
            """,
        subcommands: [
            RegionAddCommand.self, RegionRemoveCommand.self, RegionListCommand.self, RegionStateCommand.self,
        ])

    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    /// Returns the daemon that the option selects, whether it comes after the subcommand, after `region`, or before it.
    func daemon(_ target: Target, level: RequestedLevel = .whenInUse) -> DaemonConnection {
        var target = target
        target.runtimeDirectory = target.runtimeDirectory ?? self.target.runtimeDirectory
        return DaemonConnection(target, parent.target, level: level)
    }
}

struct RegionAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Monitors a circle; a region with the same identifier is replaced.",
        discussion: """
            If there is no decision about locationctl yet, the user is prompted (for always, with --wake), and the \
            command waits for the answer.
            """)

    @Argument(help: ArgumentHelp("The name of the region.", valueName: "id"))
    var identifier: String
    @Argument(help: ArgumentHelp("The centre, in degrees.", valueName: "lat,lon"), transform: PlaceArgument.init)
    var centre: PlaceArgument
    @Argument(help: ArgumentHelp("The radius in metres, from 1 to 1,000,000.", valueName: "radius"))
    var radius: Double
    @Option(
        help: ArgumentHelp(
            "The Unix socket that receives crossings while no watch is running; needs always.", valueName: "path"),
        transform: WakePath.init)
    var wake: WakePath?
    @Flag(help: "Do not report entering.")
    var noEntry = false
    @Flag(help: "Do not report leaving.")
    var noExit = false
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: RegionCommand

    func validate() throws {
        guard (1...CircularRegion.maximumIdentifierLength).contains(identifier.utf8.count) else {
            throw ValidationError("the identifier must have 1 to \(CircularRegion.maximumIdentifierLength) bytes")
        }
        guard CircularRegion.radii.contains(radius) else {
            throw ValidationError(
                "the radius must be between 1 and \(Decimal.text(CircularRegion.radii.upperBound, digits: 0)) m")
        }
    }

    func run() async throws {
        let daemon = parent.daemon(target, level: wake == nil ? .whenInUse : .always)
        try await daemon.requestAuthorization(reason: "to report when this machine enters or leaves a region")
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
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Stops monitoring a region.")

    @Argument(help: ArgumentHelp("As `locationctl region list` shows it.", valueName: "id"))
    var identifier: String
    @OptionGroup var target: Target
    @ParentCommand var parent: RegionCommand

    func run() async throws {
        _ = try await parent.daemon(target).call(StopMonitoringRegion.self, RegionScope(identifier: identifier))
        try Terminal.writeOutput("\(Terminal.printable(identifier)) is not monitored any more.\n")
    }
}

struct RegionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the monitored regions.")

    @OptionGroup var list: ListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: RegionCommand

    func run() async throws {
        let regions = try await parent.daemon(target).call(ListRegions.self, Nothing()).regions
        try list.write(regions) { Self.text(regions, on: $0) }
    }

    /// Returns the table of the regions.
    static func text(_ regions: [CircularRegion], on medium: OutputMedium) -> String {
        var table = Table(
            .init("REGION", leastWidth: 8), "LATITUDE", "LONGITUDE", "RADIUS", .init("REPORTS", sacrifice: 1))
        for region in regions {
            let crossings = [
                region.reports(crossingTo: .inside) ? "entry" : nil,
                region.reports(crossingTo: .outside) ? "exit" : nil,
            ]
            table.add(
                region.identifier, Decimal.text(region.latitude, digits: 6, unit: "°"),
                Decimal.text(region.longitude, digits: 6, unit: "°"),
                Decimal.text(region.radius, digits: 0, unit: " m"),
                crossings.compactMap(\.self).joined(separator: ", "))
        }
        return table.text(
            on: medium, nothing: "locationctl does not monitor any region: see `locationctl region add --help`.")
    }
}

struct RegionStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state", abstract: "Shows whether the machine is inside a region.",
        discussion: "The state is unknown until the fixes of several seconds agree.")

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
