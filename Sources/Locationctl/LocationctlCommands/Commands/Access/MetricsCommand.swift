internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import MachineDoctor
internal import Publishing
internal import Varlink

struct MetricsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Prints metrics for a monitoring system.",
        discussion: """
            The metrics are counts and states of the service, the receivers, the apps and the publisher. They say \
            nowhere where the machine is, and name no app without --apps. Nor do they change with the sky or with \
            movement without --details. Users other than root get those of their own apps. If locationd cannot be \
            reached, locationd_up is 0, and the exit status 3.
            """)

    @Option(help: ArgumentHelp("The text format: openmetrics, or prometheus for node_exporter.", valueName: "format"))
    var format = MetricsText.openmetrics
    @Option(
        help: ArgumentHelp("Write this file, whole or not at all, instead of standard output.", valueName: "file"))
    var output: String?
    @Flag(help: "Add metrics of each app, with its name.")
    var apps = false
    @Flag(
        help: """
            Add metrics of fixes and deliveries: a reader learns when the machine is under a roof, and when it moves.
            """)
    var details = false
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    /// The time that the daemon may take to answer, including its start.
    private static let timeout = Duration.seconds(10)

    func run(with daemon: DaemonConnection) async throws {
        if let output { try AtomicFile.check(output) }
        var metrics = ServiceMetrics(hasDetails: details, publisher: Self.publisher(of: daemon))
        var failure: Failure?
        do throws(Failure) {
            (metrics.service, metrics.apps) = try await values(of: daemon)
        } catch {
            guard error.status == .unreachable else { throw error }
            failure = error
        }
        let text = format.text(metrics.families)
        if let output { try AtomicFile.write(text, to: output) } else { try Terminal.writeOutput(text) }
        if let failure { throw failure }
    }

    private func values(
        of daemon: DaemonConnection
    ) async throws(Failure) -> (ServiceMetrics.Service, ServiceMetrics.Apps?) {
        let late = Failure(.unreachable, "locationd does not answer: see its log and try again")
        do {
            return try await within(Self.timeout, orThrow: late) { [apps, details] in
                let service = ServiceMetrics.Service(
                    statistics: try await daemon.call(GetStatistics.self, Nothing()).statistics,
                    services: try await daemon.call(GetServices.self, UserScope()),
                    // Attack: a reader of the metrics learns when a receiver is open, and infers how far away a
                    // monitored region is; or learns when it has a fix, and infers when the machine is under a roof.
                    receivers: try await daemon.list(
                        ListReceivers.self, .init(forOthers: details ? nil : true, details: details)
                    ).receivers,
                    prompts: try await daemon.list(MonitorPrompts.self, .init()).prompts.count,
                    apps: try await daemon.list(ListApps.self, UserScope()).apps)
                guard apps else { return (service, nil) }
                return (
                    service,
                    ServiceMetrics.Apps(
                        log: try await daemon.list(GetAccessLog.self, UserScope()).entries,
                        uses: try await daemon.list(GetIndicator.self, UserScope()).apps, now: AgentEvents.now)
                )
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }

    /// Returns the status that this machine's publisher reports, or `nil` if it is not running.
    private static func publisher(of daemon: DaemonConnection) -> PublisherStatus? {
        guard daemon.directory == installedRuntimeDirectory,
            let shown = ChildProcess.run(
                "systemctl", ["show", "--property=Id,ActiveState,StatusText", "locationd-publish.service"]),
            let unit = UnitFacts.units(in: shown.output).values.first, unit.isActive
        else { return nil }
        return PublisherStatus(unit.statusText)
    }
}
