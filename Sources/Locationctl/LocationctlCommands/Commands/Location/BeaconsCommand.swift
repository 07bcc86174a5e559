internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

struct BeaconsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacons", abstract: "Prints the Bluetooth beacons in range, once a second.",
        discussion: """
            locationctl is an app like any other: if there is no decision about it yet, the user is prompted, and the \
            command waits for the answer. Beacons need full accuracy. The distance is rough, by the signal strength. \
            With --json, each line is a reply of RangeBeacons as in io.locationd.Location.
            """)

    @Argument(help: ArgumentHelp("The UUID of the beacons' owner.", valueName: "uuid"))
    var uuid: String
    @Option(help: ArgumentHelp("Only beacons with this major number, 0 to 65535.", valueName: "n"))
    var major: UInt16?
    @Option(help: ArgumentHelp("Only the beacon with this minor number, 0 to 65535.", valueName: "n"))
    var minor: UInt16?
    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp("Stop after this many lists.", valueName: "count"))
    var count: Int?
    @OptionGroup var output: OutputOption
    @OptionGroup var time: TimeOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if minor != nil, major == nil { throw ValidationError("--minor needs --major") }
        if let count, count < 1 { throw ValidationError("--count must be 1 or more") }
    }

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.requestAuthorization(reason: "to print the Bluetooth beacons in range in a terminal")
        let medium = OutputMedium.current(isUTC: time.utc)
        if !output.json, medium.columns != nil {
            try Terminal.writeOutput(RangingText.columns(medium.time, AgentEvents.now))
        }
        let constraint = BeaconConstraint(uuid: uuid, major: major.map(Int.init), minor: minor.map(Int.init))
        var rest = count ?? .max
        try await daemon.stream(RangeBeacons.self, .init(constraint: constraint)) { report in
            if output.json {
                try Terminal.writeOutput(JSONLine.line(report))
            } else if let reason = report.unavailable {
                Terminal.writeError("no beacon can be found: \(reason)\n")
            } else {
                try Terminal.writeOutput(RangingText.lines(report.beacons, medium.time, AgentEvents.now))
            }
            rest -= 1
            return rest > 0
        }
    }
}

/// A beacon on the command line: `UUID,MAJOR,MINOR@METRES`.
struct BeaconArgument {
    let beacon: BeaconSimulation

    /// Parses a beacon. Throws an error that says what is wrong with it.
    init(_ text: String) throws {
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: ",", omittingEmptySubsequences: false)
        guard halves.count == 2, parts.count == 3, let major = UInt16(parts[1]), let minor = UInt16(parts[2]),
            let distance = Double(String(halves[1]))
        else {
            throw ValidationError(
                """
                write a beacon as UUID,MAJOR,MINOR@METRES, such as \
                e2c56db5-dffb-48d2-b060-d0f5a71096e0,1,2@1.5
                """)
        }
        guard (0.1...200).contains(distance) else {
            throw ValidationError("a beacon's distance must be between 0.1 and 200 m")
        }
        beacon = BeaconSimulation(
            uuid: String(parts[0]), major: Int(major), minor: Int(minor), distance: distance)
    }
}
