internal import ArgumentParser
internal import FileFormats
internal import LocationProtocol
internal import LocationctlSupport
internal import NIOCore
internal import Varlink

struct SimulateCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Simulates a place, a route or Bluetooth beacons.",
        discussion: """
            The simulation lasts until --stop or until the daemon ends. Meanwhile the receivers are closed, and every \
            app can see that the location is simulated. Simulated beacons are in the place of the real ones. Only root may \
            simulate.
            """)

    @Option(help: ArgumentHelp("The place, in degrees.", valueName: "lat,lon"), transform: PlaceArgument.init)
    var at: PlaceArgument?
    @Option(help: ArgumentHelp("The route: the track, route or waypoints of a GPX file.", valueName: "file.gpx"))
    var route: String?
    @Option(help: ArgumentHelp("The speed on the route, 0.1 to 1000 m/s (default: 3).", valueName: "m/s"))
    var speed: Double?
    @Option(
        help: ArgumentHelp(
            "A Bluetooth beacon at a distance of 0.1 to 200 m; may be repeated.", valueName: "uuid,major,minor@m"),
        transform: BeaconArgument.init)
    var beacon: [BeaconArgument] = []
    @Flag(help: "End the simulation and use the receivers again.")
    var stop = false
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        let places = (at == nil ? 0 : 1) + (route == nil ? 0 : 1)
        guard stop ? places == 0 && beacon.isEmpty : places == 1 || places == 0 && !beacon.isEmpty else {
            throw ValidationError(
                "use exactly one of --at, --route and --stop; --beacon also goes without, or with a place")
        }
        guard let speed else { return }
        if route == nil { throw ValidationError("--speed needs --route") }
        if !(0.1...1000).contains(speed) { throw ValidationError("--speed must be between 0.1 and 1000 m/s") }
    }

    func run(with daemon: DaemonConnection) async throws {
        let beacons = beacon.isEmpty ? nil : beacon.map(\.beacon)
        if let at {
            var parameters = Simulate.Parameters(latitude: at.latitude, longitude: at.longitude)
            parameters.beacons = beacons
            _ = try await daemon.call(Simulate.self, parameters)
            try Terminal.writeOutput("Simulated: the machine is at \(at.text).\n")
        } else if let route {
            var parameters = Simulate.Parameters(route: try Self.text(ofRoute: route), speed: speed)
            parameters.beacons = beacons
            try Self.checkSize(of: parameters, from: route)
            _ = try await daemon.call(Simulate.self, parameters)
            let pace = speed.map { Decimal.text($0, digits: 1, unit: " m/s") } ?? "3 m/s"
            try Terminal.writeOutput(
                "Simulated: the machine is on the route \(Terminal.printable(route)) at \(pace).\n")
        } else if stop {
            _ = try await daemon.call(StopSimulation.self, Nothing())
            try Terminal.writeOutput("The simulation has ended. The location comes from the receivers again.\n")
        } else {
            var parameters = Simulate.Parameters()
            parameters.beacons = beacons
            _ = try await daemon.call(Simulate.self, parameters)
        }
        if !beacon.isEmpty {
            let beacons = beacon.count == 1 ? "a beacon is" : "\(beacon.count) beacons are"
            try Terminal.writeOutput("Simulated: \(beacons) in range.\n")
        }
    }

    /// The maximum size of one call, in bytes. The daemon closes the connection on a longer call.
    private static let limit = VarlinkServer.Limits().frameSize

    private static func text(ofRoute path: String) throws -> String {
        let file = try ChunkedInput(path: path)
        var bytes: [UInt8] = []
        var decoder = TextDecoder(acceptsGPX: true)
        do {
            while let chunk = try file.next() {
                bytes += try decoder.decode(chunk.readableBytesUInt8Span)
                if bytes.count > limit { throw tooLarge(path) }
            }
            bytes += try decoder.finish()
        } catch let format as ForeignFormat {
            throw Failure(.failed, "\(Terminal.printable(path)): \(format)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.failed, "\(Terminal.printable(path)) is not a GPX file: it is not UTF-8 text")
        }
        return text
    }

    private static func checkSize(of parameters: Simulate.Parameters, from path: String) throws {
        // The terminating NUL does not count.
        let size = try Frame.call(Simulate.qualifiedName, parameters: parameters).readableBytes - 1
        if size > limit { throw tooLarge(path) }
    }

    private static func tooLarge(_ path: String) -> Failure {
        let path = Terminal.printable(path)
        return Failure(
            .failed,
            """
            \(path) is too large: locationd accepts \(limit / 1024) KiB in one call. Remove points, for example with \
            `gpsbabel -i gpx -f \(path) -x simplify,count=500 -o gpx -F small.gpx`, or start locationd with \
            --receiver simulated:\(path), which accepts a file of any size
            """)
    }
}
