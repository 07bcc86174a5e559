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
        commandName: "add",
        abstract: "Monitors a circle or the range of beacons; a region with the same identifier is replaced.",
        discussion: """
            Give either the centre and the radius of a circle, or --beacon: a region of beacons is entered with the \
            first signal of one of them, and left when all are silent. It needs full accuracy, as every region does.

            If there is no decision about locationctl yet, the user is prompted (for always, with --wake), and the \
            command waits for the answer.
            """)

    @Argument(help: ArgumentHelp("The name of the region.", valueName: "id"))
    var identifier: String
    @Argument(help: ArgumentHelp("The centre, in degrees.", valueName: "lat,lon"), transform: PlaceArgument.init)
    var centre: PlaceArgument?
    @Argument(help: ArgumentHelp("The radius in metres, from 1 to 1,000,000.", valueName: "radius"))
    var radius: Double?
    @Option(
        help: ArgumentHelp(
            "The Bluetooth beacons with this UUID, in place of a circle; the numbers may be left out.",
            valueName: "uuid,major,minor"),
        transform: BeaconsArgument.init)
    var beacon: BeaconsArgument?
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
        guard beacon == nil ? radius != nil : centre == nil else {
            throw ValidationError("give either LAT,LON and a radius, or --beacon")
        }
        guard radius.map({ CircularRegion.radii.contains($0) }) ?? true else {
            throw ValidationError(
                "the radius must be between 1 and \(Decimal.text(CircularRegion.radii.upperBound, digits: 0)) m")
        }
    }

    func run() async throws {
        let daemon = parent.daemon(target, level: wake == nil ? .whenInUse : .always)
        try await daemon.requestAuthorization(reason: "to report when this machine enters or leaves a region")
        let name = Terminal.printable(identifier)
        if let beacon {
            var region = BeaconRegion(identifier: identifier, constraint: beacon.constraint)
            (region.notifyOnEntry, region.notifyOnExit) = (noEntry ? false : nil, noExit ? false : nil)
            _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: region, wake: wake?.path))
            try output.write(region) { "\(name) is monitored: the range of beacons \(region.constraint.text).\n" }
        } else if let centre, let radius {
            var region = CircularRegion(
                identifier: identifier, latitude: centre.latitude, longitude: centre.longitude, radius: radius)
            (region.notifyOnEntry, region.notifyOnExit) = (noEntry ? false : nil, noExit ? false : nil)
            _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region, wake: wake?.path))
            try output.write(region) {
                "\(name) is monitored: \(Decimal.text(radius, digits: 0)) m around \(centre.text).\n"
            }
        }
    }
}

/// Beacons on the command line: `UUID,MAJOR,MINOR`, where the last numbers may be left out.
struct BeaconsArgument {
    let constraint: BeaconConstraint

    /// Parses beacons. Throws an error that says what is wrong with them.
    init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().compactMap { UInt16($0) }.map { Int($0) }
        guard parts.count <= 3, numbers.count == parts.count - 1 else {
            throw ValidationError(
                "write beacons as UUID,MAJOR,MINOR or less of it, such as e2c56db5-dffb-48d2-b060-d0f5a71096e0,1")
        }
        constraint = BeaconConstraint(
            uuid: String(parts[0]), major: numbers.first, minor: numbers.count > 1 ? numbers[1] : nil)
    }
}

extension BeaconConstraint {
    /// The beacons as text for users, in the form of the command line.
    fileprivate var text: String {
        ([uuid] + [major, minor].compactMap(\.self).map { "\($0)" }).joined(separator: ",")
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
        let reply = try await parent.daemon(target).call(ListRegions.self, Nothing())
        let regions = reply.regions.map { Region.circle($0) } + (reply.beaconRegions ?? []).map { Region.beacons($0) }
        try list.write(regions.map(ListedRegion.init)) { Self.text(regions, on: $0) }
    }

    /// Returns the table of the regions.
    static func text(_ regions: [Region], on medium: OutputMedium) -> String {
        var table = Table(
            .init("REGION", leastWidth: 8), .init("LATITUDE", isOptional: true), .init("LONGITUDE", isOptional: true),
            .init("RADIUS", isOptional: true), .init("BEACONS", isOptional: true), .init("REPORTS", sacrifice: 1))
        for region in regions {
            let crossings = [
                region.reports(crossingTo: .inside) ? "entry" : nil,
                region.reports(crossingTo: .outside) ? "exit" : nil,
            ]
            let circle = region.circle
            table.add(
                region.identifier, circle.map { Decimal.text($0.latitude, digits: 6, unit: "°") } ?? "",
                circle.map { Decimal.text($0.longitude, digits: 6, unit: "°") } ?? "",
                circle.map { Decimal.text($0.radius, digits: 0, unit: " m") } ?? "",
                region.beacons?.constraint.text ?? "", crossings.compactMap(\.self).joined(separator: ", "))
        }
        return table.text(
            on: medium, nothing: "locationctl does not monitor any region: see `locationctl region add --help`.")
    }
}

/// A region of either kind in JSON, as the interface has it.
private struct ListedRegion: Encodable {
    let region: Region

    func encode(to encoder: any Encoder) throws {
        switch region {
        case .circle(let circle): try circle.encode(to: encoder)
        case .beacons(let beacons): try beacons.encode(to: encoder)
        }
    }
}

struct RegionStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state", abstract: "Shows whether the machine is inside a region.",
        discussion: """
            The state is unknown until the fixes of several seconds agree or, for beacons, until they were listened for.
            """)

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
