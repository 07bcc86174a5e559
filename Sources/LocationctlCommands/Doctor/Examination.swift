/// All checks of `locationctl doctor`.
enum Examination {
    /// Returns the findings of all checks: problems first, then notes, then what is in order. Within each group come
    /// first the findings that keep all apps from the location, then those that keep receivers from the daemon, then
    /// the rest.
    static func findings(in facts: Facts) -> [Finding] {
        [
            UnitCheck.findings, ConfigurationCheck.findings, SocketCheck.findings, ServiceCheck.findings,
            ReceiverCheck.findings, PortCheck.findings, DeviceCheck.findings, GPSDCheck.findings,
            ModemManagerCheck.findings, ClockCheck.findings, GroupMembershipCheck.findings, LoginCheck.findings,
            AppCheck.findings, DatabaseCheck.findings, UncheckedFacts.findings,
        ].flatMap { $0(facts) }.byImportance
    }
}

/// Notes about facts that could not be examined, or that are not examined here.
enum UncheckedFacts {
    static func findings(in facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        if !facts.isInstalled {
            findings.append(
                .note(
                    "this locationd runs in a folder of its own, \(facts.directory)",
                    why: "what concerns an installation (units, configuration, the database, udev's rules) is left out")
            )
        }
        if facts.isInstalled, !facts.person.isRoot {
            findings.append(
                .note(
                    "not everything is shown to an ordinary user",
                    why: "the database, and other users' programs that hold a port, are left out",
                    advice: "`sudo locationctl doctor` looks at them too"))
        }
        return findings
    }
}
