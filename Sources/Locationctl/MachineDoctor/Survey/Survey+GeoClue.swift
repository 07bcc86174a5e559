internal import Glibc
internal import LocationctlSupport

extension Survey {
    private static let name = "org.freedesktop.GeoClue2"
    private static let serviceFolders = ["/usr/local/share", "/usr/share", "/lib"].map {
        $0 + "/dbus-1/system-services"
    }
    private static let policyFolders = ["/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d"]
    private static let browsers = ["/usr/bin/firefox", "/usr/bin/firefox-esr"]
    private static let browserPolicies = [
        "/etc/firefox/policies/policies.json", "/usr/lib/firefox-esr/distribution/policies.json",
        "/usr/lib/firefox/distribution/policies.json",
    ]

    /// Reads the state of GeoClue's interface. The bus is queried without starting the service.
    static func geoClue() -> GeoClueFacts {
        var facts = GeoClueFacts()
        facts.isPackaged = access("/usr/share/locationd/conf.d/locationd-geoclue.toml", F_OK) == 0
        guard facts.isPackaged else { return facts }
        if let (pid, uid) = BusQuestion.owner(of: name) {
            let program = try? SmallFile.read("/proc/\(pid)/comm")
            facts.owner = GeoClueFacts.Owner(
                name: program?.split(separator: "\n").first.map(String.init) ?? "a program", pid: Int(pid), uid: uid)
        }
        facts.activatedUnit = text(of: "\(name).service", in: serviceFolders).first.flatMap(activatedUnit)
        facts.isNamePermitted = isPermitted("\(name).conf")
        facts.isAgentPermitted = isPermitted("\(name).Agent.conf")
        facts.isFirefoxAskingWebService =
            browsers.contains { access($0, X_OK) == 0 }
            && !browserPolicies.contains { (try? SmallFile.read($0))?.contains("geo.provider.network.url") == true }
        return facts
    }

    /// Returns the unit in a service file of the bus, or `nil` if there is none.
    static func activatedUnit(in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("SystemdService=") }.map { String($0.dropFirst(15)) }
    }

    private static func isPermitted(_ policy: String) -> Bool {
        text(of: policy, in: policyFolders).contains { $0.contains("user=\"locationd\"") }
    }

    private static func text(of file: String, in folders: [String]) -> [String] {
        folders.compactMap { try? SmallFile.read("\($0)/\(file)") }
    }
}
