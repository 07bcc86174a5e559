internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import Varlink

struct ReceiversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receivers", abstract: "Shows the receivers and what they do.",
        discussion: """
            A receiver runs while an app asks for the location, rests where fixes are wanted far apart (INTERVAL), and \
            is closed otherwise. BAUD is the speed of its serial line, with the framing unless that is 8N1, or \
            "detecting" while that is found out. * marks the one whose fixes count, and WHY says why, or why a \
            receiver was lost.
            """)

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
            var table = Table(
                "", "RECEIVER", "SOURCE", "PORT", "STATE", "BAUD", "INTERVAL", "FIXES", "LAST FIX", "ACCURACY",
                "SATELLITES",
                "HDOP",
                "COMPASS", "WHY")
            for receiver in reply.receivers {
                table.add(
                    receiver.inUse ? "*" : "", receiver.name, receiver.specification, receiver.port ?? "",
                    receiver.state.rawValue, line(receiver), Decimal.text(receiver.interval, digits: 0, unit: " s"),
                    "\(receiver.fixes)",
                    receiver.fixAge.map { Decimal.text($0, digits: 0, unit: " s ago") } ?? "never",
                    Decimal.accuracy(receiver.horizontalAccuracy), receiver.satellitesUsed.map(String.init) ?? "",
                    Decimal.text(receiver.horizontalDilution, digits: 1), receiver.compass ? "yes" : "", why(receiver))
            }
            return table.text(
                nothing: """
                    No receiver is plugged in that is known as one, and none is configured: name its port by [[receiver]] \
                    in locationd.toml.
                    """,
                optional: ["", "PORT", "BAUD", "INTERVAL", "ACCURACY", "SATELLITES", "HDOP", "COMPASS", "WHY"])
        }
    }

    /// Returns the receiver's serial settings, or "detecting" until they are known.
    private func line(_ receiver: ReceiverSummary) -> String {
        if receiver.detecting == true { return "detecting" }
        guard let rate = receiver.baudRate else { return "" }
        guard let framing = receiver.framing, framing != "8N1" else { return "\(rate)" }
        return "\(rate) \(framing)"
    }

    /// Returns the reasons why a receiver is in use and why it was lost.
    private func why(_ receiver: ReceiverSummary) -> String {
        let choice =
            switch receiver.inUse ? receiver.choice : nil {
            case .first: "the first to give a fix"
            case .otherLost: "the one before it was lost"
            case .otherSilent: "the one before it fell silent"
            case .moreAccurate: "clearly more accurate than the one before it"
            case nil: ""
            }
        return [choice, receiver.message ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
