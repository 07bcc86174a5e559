internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// What a user who waits for a first location should know: that it may take minutes, and what the receivers see
/// meanwhile.
enum FirstFixRemark {
    /// The time that is usual, in seconds.
    private static let usual = 5

    /// Writes the remark, unless the task is cancelled before.
    static func write(_ daemon: DaemonConnection) async throws {
        try await Task.sleep(for: .seconds(usual))
        // Whoever may not manage does not learn what the receivers do.
        let receivers = try? await daemon.list(ListReceivers.self, .init()).receivers
        try Task.checkCancellation()
        Terminal.writeError("locationctl: \(text(receivers ?? []))\n")
    }

    /// Returns the remark.
    static func text(_ receivers: [ReceiverSummary]) -> String {
        let states = receivers.filter { $0.state != .stopped && $0.state != .resting }.map { receiver in
            let condition = ReceiverText.condition(receiver)
            return Terminal.printable(receiver.name) + " "
                + (receiver.state == .lost
                    ? "is lost: \(Terminal.printable(receiver.message ?? "see `locationctl receivers`"))"
                    : condition.isEmpty ? "is \(receiver.state.rawValue)" : "is open: \(condition)")
        }
        return "no location yet" + (states.isEmpty ? "" : "; " + states.joined(separator: "; "))
            + ". A receiver that was off for hours needs some minutes, with a clear view of the sky"
    }
}
