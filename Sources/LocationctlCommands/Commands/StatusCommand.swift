internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
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
        /// The number of prompts of the caller's apps that wait for an answer, or `nil` if that is not known.
        var prompts: Int?
        var receivers: [ReceiverSummary]
        var statistics: Statistics
    }

    func run(with daemon: DaemonConnection) async throws {
        let status = Status(
            app: DaemonConnection.ownIdentity,
            services: try await daemon.call(GetServices.self, UserScope()),
            authorization: try await daemon.call(GetAuthorization.self, Nothing()).authorization,
            prompts: try? await daemon.list(MonitorPrompts.self, .init()).prompts.count,
            receivers: try await daemon.list(ListReceivers.self, .init()).receivers,
            statistics: try await daemon.call(GetStatistics.self, Nothing()).statistics)
        try output.write(status) { text(status) }
    }

    private func authorization(_ authorization: Authorization) -> String {
        let decision = authorization.decision.map { ", once location services are on: \($0.rawValue)" } ?? ""
        return authorization.status.rawValue + decision
    }

    private func waiting(_ prompts: Int?) -> String {
        guard let prompts, prompts > 0 else { return "" }
        return "; \(prompts) \(prompts == 1 ? "waits" : "wait") for an answer: run `locationctl prompts`"
    }

    private func text(_ status: Status) -> String {
        let receivers = status.receivers.map { receiver in
            let condition = ReceiverText.condition(receiver)
            return "\(receiver.name) \(receiver.state.rawValue)" + (condition.isEmpty ? "" : " (\(condition))")
        }.joined(separator: ", ")
        let statistics = status.statistics
        var counted = ""
        if let fixes = statistics.fixes, let delivered = statistics.delivered, let refused = statistics.refused {
            counted = "Since the start: \(fixes) fixes, \(delivered) updates sent, \(refused) refused\n"
        }
        return """
            locationd \(statistics.version), running for \(Decimal.text(statistics.uptime, digits: 0)) s
            Location services: \(status.services.text)
            This program: \(Terminal.printable(status.app ?? "unknown")), \(authorization(status.authorization))
            Receivers: \(receivers.isEmpty ? "none" : Terminal.printable(receivers))
            Apps: \(statistics.connections) connections, \(statistics.sessions) streams\(waiting(status.prompts))
            \(counted)
            """
    }
}
