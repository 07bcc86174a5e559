internal import ArgumentParser
internal import Authorization
internal import LocationProtocol
internal import Positioning
internal import UnixSignals

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Prints the location, again and again.",
        discussion: """
            It is an app like any other: where nobody has decided about it, it asks, and waits for the answer. With \
            --json each line is an update as io.locationd.Location has it; --csv and --gpx are whole files also when they \
            are interrupted.
            """)

    @Flag(help: "How the output is written; a line for people by default.")
    var format: WatchFormat = .text
    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("End after that many locations.", valueName: "count"))
    var count: Int?
    @OptionGroup var wishes: WishOptions
    @Option(help: ArgumentHelp("Seconds between two locations, at least.", valueName: "s"))
    var minimumInterval: Double?
    @Option(help: ArgumentHelp("End after that many seconds.", valueName: "s"))
    var duration: Double?
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is at least 1") }
        if let seconds = minimumInterval, seconds < 0 { throw ValidationError("--minimum-interval is at least 0") }
        if let seconds = duration, seconds < 0 { throw ValidationError("--duration is at least 0") }
    }

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup { group in
            group.addTask {
                // A file that was begun is ended properly, also when a signal cancels the watching.
                var writer = format.writer
                writer.begin()
                defer { writer.end() }
                try await watch(daemon, &writer)
            }
            group.addTask { for await _ in signals { return } }
            do {
                try await group.next()
            } catch is CancellationError {}
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func watch(_ daemon: DaemonConnection, _ writer: inout any UpdateWriter) async throws {
        var options = wishes.options
        options.maximumUpdates = count
        options.minimumInterval = minimumInterval
        options.duration = duration
        do {
            try await daemon.requestAuthorization(reason: "to print the location in a terminal")
            try await daemon.stream(Subscribe.self, Subscribe.Parameters(options: options)) { reply in
                guard let update = reply.update else { return false }
                try writer.write(update)
                return true
            }
        } catch is CancellationError {
            return
        }
    }
}
