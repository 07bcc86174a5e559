internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the location once.",
        discussion: """
            The first location that is accurate enough, else the best within the timeout. Where nobody has decided about \
            it, it asks, and waits for the answer no longer than for a location.
            """)

    @Option(help: ArgumentHelp(WishOptions.accuracies, valueName: "accuracy"))
    var desiredAccuracy: DesiredAccuracy = .nearestTenMeters
    @Option(help: ArgumentHelp("Seconds to wait.", valueName: "s"))
    var timeout: Double = 10
    @Option(help: ArgumentHelp("Take a location that is not older than that many seconds at once.", valueName: "s"))
    var maximumAge: Double?
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        let times = 0...3e7
        guard times.contains(timeout) else { throw ValidationError("--timeout is 0 s to a year") }
        guard times.contains(maximumAge ?? 0) else { throw ValidationError("--maximum-age is 0 s to a year") }
    }

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        try await authorize(daemon)
        let parameters = GetLocation.Parameters(
            desiredAccuracy: desiredAccuracy, timeout: timeout, maximumAge: maximumAge)
        let location = try await daemon.call(GetLocation.self, parameters).location
        try output.write(location) { TextUpdateWriter.line(location) }
    }

    private func authorize(_ daemon: DaemonConnection) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await daemon.requestAuthorization(reason: "to print the location once") }
            group.addTask {
                try await Task.sleep(for: .seconds(timeout))
                throw Failure(.notAuthorized, "not authorized: run `\(daemon.grantCommand)`")
            }
            try await group.next()
            group.cancelAll()
        }
    }
}
