internal import LocationProtocol

/// The check for a gpsd that competes for the same receivers.
enum GPSDCheck {
    /// The advice if both programs want a port, which only one of them can read.
    static let choice = """
        one of the two: let locationd read from gpsd, with [[receiver]] source = "gpsd:" in \
        /etc/locationd/locationd.toml, or `sudo systemctl disable --now gpsd.socket gpsd.service`
        """

    static func findings(in facts: Facts) -> [Finding] {
        let system = facts.system
        guard system.isGPSDRunning || system.isActive("gpsd.socket") else { return [] }
        if facts.receivers.contains(where: { ReceiverSource($0.specification).kind == "gpsd" }) {
            return [.ok("locationd reads from gpsd")]
        }
        // `PortCheck` reports a port that gpsd has open.
        guard system.isGPSDHotplugEnabled, !facts.ports.contains(where: { $0.holder?.name == "gpsd" }) else {
            return []
        }
        let contested = facts.devices.filter {
            $0.isClaimedByGPSD && ($0.isReceiver || $0.isMeant(byOneOf: facts.receivers))
        }
        return contested.map { device in
            .note(
                "gpsd's rules hand \(device.node) (\(device.product)) to gpsd, and gpsd runs or would be started",
                why: "whichever of gpsd and locationd opens it first keeps the other one out", advice: choice)
        }
    }
}
