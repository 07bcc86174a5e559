internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The check that the daemon answers and location services are on.
enum ServiceCheck {
    static func findings(in facts: Facts) -> [Finding] {
        let service = facts.service
        // `SocketCheck` reports a missing socket.
        guard facts.publicSocket.isOpen else { return [] }
        guard service.answers else {
            return [.problem(translated("the daemon does not answer"), why: service.failure, advice: logAdvice(facts))]
        }
        return [.ok(translated("the daemon answers"))] + switches(facts) + management(facts)
    }

    private static func switches(_ facts: Facts) -> [Finding] {
        if facts.service.services?.machine == false {
            // Only root sets the machine's switch, and without sudo the command would set the user's.
            let command = facts.command("enable")
            return [
                .problem(
                    translated("location services are off for the whole machine"),
                    why: translated("no app gets the location"),
                    advice: command.hasPrefix("sudo ") ? "`\(command)`" : "`sudo \(command)`")
            ]
        }
        if facts.service.services?.desktop == false {
            return [
                .problem(
                    translated("location services are off, by the switch of your desktop"),
                    why: translated("your apps do not get the location, whichever way they ask"),
                    advice: translated("turn them on in the desktop's settings, such as Privacy in those of GNOME"))
            ]
        }
        if facts.service.services?.user == false || facts.service.authorization?.servicesEnabled == false {
            let turnOn = "`\(facts.command("enable --uid \(facts.caller.uid)"))`"
            return [
                .problem(
                    translated("location services are off"),
                    why: translated("your apps do not get the location"),
                    advice: turnOn)
            ]
        }
        return [.ok(translated("location services are on"))]
    }

    private static func management(_ facts: Facts) -> [Finding] {
        guard let failure = facts.service.managementFailure else { return prompts(facts) }
        // `GroupMembershipCheck` reports a user who is not in the group.
        guard facts.managementSocket.isOpen, !facts.service.isManagementRefused else {
            return [.note(translated("receivers and decisions cannot be checked"), why: failure)]
        }
        return [.problem(translated("the management socket does not answer"), why: failure, advice: logAdvice(facts))]
    }

    private static func prompts(_ facts: Facts) -> [Finding] {
        guard let count = facts.service.openPrompts, count > 0 else { return [] }
        return [
            .note(
                translated(
                    "an app is waiting for an answer",
                    plural: "{count} apps are waiting for an answer", count: count),
                advice: "`\(facts.command("agent"))`")
        ]
    }

    private static func logAdvice(_ facts: Facts) -> String {
        facts.isInstalled && facts.system.hasSystemd
            ? translated("see `sudo journalctl -u locationd -n 50`, then `sudo systemctl restart locationd`")
            : translated("see locationd's log, and restart it")
    }
}
