internal import Devices
internal import LocationProtocol
internal import LocationctlSupport

/// The check of the time for chrony, if it is configured.
enum TimeCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let time = facts.service.time else { return [] }
        if let failure = time.failure {
            return [
                .problem(
                    translated("chrony gets no time from locationd: {reason}", ["reason": failure]),
                    why: translated("[time] is configured, and a receiver stays open for it"),
                    advice: translated(
                        """
                        see "Time for chrony" in /usr/share/doc/locationd/docs/administrators.md; `chronyc sources` \
                        shows what chrony receives
                        """))
            ]
        }
        guard time.samples > 0 else {
            return [
                .note(
                    translated("chrony has not received any time from locationd yet"),
                    why: translated(
                        "a receiver at a serial port needs a fix, and eight epochs that agree with each other"))
            ]
        }
        return [.ok(translated("chrony gets the time of the receiver, at {socket}", ["socket": time.socket]))]
    }
}

/// The check of the machine's clock against the receivers' time.
enum ClockCheck {
    /// The maximum normal offset, in seconds: a fix arrives some tenths of a second after its epoch, or a second or two
    /// with slow receivers.
    private static let tolerance = 5.0
    /// The offset, in seconds, beyond which a wrong clock is a problem rather than a note.
    private static let farOff = 60.0
    /// The period of the GPS week number, in seconds: the number has 10 bits (IS-GPS-200, 20.3.3.3.1.1).
    private static let rollover = 1024 * 7 * 86_400.0

    static func findings(in facts: Facts) -> [Finding] {
        let measured = facts.receivers.filter { hasTimeOfItsOwn($0) && $0.clockOffset != nil }
        // If several receivers have a time, the one in use counts.
        guard let receiver = measured.first(where: \.inUse) ?? measured.first, let offset = receiver.clockOffset else {
            return synchronization(facts)
        }
        let rounds = (offset / rollover).rounded()
        if rounds != 0, abs(offset - rounds * rollover) < 2 * 86_400 {
            return [
                .problem(
                    translated(
                        "the date of {receiver} is {weeks} weeks off the machine's",
                        ["receiver": receiver.name, "weeks": "\(Int(abs(rounds)) * 1024)"]),
                    why: translated(
                        """
                        the GPS week number repeats every 1024 weeks, and an old receiver mistakes the current period \
                        for an earlier one
                        """),
                    advice: translated("update its firmware, or replace it; `date` shows whether the machine is right"))
            ]
        }
        guard abs(offset) > tolerance else { return [.ok(translated("the clock agrees with the receiver's time"))] }
        let what =
            offset > 0
            ? translated(
                "the clock is {duration} ahead of the time of {receiver}",
                ["duration": ReceiverText.duration(abs(offset)), "receiver": receiver.name])
            : translated(
                "the clock is {duration} behind the time of {receiver}",
                ["duration": ReceiverText.duration(abs(offset)), "receiver": receiver.name])
        let why = translated("locations carry the receiver's time, so apps may consider them old or in the future")
        guard abs(offset) > farOff else { return [.note(what, why: why, advice: setting(facts))] }
        return [.problem(what, why: why, advice: setting(facts))]
    }

    private static func hasTimeOfItsOwn(_ receiver: ReceiverSummary) -> Bool {
        switch receiver.source {
        case .fixed?, .simulated?, .replay?: false
        default: true
        }
    }

    private static func synchronization(_ facts: Facts) -> [Finding] {
        guard facts.isInstalled, facts.system.isClockSynchronized == false else { return [] }
        return [
            .note(
                translated("nothing synchronizes the machine's clock"),
                why: translated("grants until tomorrow end by this clock"),
                advice: setting(facts))
        ]
    }

    private static func setting(_ facts: Facts) -> String {
        facts.system.unit("systemd-timesyncd.service")?.isLoaded == true
            ? "`sudo timedatectl set-ntp true`"
            : translated("install chrony or systemd-timesyncd, which set the clock")
    }
}
