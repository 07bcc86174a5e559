internal import LocationctlSupport

/// All checks of `locationctl doctor`.
package enum Examination {
    /// Returns the findings of all checks: problems first, then notes, then the rest. Within each group, findings that
    /// keep all apps from the location come first, then findings that keep receivers from the daemon, then the rest.
    package static func findings(in facts: Facts) -> [Finding] {
        [
            UnitCheck.findings, ConfigurationCheck.findings, SocketCheck.findings, ServiceCheck.findings,
            ConsoleCheck.findings, LoginPromptCheck.findings, UARTCheck.findings, BluetoothPortCheck.findings,
            CoreClockCheck.findings, PortNameCheck.findings, ReceiverCheck.findings, PortCheck.findings,
            ReceiverSocketCheck.findings, DeviceCheck.findings, GPSDCheck.findings,
            GPSDFrontCheck.findings, GeoClueCheck.findings, PublisherCheck.findings, NMEACheck.findings,
            CorrectionsCheck.findings,
            ModemManagerCheck.findings, ModemCheck.findings, BluetoothCheck.findings, ClockCheck.findings,
            TimeCheck.findings, SurroundingsCheck.findings,
            PulseDeviceCheck.findings, GroupMembershipCheck.findings, LoginCheck.findings,
            AppCheck.findings, DatabaseCheck.findings, UncheckedFacts.findings,
        ].flatMap { $0(facts) }.byImportance
    }
}

/// Notes about facts that could not be examined, or that are not examined here.
enum UncheckedFacts {
    package static func findings(in facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        if !facts.isInstalled {
            findings.append(
                .note(
                    translated(
                        "this locationd does not use the installed folders: its sockets are in {folder}",
                        ["folder": facts.directory]),
                    why: translated(
                        "checks of the installation (units, configuration, database, udev rules) are left out"))
            )
        }
        if facts.isInstalled, !facts.caller.isRoot {
            findings.append(
                .note(
                    translated("an ordinary user cannot check everything"),
                    why: translated("the database, and other users' programs that hold a port, are left out"),
                    advice: translated("run `sudo locationctl doctor` to check these too")))
        }
        return findings
    }
}
