internal import ArgumentParser
internal import LocationProtocol
internal import NIOCore
internal import Varlink

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Puts the machine at a place, or on a route.",
        discussion: """
            It holds until --stop, or until the daemon ends. The receivers rest meanwhile, and every app sees that the \
            location is simulated. Only root may do it.
            """)

    @Option(help: ArgumentHelp("The place, in degrees.", valueName: "lat,lon"), transform: PlaceArgument.init)
    var at: PlaceArgument?
    @Option(help: ArgumentHelp("The route: the track, route or waypoints of a GPX file.", valueName: "file.gpx"))
    var route: String?
    @Option(help: ArgumentHelp("With --route: 0.1 to 1000 m/s; 3 by default.", valueName: "m/s"))
    var speed: Double?
    @Flag(help: "Back to the receivers.")
    var stop = false
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        guard (at == nil ? 0 : 1) + (route == nil ? 0 : 1) + (stop ? 1 : 0) == 1 else {
            throw ValidationError("give one of --at, --route and --stop")
        }
        guard let speed else { return }
        if route == nil { throw ValidationError("--speed goes with --route") }
        if !(0.1...1000).contains(speed) { throw ValidationError("--speed is 0.1 to 1000 m/s") }
    }

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        if let at {
            _ = try await daemon.call(Simulate.self, .init(latitude: at.latitude, longitude: at.longitude))
            try Terminal.writeOutput("Simulated: the machine is at \(at.text).\n")
        } else if let route {
            let parameters = Simulate.Parameters(route: try Self.text(ofRoute: route), speed: speed)
            try Self.checkSize(of: parameters, from: route)
            _ = try await daemon.call(Simulate.self, parameters)
            let pace = speed.map { Decimal.text($0, digits: 1, unit: " m/s") } ?? "3 m/s"
            try Terminal.writeOutput(
                "Simulated: the machine is on the route \(Terminal.printable(route)) at \(pace).\n")
        } else {
            _ = try await daemon.call(StopSimulation.self, Nothing())
            try Terminal.writeOutput("Nothing is simulated: the location is the receivers'.\n")
        }
    }

    /// The maximum size of one call, in bytes; the daemon closes the connection on a longer one.
    private static let limit = VarlinkServer.Limits().frameSize

    private static func text(ofRoute path: String) throws -> String {
        let file = try InputFile(path: path)
        var bytes: [UInt8] = []
        while let chunk = try file.next() {
            bytes += chunk.readableBytesView
            if bytes.count > limit { throw tooLarge(path) }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.failed, "\(Terminal.printable(path)) is no text in UTF-8, as a GPX file is")
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
            \(path) is too large: locationd takes \(limit / 1024) KiB in one call. Leave points out, as \
            `gpsbabel -i gpx -f \(path) -x simplify,count=500 -o gpx -F small.gpx` does, or start locationd with \
            --receiver simulated:\(path), which takes a file of any size
            """)
    }
}
