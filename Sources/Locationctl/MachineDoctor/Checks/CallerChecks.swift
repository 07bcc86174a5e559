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
                    "the configuration forbids \(app) the location", why: "it cannot be granted",
                    advice: "see [[restricted]] in /etc/locationd/locationd.toml")
            ]
        }
    }
}

/// The check for an active login session, which distinguishes apps in use from apps in the background.
enum LoginCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled else { return [] }
        guard facts.system.hasLogind else {
            return [
                .note(
                    "systemd-logind is not running", why: "every connected app counts as in use",
                    advice: facts.system.hasSystemd
                        ? "`sudo apt install libpam-systemd`, unless this is intended" : nil)
            ]
        }
        let caller = facts.caller
        guard caller.uid != 0, caller.loginState != "active" else { return [] }
        return [
            .note(
                "\(caller.name) has no active login session",
                why: """
                    unless in-use = "connected" is set, \(caller.name)'s apps count as being in the background, and \
                    get the location only with an always grant
                    """,
                advice: "log in to a session, or set in-use = \"connected\" in /etc/locationd/locationd.toml")
        ]
    }
}

/// The check that the user may manage apps without root privileges.
enum GroupMembershipCheck {
    static func findings(in facts: Facts) -> [Finding] {
        let caller = facts.caller
        guard facts.isInstalled else { return [] }
        guard caller.groupExists else {
            return [
                .problem(
                    "there is no group locationd", why: "only root can grant apps the location",
                    advice: facts.system.hasSystemd
                        ? "`sudo systemd-sysusers`, then `sudo systemctl restart locationd-manage.socket`"
                        : "`sudo groupadd --system locationd`, then start locationd again")
            ]
        }
        guard caller.uid != 0 else { return [] }
        // Under sudo, root's calls say nothing about the user's.
        if !caller.isMember, !caller.isRoot, facts.service.answers, facts.service.managementFailure == nil {
            return [.ok("\(caller.name) may manage apps: polkit permits it")]
        }
        guard caller.isMember else {
            return [
                .note(
                    "\(caller.name) is not a member of the group locationd",
                    why: "unless polkit permits it, managing apps needs sudo, and desktop prompts do not work",
                    advice: "`sudo usermod -aG locationd \(caller.name)`, then log out and in again")
            ]
        }
        guard caller.isMemberNow != false else {
            return [
                .problem(
                    "\(caller.name) is a member of the group locationd, but this login began before that",
                    why: "group membership takes effect at login; until then, managing apps needs sudo",
                    advice: "log out and in again, or `newgrp locationd` for this terminal")
            ]
        }
        return [.ok("\(caller.name) is a member of the group locationd")]
    }
}
