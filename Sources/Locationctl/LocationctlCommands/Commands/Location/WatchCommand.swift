internal import ArgumentParser
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

struct WatchCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Prints locations, or the events of another stream, as they come.",
        discussion: """
            locationctl is an app like any other: if there is no decision about it yet, the user is prompted, and the \
            command waits for the answer. With --json, each line is an update as in io.locationd.Location or, for \
            streams other than --locations, the parameters of a reply, as sent to a wake socket. --csv and --gpx \
            produce complete files even if interrupted. On a terminal, a map of the accuracy on a scale from 1 m to 10 \
            km is below the last line. Events that are not locations go to standard error, and are left out of a file. \
            The options from --desired-accuracy to --background-indicator apply to --locations only.
            """)

    @Flag(help: "The output format (default: text, one line per location).")
    var format: WatchFormat = .text
    @Flag var stream: WatchStream = .locations
    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp("Stop after this many locations or events.", valueName: "count"))
    var count: Int?
    @Option(help: ArgumentHelp("Stop after this many seconds.", valueName: "s"))
    var duration: Double?
    @OptionGroup var time: TimeOption
    @OptionGroup var subscription: SubscriptionArguments
    @Option(
        help: ArgumentHelp(
            "With --heading: the minimum turn to report, in degrees (default: 1).", valueName: "deg"))
    var headingFilter: Double?
    @Option(
        help: ArgumentHelp(
            """
            With --significant-changes or --visits: the Unix socket that receives the events after this command ends; \
            needs always.
            """, valueName: "path"),
        transform: WakePath.init)
    var wake: WakePath?
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    var level: RequestedLevel { wake == nil ? .whenInUse : .always }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more") }
        if let seconds = duration, !(0...3e7).contains(seconds) {
            throw ValidationError("--duration must be between 0 and 30,000,000 s (about a year)")
        }
        if let degrees = headingFilter, !(0...180).contains(degrees) {
            throw ValidationError("--heading-filter must be between 0 and 180 degrees")
        }
        if headingFilter != nil, stream != .heading { throw ValidationError("--heading-filter needs --heading") }
        if wake != nil, !stream.canWake {
            throw ValidationError(
                stream == .regions
                    ? "--wake is set for each region: see `locationctl region add --help`"
                    : "--wake works only with --significant-changes and --visits")
        }
        if !stream.isTrack, format == .csv || format == .gpx {
            throw ValidationError(
                "--csv and --gpx hold locations only, so they cannot be combined with \(stream.option); use --json")
        }
        if stream != .locations, let option = subscription.firstGiven {
            throw ValidationError("\(option) works only with --locations, not with \(stream.option)")
        }
    }

    func run(with daemon: DaemonConnection) async throws {
        let signals = await TrappedSignals.stream(of: [SIGINT, SIGTERM])
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup { group in
            group.addTask {
                do { try await watch(daemon) { begin.yield() } } catch is CancellationError {}
            }
            group.addTask { for await _ in signals { return } }
            if let duration, stream != .locations {
                // The other methods have no duration, so it is measured here, from the authorization on.
                group.addTask {
                    for await _ in began { break }
                    try? await Task.sleep(for: .seconds(duration))
                }
            }
            do {
                try await group.next()
            } catch is CancellationError {}
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Requests the authorization, calls `onBegin`, and prints the stream.
    private func watch(_ daemon: DaemonConnection, onBegin: () -> Void) async throws {
        var writer = format.writer(time.utc ? .utc : .machine)
        guard stream.isTrack else { return try await follow(daemon, &writer, onBegin: onBegin) }
        try writer.begin()
        do {
            try await follow(daemon, &writer, onBegin: onBegin)
        } catch {
            // A file is completed even if a signal cancels the task.
            try writer.end()
            throw error
        }
        try writer.end()
    }

    private func follow(_ daemon: DaemonConnection, _ writer: inout any UpdateWriter, onBegin: () -> Void) async throws
    {
        try await daemon.requestAuthorization(reason: stream.reason)
        onBegin()
        let waking = WakeParameters(wake: wake?.path)
        switch stream {
        case .locations: try await watchLocations(daemon, &writer)
        case .significantChanges: try await watchSignificantChanges(daemon, waking, &writer)
        case .visits: try await watchEvents(daemon, MonitorVisits.self, waking)
        case .regions: try await watchEvents(daemon, MonitorRegions.self, Nothing())
        case .heading: try await watchEvents(daemon, MonitorHeading.self, .init(filter: headingFilter))
        }
    }

    private func watchLocations(_ daemon: DaemonConnection, _ writer: inout any UpdateWriter) async throws {
        var options = subscription.options
        options.maximumUpdates = count
        options.duration = duration
        let remark = Task { try await FirstFixRemark.write(daemon) }
        defer { remark.cancel() }
        try await daemon.stream(Subscribe.self, Subscribe.Parameters(options: options)) { reply in
            guard let update = reply.update else { return false }
            remark.cancel()
            try writer.write(update)
            return true
        }
    }

    private func watchSignificantChanges(
        _ daemon: DaemonConnection, _ parameters: WakeParameters, _ writer: inout any UpdateWriter
    ) async throws {
        var rest = count ?? .max
        try await daemon.stream(MonitorSignificantChanges.self, parameters) { reply in
            guard let update = reply.update else { return false }
            if format == .json {
                try Terminal.writeOutput(JSONLine.line(reply))
            } else {
                try writer.write(update)
            }
            if update.event == .location { rest -= 1 }
            return rest > 0
        }
    }

    private func watchEvents<M: DaemonMethod>(
        _ daemon: DaemonConnection, _ method: M.Type, _ parameters: M.Parameters
    ) async throws where M.Reply: EventReply {
        let medium = OutputMedium.current(isUTC: time.utc)
        if format == .text, medium.columns != nil {
            try Terminal.writeOutput(M.Reply.columns(medium.time, AgentEvents.now))
        }
        var rest = count ?? .max
        try await daemon.stream(method, parameters) { reply in
            guard let line = reply.line(medium.time) else { return false }
            try Terminal.writeOutput(format == .json ? try JSONLine.line(reply) : medium.capabilities.text(line))
            rest -= 1
            return rest > 0
        }
    }
}
