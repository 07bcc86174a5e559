internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

/// The remark for a user who waits for a first location: it may take minutes, and the satellites in view so far.
enum FirstFixRemark {
    /// The usual time to a fix, in seconds.
    private static let usual = 5

    /// Writes the remark after the usual time, unless the task is cancelled first.
    static func write(_ daemon: DaemonConnection) async throws {
        try await Task.sleep(for: .seconds(usual))
        // A user who may not manage does not see the receivers.
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
