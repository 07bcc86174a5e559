internal import Devices
internal import LocationProtocol

/// The check of the receivers' states, as the daemon reports them.
enum ReceiverCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let receivers = facts.service.receivers else { return [] }
        guard !receivers.isEmpty else {
            return [
                .problem(
                    "no receiver is configured or found", why: "apps get no location",
                    advice: """
                        plug one in; if locationd does not find it, add [[receiver]] with source = \
                        "\(facts.devices.first?.source ?? "serial:/dev/ttyACM0")" to /etc/locationd/locationd.toml
                        """)
            ]
        }
        return receivers.map(state) + receivers.compactMap(jamming) + gpsd(receivers, facts)
    }

    private static func state(of receiver: ReceiverSummary) -> Finding {
        switch receiver.state {
        case .stopped where isUnplugged(receiver), .resting where isUnplugged(receiver):
            .problem(
                "\(receiver.name) is not plugged in",
                advice: "plug it in; `ls -l /dev/serial/by-id` lists the converters that are plugged in")
        case .running: .ok("\(receiver.name) has a fix")
        case .stopped: .ok("\(receiver.name) is closed, because no app needs the location")
        case .resting: .ok("\(receiver.name) is closed until the next fix is due")
        case .connecting: .note("\(receiver.name) is being opened")
        case .searching where receiver.detecting == true:
            .note(
                "\(receiver.name): baud-rate detection is running",
                why: "this takes up to 10 s, or longer if the receiver sends nothing")
        case .searching:
            .note(
                "\(receiver.name) is open, and has no fix yet",
                why: "a first fix can take several minutes, and needs a clear view of the sky")
        case .lost: .problem("\(receiver.name) is lost", why: receiver.message)
        case .ended: .note("\(receiver.name) has reached the end of its recording")
        }
    }

    private static func jamming(of receiver: ReceiverSummary) -> Finding? {
        let advice = """
            move the antenna away from the computer, its cables and USB 3 devices; if it stays when everything near is \
            switched off, the source is further away
            """
        switch receiver.jamming?.level {
        case .warning?:
            return .note(
                "\(receiver.name) reports interference at its antenna",
                why: "locations may be less accurate, or get lost",
                advice: advice)
        case .critical?:
            return .problem(
                "\(receiver.name) reports interference at its antenna", why: "it has no fix because of it",
                advice: advice)
        case JammingReport.Level.none?, nil: return nil
        }
    }

    private static func isUnplugged(_ receiver: ReceiverSummary) -> Bool {
        receiver.specification.hasPrefix("usb:") && receiver.port == nil
    }

    private static func gpsd(_ receivers: [ReceiverSummary], _ facts: Facts) -> [Finding] {
        let readsFromLocalGPSD = receivers.contains { receiver in
            guard case .gpsd(let host, _)? = receiver.source else { return false }
            return ["localhost", "127.0.0.1", "::1"].contains(host)
        }
        // `GPSDFrontCheck` reports a gpsd that may not have its port.
        guard readsFromLocalGPSD, !GPSDFrontCheck.isInstalled(facts), !facts.system.isGPSDRunning,
            !facts.system.isActive("gpsd.socket")
        else { return [] }
        return [
            .problem(
                "locationd is configured to read from gpsd, which is not running",
                advice: "`sudo systemctl enable --now gpsd.socket`")
        ]
    }
}
