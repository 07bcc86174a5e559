package import LocationProtocol

/// The list of `locationctl receivers`.
package enum ReceiverTable {
    private static let nothing = """
        No known receiver is plugged in, and none is configured. `sudo locationctl setup` looks for one at the serial \
        ports; `locationctl doctor` says what else may be wrong.
        """

    package static func text(_ receivers: [ReceiverSummary], on medium: OutputMedium) -> String {
        let isWindow = medium.columns != nil
        var table = Table(
            .init("", isOptional: true), .init("RECEIVER", leastWidth: 12),
            .init("SOURCE", sacrifice: 8, leastWidth: 20),
            .init("PORT", sacrifice: 5, leastWidth: 12, isOptional: true), "STATE",
            .init("BAUD", sacrifice: 6, isOptional: true), .init("INTERVAL", sacrifice: 4, isOptional: true),
            .init("FIXES", sacrifice: 3, usual: "0"), .init("LAST FIX", sacrifice: 10, usual: "never"),
            .init("ACCURACY", sacrifice: 9, isOptional: true), .init("SATELLITES", sacrifice: 7, isOptional: true),
            .init("HDOP", sacrifice: 2, isOptional: true), .init("COMPASS", sacrifice: 1, isOptional: true),
            .init("JAMMING", isOptional: true), .init("WHY", isOptional: true, isBelow: true))
        for receiver in receivers {
            // The source already names the port, unless it identifies the receiver in another way.
            let port = receiver.port ?? ""
            let isPortShown = !isWindow || !receiver.specification.contains(port)
            let isJammingShown = !isWindow || receiver.jamming?.isJammed == true
            let mark = ReceiverText.mark(receiver)
            table.add(
                ReceiverText.isDelivering(receiver) ? "*" : "", receiver.name, receiver.specification,
                isPortShown ? port : "", ReceiverText.state(receiver), serialSettings(receiver),
                Decimal.text(receiver.interval, digits: 0, unit: " s"), receiver.fixes.map(String.init) ?? "-",
                receiver.fixAge.map { ReceiverText.duration($0) + " ago" } ?? (receiver.fixes == nil ? "-" : "never"),
                Decimal.accuracy(receiver.horizontalAccuracy), receiver.satellitesUsed.map(String.init) ?? "",
                Decimal.text(receiver.horizontalDilution, digits: 1), receiver.compass == true ? "yes" : "",
                isJammingShown ? ReceiverText.jamming(receiver.jamming) : "",
                why(receiver, isWindow: isWindow), mark: isWindow ? mark : nil,
                styles: [
                    "": .good, "STATE": mark.style, "JAMMING": .warning, "WHY": mark == .wrong ? .warning : .hint,
                ])
        }
        let text = table.text(on: medium, nothing: nothing)
        guard isWindow, receivers.contains(where: { $0.state == .stopped }) else { return text }
        return text + medium.lines("Closed: no app needs the location.", .hint)
    }

    /// Returns the receiver's serial settings, or "detecting" until they are known.
    private static func serialSettings(_ receiver: ReceiverSummary) -> String {
        if receiver.detecting == true { return "detecting" }
        guard let rate = receiver.baudRate else { return "" }
        guard let framing = receiver.framing, framing != "8N1" else { return "\(rate)" }
        return "\(rate) \(framing)"
    }

    /// Returns the reasons why a receiver is in use, and why it is lost, is closed or has no location.
    private static func why(_ receiver: ReceiverSummary, isWindow: Bool) -> String {
        let choice = ReceiverText.isDelivering(receiver) ? ReceiverText.choice(receiver.choice) : ""
        // In a window, the reason is below the list, once for all receivers.
        let reason = isWindow && receiver.state == .stopped ? "" : ReceiverText.reason(receiver)
        return
            ([
                ReceiverText.doubts(receiver.doubts), isWindow && !choice.isEmpty ? "in use: " + choice : choice,
                reason,
            ]
            + ReceiverText.peculiarities(receiver)).filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
