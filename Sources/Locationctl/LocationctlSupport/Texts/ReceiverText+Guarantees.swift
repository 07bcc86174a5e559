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
        return "guarantees \(limits[0]), \(limits[1]) in height" + (level.risk.map { ", risk \(percent($0))" } ?? "")
    }

    /// Returns a share in percent with its first two significant digits, at most six decimals.
    private static func percent(_ share: Double) -> String {
        guard share >= 1e-8 else { return "below 0.000001 %" }
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
            report.satellites.flatMap { $0 > 0 ? "\($0) \($0 == 1 ? "satellite" : "satellites") (OSNMA)" : nil },
            report.time ? "time" : nil, report.position ? "position" : nil,
        ].compactMap(\.self)
        return proofs.isEmpty ? nil : "authentic: " + proofs.joined(separator: ", ")
    }

    private static func deadReckoning(_ state: DeadReckoningReport) -> String {
        switch state {
        case .initializing: "dead reckoning: its sensors are not calibrated yet"
        case .active: "dead reckoning with sensors"
        case .suspended: "dead reckoning: its sensors are suspended"
        case .disabled: "dead reckoning: its sensors are off until it restarts"
        }
    }
}
