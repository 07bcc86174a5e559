internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

struct GetCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the location once.",
        discussion: """
            Prints the first location that is accurate enough, or else the best one within the timeout. If there is no \
            decision about locationctl yet, the user is prompted; the wait for the answer has the same limit.
            """)

    @Option(help: ArgumentHelp(SubscriptionArguments.accuracies, valueName: "accuracy"))
    var desiredAccuracy: DesiredAccuracy = .nearestTenMeters
    @Option(help: ArgumentHelp("The maximum time to wait, in seconds.", valueName: "s"))
    var timeout: Double = 10
    @Option(help: ArgumentHelp("Accept a known location up to this age at once, in seconds.", valueName: "s"))
    var maximumAge: Double?
    @OptionGroup var output: OutputOption
    @OptionGroup var time: TimeOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        let times = 0...3e7
        guard times.contains(timeout) else {
            throw ValidationError("--timeout must be between 0 and 30,000,000 s (about a year)")
        }
        guard times.contains(maximumAge ?? 0) else {
            throw ValidationError("--maximum-age must be between 0 and 30,000,000 s (about a year)")
        }
    }

    func run(with daemon: DaemonConnection) async throws {
        try await authorize(daemon)
        let parameters = GetLocation.Parameters(
            desiredAccuracy: desiredAccuracy, timeout: timeout, maximumAge: maximumAge)
        let location = try await daemon.call(GetLocation.self, parameters).location
        try output.write(location) { Self.text(location, on: .current(isUTC: time.utc)) }
    }

    /// Returns the location as a line, with headings above it in a window.
    static func text(_ location: Location, on medium: OutputMedium) -> String {
        guard let width = medium.columns else { return LocationColumns.all.line(location) }
        let columns = LocationColumns(fitting: width, medium.time)
        return columns.header(at: location.timestamp) + medium.capabilities.text(columns.line(location))
    }

    /// The timeout for the daemon's first answer, since it may have to be started. The user's timeout begins with that
    /// answer.
    private static let daemonTimeout = Duration.seconds(30)

    private func authorize(_ daemon: DaemonConnection) async throws {
        let (replies, reply) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await daemon.requestAuthorization(reason: "to print the location once") { reply.yield() }
            }
            group.addTask {
                let silence = Failure(
                    .unreachable,
                    "locationd has not answered for \(Self.daemonTimeout); run `\(daemon.command("doctor"))`")
                try await within(Self.daemonTimeout, orThrow: silence) { for await _ in replies { return } }
                try await Task.sleep(for: .seconds(timeout))
                throw Failure(
                    .notAuthorized,
                    "not authorized: there was no answer within the timeout; run `\(daemon.grantCommand)`")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
