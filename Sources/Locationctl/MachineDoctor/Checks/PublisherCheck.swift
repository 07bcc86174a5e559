internal import LocationModel
internal import LocationctlSupport

/// The check of the publisher, if the package locationd-publish is installed.
enum PublisherCheck {
    /// The app identity of the installed publisher.
    static let app = "service:locationd-publish"
    private static let name = "locationd-publish.service"
    private static var journal: String { translated("`sudo journalctl -u locationd-publish -n 50` says more") }

    static func findings(in facts: Facts) -> [Finding] {
        let publisher = facts.publisher
        guard facts.isInstalled, publisher.isPackaged else { return [] }
        guard publisher.isConfigured else {
            return [
                .note(
                    translated("locationd-publish is installed, and there is no /etc/locationd/publish.toml"),
                    why: translated("it publishes nothing"),
                    advice: translated(
                        """
                        copy /usr/share/doc/locationd-publish/examples/publish.toml there and edit it; see \
                        locationd-publish(8)
                        """))
            ]
        }
        return [configuration(publisher), grant(facts), state(facts)].compactMap(\.self)
    }

    private static func configuration(_ publisher: PublisherFacts) -> Finding? {
        guard let error = publisher.configurationError, !error.isEmpty else { return nil }
        return .problem(
            translated("the configuration of locationd-publish is wrong: {error}", ["error": error]),
            why: translated("it does not start"),
            advice: translated("correct the file; then `sudo systemctl restart locationd-publish`"))
    }

    private static func grant(_ facts: Facts) -> Finding? {
        let advice = "`sudo locationctl grant --always --uid $(id -u locationd-publish) \(app)`"
        return switch facts.publisher.status {
        case nil, .authorizedAlways: nil
        case .authorizedWhenInUse:
            .problem(
                translated("{app} may have the location only while it is in use", ["app": app]),
                why: translated("a service is never in use, so it gets none"),
                advice: advice)
        case .notDetermined:
            .problem(
                translated("{app} has no grant for the location", ["app": app]),
                why: translated("it publishes nothing"),
                advice: advice)
        case .denied:
            .note(
                translated("{app} was denied the location", ["app": app]),
                why: translated("it publishes nothing, and its queue was deleted"),
                advice: advice)
        case .restricted:
            .note(
                translated("the configuration of locationd forbids {app} the location", ["app": app]),
                why: translated("it cannot be granted"),
                advice: translated("see [[restricted]] in /etc/locationd/locationd.toml"))
        }
    }

    private static func state(_ facts: Facts) -> Finding? {
        guard let unit = facts.system.unit(name) else { return nil }
        switch unit.active {
        case "active", "reloading":
            let status =
                unit.statusText.isEmpty
                ? translated("{unit} is running", ["unit": name]) : "\(name): \(unit.statusText)"
            let isConnected = ["No connection", "Nothing is sent"].allSatisfy { !unit.statusText.hasPrefix($0) }
            guard isConnected else { return unconnected(status) }
            guard unit.statusText.contains("are set aside") else { return .ok(status) }
            return .note(
                status,
                why: translated("the server will never accept these reports"),
                advice: translated(
                    """
                    `sudo journalctl -u locationd-publish -n 50` says more; locationd-publish(8) says how to send them \
                    again
                    """))
        case "failed": return .problem(translated("{unit} has failed", ["unit": name]), advice: journal)
        case "activating": return .problem(translated("{unit} keeps failing to start", ["unit": name]), advice: journal)
        default:
            return .problem(
                translated("{unit} is not running", ["unit": name]), advice: "`sudo systemctl enable --now \(name)`")
        }
    }

    private static func unconnected(_ status: String) -> Finding {
        .problem(
            status,
            why: translated("reports wait on the disk, and the oldest are dropped at the bounds of the queue"),
            advice: journal)
    }
}
