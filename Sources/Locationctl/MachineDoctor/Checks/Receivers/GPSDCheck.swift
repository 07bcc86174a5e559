internal import Devices
internal import LocationProtocol
internal import LocationctlSupport

/// The check for a gpsd that competes for the same receivers.
enum GPSDCheck {
    /// The advice if both programs use the same port, which only one of them can read.
    static var choice: String {
        translated(
            """
            choose one: let locationd read from gpsd, with [[receiver]] source = "gpsd:" in \
            /etc/locationd/locationd.toml, or stop gpsd with `sudo systemctl disable --now gpsd.socket \
            gpsd.service`
            """)
    }

    static func findings(in facts: Facts) -> [Finding] {
        let system = facts.system
        guard system.isGPSDRunning || system.isActive("gpsd.socket") else { return [] }
        let readsFromGPSD = facts.receivers.contains {
            if case .gpsd? = $0.source { true } else { false }
        }
        if readsFromGPSD {
            return [.ok(translated("locationd reads from gpsd"))]
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
                translated(
                    "gpsd's udev rules hand {device} ({product}) to gpsd, which runs or would be started",
                    ["device": device.node, "product": device.product]),
                why: translated("whichever of gpsd and locationd opens the port first locks out the other"),
                advice: choice)
        }
    }
}
