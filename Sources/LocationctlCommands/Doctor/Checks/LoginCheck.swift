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
