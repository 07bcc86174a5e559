internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The check of the authorization of locationctl itself, which requests the location like any other app.
enum AppCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let authorization = facts.service.authorization, authorization.servicesEnabled else { return [] }
        let app = facts.service.app ?? translated("this program")
        let grant = facts.service.app.map { "`\(facts.command("grant \($0)"))`" }
        switch authorization.status {
        case .authorizedAlways, .authorizedWhenInUse:
            return [.ok(translated("{app} may have the location", ["app": app]))]
        case .notDetermined:
            return [
                .note(
                    translated("there is no decision yet about {app}", ["app": app]),
                    why: translated("`locationctl watch` and `get` prompt the user and wait for the answer"),
                    advice: grant)
            ]
        case .denied:
            return [
                .note(
                    translated("{app} was denied the location", ["app": app]),
                    why: translated("`locationctl watch` and `get` are refused"),
                    advice: grant)
            ]
        case .restricted:
            return [
                .note(
                    translated("the configuration forbids {app} the location", ["app": app]),
                    why: translated("it cannot be granted"),
                    advice: translated("see [[restricted]] in /etc/locationd/locationd.toml"))
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
                    translated("systemd-logind is not running"),
                    why: translated("every connected app counts as in use"),
                    advice: facts.system.hasSystemd
                        ? translated("`sudo apt install libpam-systemd`, unless this is intended")
                        : nil)
            ]
        }
        let caller = facts.caller
        guard caller.uid != 0, caller.loginState != "active" else { return [] }
        return [
            .note(
                translated("{user} has no active login session", ["user": caller.name]),
                why: translated(
                    """
                    unless in-use = "connected" is set, {user}'s apps count as being in the background, and get the \
                    location only with an always grant
                    """, ["user": caller.name]),
                advice: translated(
                    "log in to a session, or set in-use = \"connected\" in /etc/locationd/locationd.toml"))
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
                    translated("there is no group locationd"),
                    why: translated("only root can grant apps the location"),
                    advice: facts.system.hasSystemd
                        ? translated("`sudo systemd-sysusers`, then `sudo systemctl restart locationd-manage.socket`")
                        : translated("`sudo groupadd --system locationd`, then start locationd again"))
            ]
        }
        guard caller.uid != 0 else { return [] }
        // Under sudo, root's calls say nothing about the user's.
        if !caller.isMember, !caller.isRoot, facts.service.answers, facts.service.managementFailure == nil {
            return [.ok(translated("{user} may manage apps: polkit permits it", ["user": caller.name]))]
        }
        guard caller.isMember else {
            return [
                .note(
                    translated("{user} is not a member of the group locationd", ["user": caller.name]),
                    why: translated(
                        "unless polkit permits it, managing apps needs sudo, and desktop prompts do not work"),
                    advice: translated(
                        "`sudo usermod -aG locationd {user}`, then log out and in again", ["user": caller.name]))
            ]
        }
        guard caller.isMemberNow != false else {
            return [
                .problem(
                    translated(
                        "{user} is a member of the group locationd, but this login began before that",
                        ["user": caller.name]),
                    why: translated("group membership takes effect at login; until then, managing apps needs sudo"),
                    advice: translated("log out and in again, or `newgrp locationd` for this terminal"))
            ]
        }
        return [.ok(translated("{user} is a member of the group locationd", ["user": caller.name]))]
    }
}
