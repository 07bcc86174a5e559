internal import LocationProtocol
internal import LocationctlSupport

/// The check of GeoClue's interface, if the package locationd-geoclue is installed.
enum GeoClueCheck {
    private static let reinstall = "`sudo apt install --reinstall locationd-geoclue`"

    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled, facts.geoClue.isPackaged else { return [] }
        return activation(facts.geoClue) + policies(facts.geoClue) + [owner(facts)].compactMap(\.self)
            + networks(facts) + firefox(facts.geoClue) + portal(facts.service)
    }

    /// Returns a finding about the owner of the name, or `nil` if another finding covers the cause.
    private static func owner(_ facts: Facts) -> Finding? {
        guard let owner = facts.geoClue.owner else {
            guard facts.geoClue.isNamePermitted, facts.system.isActive("locationd.service") else { return nil }
            return .problem(
                translated("locationd is running, and does not have GeoClue's name on the system bus"),
                why: translated("apps that use GeoClue get no location"),
                advice: translated(
                    """
                    see `sudo journalctl -u locationd -n 50`; then `sudo systemctl reload dbus` and `sudo systemctl \
                    restart locationd`
                    """))
        }
        guard let user = facts.daemonUser, owner.uid != user.uid else {
            return .ok(translated("locationd has GeoClue's name on the system bus"))
        }
        return .problem(
            translated(
                "{program} (process {pid}) has GeoClue's name on the system bus",
                ["program": owner.name, "pid": "\(owner.pid)"]),
            why: translated("apps that use GeoClue ask that program, and no grant of yours counts"),
            advice: translated(
                "`sudo systemctl stop geoclue.service` or `sudo kill {pid}`, then `sudo systemctl restart locationd`",
                ["pid": "\(owner.pid)"]))
    }

    private static func activation(_ facts: GeoClueFacts) -> [Finding] {
        guard facts.activatedUnit != "locationd.service" else { return [] }
        let what =
            facts.activatedUnit.map {
                translated("the system bus starts {unit}, not locationd, for apps that use GeoClue", ["unit": $0])
            } ?? translated("the system bus does not start locationd for apps that use GeoClue")
        return [
            .problem(
                what,
                why: translated("they get no location from locationd unless it runs already"),
                advice: reinstall)
        ]
    }

    private static func policies(_ facts: GeoClueFacts) -> [Finding] {
        var findings: [Finding] = []
        if !facts.isNamePermitted {
            findings.append(
                .problem(
                    translated("no policy of the system bus lets locationd have GeoClue's name"),
                    why: translated("apps that use GeoClue get no location"),
                    advice: reinstall))
        }
        if !facts.isAgentPermitted {
            findings.append(
                .problem(
                    translated("no policy of the system bus lets locationd read the desktop's location switch"),
                    why: translated("apps get the location although it is switched off there"),
                    advice: reinstall))
        }
        return findings
    }

    /// Returns a note if no receiver has a fix: GeoClue would have asked a web service.
    private static func networks(_ facts: Facts) -> [Finding] {
        guard let receivers = facts.service.receivers,
            !receivers.contains(where: { [.running, .stopped, .resting].contains($0.state) })
        else { return [] }
        return [
            .note(
                translated("no receiver has a fix, and locationd knows no other way to a location"),
                why: translated(
                    """
                    GeoClue, which locationd-geoclue has replaced, asks a web service by the names of Wi-Fi networks \
                    or by the network address
                    """),
                advice: translated("connect a receiver, or go back with `sudo apt install geoclue-2.0`"))
        ]
    }

    /// Returns a note if the portal may have the exact location.
    private static func portal(_ service: ServiceFacts) -> [Finding] {
        guard let app = service.exactPortal else { return [] }
        return [
            .note(
                translated("the portal, {app}, may have the exact location", ["app": app]),
                why: translated(
                    """
                    it gives that to every program of yours that is not in a sandbox, without asking, also to denied \
                    ones
                    """),
                advice: translated(
                    "limit it to the approximate location: `locationctl grant {app} --always --reduced`", ["app": app]))
        ]
    }

    /// Returns a note if Firefox asks a web service wherever it gets no location.
    private static func firefox(_ facts: GeoClueFacts) -> [Finding] {
        guard facts.isFirefoxAskingWebService else { return [] }
        return [
            .note(
                translated("Firefox asks a web service for the location when it gets none from locationd"),
                why: translated(
                    "a page that you permit gets a location by your network address, although Firefox has no grant"),
                advice: translated(
                    """
                    set geo.provider.network.url to "" in about:config, or for everybody in \
                    /etc/firefox/policies/policies.json; see locationd-geoclue(7)
                    """))
        ]
    }
}
