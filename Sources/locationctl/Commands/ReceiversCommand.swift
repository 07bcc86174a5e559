internal import ArgumentParser
internal import LocationProtocol

struct ReceiversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receivers", abstract: "Shows the receivers and what they do.",
        discussion: "A receiver runs while an app asks for the location, and is closed otherwise.")

    @Flag(help: "Go on, and print again each second.")
    var follow = false
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        try await daemon.show(ListReceivers.self, Nothing(), follow: follow, show)
    }

    private func show(_ reply: ListReceivers.Reply) throws {
        try output.write(reply.receivers) {
            var table = Table("RECEIVER", "SOURCE", "STATE", "FIXES", "LAST FIX", "SATELLITES", "HDOP", "WHY")
            for receiver in reply.receivers {
                table.add(
                    receiver.name, receiver.specification, receiver.state.rawValue, "\(receiver.fixes)",
                    receiver.fixAge.map { Decimal.text($0, digits: 0, unit: " s ago") } ?? "never",
                    receiver.satellitesUsed.map(String.init) ?? "",
                    Decimal.text(receiver.horizontalDilution, digits: 1), receiver.message ?? "")
            }
            return table.text(
                nothing: "No receiver is configured: give locationd --receiver, or add [[receiver]] to locationd.toml.")
        }
    }
}
