package import LocationProtocol

extension ReceiverText {
    /// Returns the receiver's guarantees for its position and its signals, and the state of its sensors of motion.
    package static func guarantees(_ receiver: ReceiverSummary) -> [String] {
        [
            receiver.protectionLevel.map(protectionLevel), receiver.authentication.flatMap(authentication),
            receiver.deadReckoning.map(deadReckoning),
        ].compactMap(\.self)
    }

    /// Returns the limits of the error and the risk: `guarantees 5.0 m, 7.5 m in height, risk 5 %`.
    private static func protectionLevel(_ level: ProtectionLevelReport) -> String {
        let limits = [level.horizontal, level.vertical].map { Decimal.text($0, digits: 1, unit: " m") }
        let (horizontal, vertical) = (limits[0], limits[1])
        guard let risk = level.risk.map(percent) else {
            return translated(
                // Translators: The receiver guarantees that its position is not further off.
                "guarantees {horizontal}, {vertical} in height", ["horizontal": horizontal, "vertical": vertical])
        }
        return translated(
            // Translators: The receiver guarantees that its position is not further off, except for a small risk.
            "guarantees {horizontal}, {vertical} in height, risk {risk}",
            ["horizontal": horizontal, "vertical": vertical, "risk": risk])
    }

    /// Returns a share in percent with its first two significant digits, at most six decimals.
    private static func percent(_ share: Double) -> String {
        // Translators: Less than a percentage.
        guard share >= 1e-8 else { return translated("below {percent} %", ["percent": "0.000001"]) }
        var digits = 0
        var scaled = share * 100
        while scaled < 10, digits < 6 {
            scaled *= 10
            digits += 1
        }
        var text = Decimal.text(share * 100, digits: digits)
        while text.contains("."), text.last == "0" || text.last == "." { text.removeLast() }
        return text + " %"
    }

    /// Returns the proofs: `authentic: 5 satellites (OSNMA), time, position`; `nil` if there are none.
    private static func authentication(_ report: AuthenticationReport) -> String? {
        let proofs = [
            report.satellites.flatMap { $0 > 0 ? "\(satellites($0)) (OSNMA)" : nil },
            // Translators: In a list after "authentic": the time that the receiver reports.
            report.time ? translated("time") : nil,
            // Translators: In a list after "authentic": the position that the receiver reports.
            report.position ? translated("position") : nil,
        ].compactMap(\.self)
        guard !proofs.isEmpty else { return nil }
        // Translators: What a receiver has proved to come from real satellites.
        return translated("authentic: {list}", ["list": proofs.joined(separator: translated(", "))])
    }

    private static func deadReckoning(_ state: DeadReckoningReport) -> String {
        switch state {
        // Translators: A receiver continues its position in a tunnel by sensors of motion.
        case .initializing: translated("dead reckoning: its sensors are not calibrated yet")
        case .active: translated("dead reckoning with sensors")
        case .suspended: translated("dead reckoning: its sensors are suspended")
        case .disabled: translated("dead reckoning: its sensors are off until it restarts")
        }
    }
}
