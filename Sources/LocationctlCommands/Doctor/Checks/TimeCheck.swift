internal import LocationProtocol

/// The check of the time that is passed on to chrony, if that is configured.
enum TimeCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let time = facts.service.time else { return [] }
        if let failure = time.failure {
            return [
                .problem(
                    "chrony gets no time from locationd: \(failure)",
                    why: "[time] is configured, and a receiver stays open for it",
                    advice: """
                        see "Time for chrony" in /usr/share/doc/locationd/docs/administrators.md; \
                        `chronyc sources` shows what chrony receives
                        """)
            ]
        }
        guard time.samples > 0 else {
            return [
                .note(
                    "chrony has not got any time from locationd yet",
                    why: "a receiver at a serial port needs a fix, and eight epochs that agree with each other")
            ]
        }
        return [.ok("chrony gets the time of the receiver, at \(time.socket)")]
    }
}
