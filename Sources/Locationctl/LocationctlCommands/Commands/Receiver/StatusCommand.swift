internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

struct StatusCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the state of the service in a few lines.")

    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    /// The values that the command shows.
    struct Status: Codable {
        /// The app identity of this program.
        var app: String?
        var services: GetServices.Reply
        var authorization: Authorization
        /// The number of open prompts of the caller's apps, or `nil` if it is unknown.
        var prompts: Int?
        var receivers: [ReceiverSummary]
        var statistics: Statistics
    }

    func run(with daemon: DaemonConnection) async throws {
        let status = Status(
            app: OwnApp.current?.identity,
            services: try await daemon.call(GetServices.self, UserScope()),
            authorization: try await daemon.call(GetAuthorization.self, Nothing()).authorization,
            prompts: try? await daemon.list(MonitorPrompts.self, .init()).prompts.count,
            receivers: try await daemon.list(ListReceivers.self, .init()).receivers,
            statistics: try await daemon.call(GetStatistics.self, Nothing()).statistics)
        try output.write(status) {
            StatusText(status: status, medium: .current(), command: daemon.command).text
        }
    }
}
