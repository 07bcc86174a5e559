internal import LocationModel
internal import LocationProtocol

/// The check of the authorization of locationctl itself, which requests the location like any other app.
enum AppCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let authorization = facts.service.authorization, authorization.servicesEnabled else { return [] }
        let app = facts.service.app ?? "this program"
        let grant = facts.service.app.map { "`\(facts.command("grant \($0)"))`" }
        switch authorization.status {
        case .authorizedAlways, .authorizedWhenInUse: return [.ok("\(app) may have the location")]
        case .notDetermined:
            return [
                .note(
                    "there is no decision yet about \(app)",
                    why: "`locationctl watch` and `get` prompt the user and wait for the answer", advice: grant)
            ]
        case .denied:
            return [
                .note("\(app) was denied the location", why: "`locationctl watch` and `get` are refused", advice: grant)
            ]
        case .restricted:
            return [
                .note(
                    "the configuration forbids \(app) the location", why: "nobody can grant it",
                    advice: "see [[restricted]] in /etc/locationd/locationd.toml")
            ]
        }
    }
}
