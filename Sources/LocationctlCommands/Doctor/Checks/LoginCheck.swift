/// The check for an active login session, which distinguishes apps in use from apps in the background.
enum LoginCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled else { return [] }
        guard facts.system.hasLogind else {
            return [
                .note(
                    "systemd-logind does not run", why: "every connected app counts as in use",
                    advice: facts.system.hasSystemd ? "`sudo apt install libpam-systemd`, if that is not meant" : nil)
            ]
        }
        let person = facts.person
        guard person.uid != 0, person.loginState != "active" else { return [] }
        return [
            .note(
                "logind sees no active session of \(person.name)",
                why: """
                    unless in-use = "connected" is set, \(person.name)'s apps count as in the background, and get the \
                    location only if granted always
                    """,
                advice: "log in to a session, or set in-use = \"connected\" in /etc/locationd/locationd.toml")
        ]
    }
}
