internal import Devices
internal import LocationProtocol
internal import LocationctlSupport

/// The check of the sockets for clients of gpsd, if the package locationd-gpsd is installed.
enum GPSDFrontCheck {
    private static let units = ["locationd-gpsd.socket", "locationd-gpsd-ipv6.socket"]
    private static let port = ReceiverSpecification.defaultPort

    /// Returns whether the package is installed.
    static func isInstalled(_ facts: Facts) -> Bool {
        facts.isInstalled && units.contains { facts.system.unit($0)?.isLoaded == true }
    }

    static func findings(in facts: Facts) -> [Finding] {
        guard isInstalled(facts) else { return [] }
        let needed = facts.system.hasIPv6 ? units : [units[0]]
        let sockets = needed.compactMap { facts.system.unit($0) }.filter(\.isLoaded)
        return sockets.map { state(of: $0, facts) } + rival(facts) + loop(facts)
    }

    private static func state(of unit: UnitFacts, _ facts: Facts) -> Finding {
        if unit.isActive { return .ok(translated("{unit} serves clients of gpsd", ["unit": unit.name])) }
        if facts.system.isGPSDRunning || facts.system.isActive("gpsd.socket") {
            return .problem(
                translated("{unit} is not listening", ["unit": unit.name]),
                why: translated(
                    "gpsd has port {port}, and gives every program the location without a grant", ["port": "\(port)"]),
                advice: "`sudo systemctl stop gpsd.socket gpsd.service && \(restart)`")
        }
        if unit.active == "failed" {
            return .problem(
                translated("{unit} is not listening", ["unit": unit.name]),
                why: translated("another program has port {port}", ["port": "\(port)"]),
                advice: translated(
                    "`sudo ss --listening --tcp --processes 'sport = :{port}'` names it; end it, then `{command}`",
                    ["port": "\(port)", "command": restart]))
        }
        return .problem(
            translated("{unit} is not listening", ["unit": unit.name]),
            why: translated("clients of gpsd get no location"),
            advice: "`sudo systemctl enable \(unit.name) && \(restart)`")
    }

    /// systemd opens a service's sockets only while the service does not run.
    private static let restart = "sudo systemctl restart locationd"

    /// Returns a problem if gpsd's own sockets are open on locationd's port for clients of gpsd.
    private static func rival(_ facts: Facts) -> [Finding] {
        guard facts.system.isActive(units[0]), let unit = facts.system.unit("gpsd.socket"), unit.isActive,
            unit.listens.contains(where: { $0.hasSuffix(":\(port)") })
        else { return [] }
        return [
            .problem(
                translated("gpsd.socket is open beside locationd-gpsd.socket, on port {port}", ["port": "\(port)"]),
                why: translated("the address decides which of them a program reaches, and gpsd needs no grant"),
                advice: translated(
                    """
                    `sudo systemctl stop gpsd.socket gpsd.service && {command}`; a gpsd that locationd reads from \
                    needs another port: see locationd-gpsd(7)
                    """, ["command": restart]))
        ]
    }

    /// Returns a problem if locationd reads from the port where it serves clients itself.
    private static func loop(_ facts: Facts) -> [Finding] {
        let readsFromItself = facts.receivers.contains { receiver in
            guard case .gpsd(let host, let port)? = receiver.source else { return false }
            return port == Self.port && ["localhost", "127.0.0.1", "::1"].contains(host)
        }
        guard readsFromItself, units.contains(where: facts.system.isActive) else { return [] }
        return [
            .problem(
                translated(
                    "locationd is configured to read from gpsd on port {port}, where it serves clients of gpsd itself",
                    ["port": "\(port)"]),
                why: translated("it gets nothing from there"),
                advice: translated(
                    """
                    let gpsd have another port, as locationd-gpsd(7) describes, and write source = \
                    "gpsd:localhost:2948" in /etc/locationd/locationd.toml; or let locationd read the receiver itself
                    """))
        ]
    }
}
