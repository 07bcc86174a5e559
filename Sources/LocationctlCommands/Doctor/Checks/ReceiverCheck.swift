internal import LocationProtocol

/// The check of the receivers' states, as the daemon reports them.
enum ReceiverCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let receivers = facts.service.receivers else { return [] }
        guard !receivers.isEmpty else {
            return [
                .problem(
                    "there is no receiver", why: "no app gets a location",
                    advice: """
                        plug one in; if locationd does not find it, add [[receiver]] with source = \
                        "\(facts.devices.first?.source ?? "serial:/dev/ttyACM0")" to /etc/locationd/locationd.toml
                        """)
            ]
        }
        return receivers.map(state) + gpsd(receivers, facts)
    }

    private static func state(of receiver: ReceiverSummary) -> Finding {
        switch receiver.state {
        case .stopped where isUnplugged(receiver), .resting where isUnplugged(receiver):
            .problem(
                "\(receiver.name) is not plugged in",
                advice: "plug it in; `ls -l /dev/serial/by-id` lists the converters that are")
        case .running: .ok("\(receiver.name) gives fixes")
        case .stopped: .ok("\(receiver.name) is closed, since no app asks")
        case .resting: .ok("\(receiver.name) is closed until the next fix is due")
        case .connecting: .note("\(receiver.name) is being opened")
        case .searching where receiver.detecting == true:
            .note(
                "\(receiver.name): the speed of its line is being found out",
                why: "that takes up to 10 s, and longer where it sends nothing")
        case .searching:
            .note(
                "\(receiver.name) is open, and has no fix yet",
                why: "a first fix takes up to some minutes, and a view of the sky")
        case .lost: .problem("\(receiver.name) is lost", why: receiver.message)
        case .ended: .note("\(receiver.name) has come to the end of its file")
        }
    }

    private static func isUnplugged(_ receiver: ReceiverSummary) -> Bool {
        receiver.specification.hasPrefix("usb:") && receiver.port == nil
    }

    private static func gpsd(_ receivers: [ReceiverSummary], _ facts: Facts) -> [Finding] {
        let isRemote = !receivers.contains { receiver in
            ["gpsd:", "gpsd", "gpsd:localhost", "gpsd:127.0.0.1"].contains(receiver.specification)
        }
        guard !isRemote, !facts.system.isGPSDRunning, !facts.system.isActive("gpsd.socket") else { return [] }
        return [
            .problem(
                "locationd reads from gpsd, which does not run", advice: "`sudo systemctl enable --now gpsd.socket`")
        ]
    }
}
