/// The check of whether the user may manage apps without root privileges.
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
        guard caller.isMember else {
            return [
                .note(
                    "\(caller.name) is not a member of the group locationd",
                    why: "managing apps needs sudo, and prompts on the desktop do not work",
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
