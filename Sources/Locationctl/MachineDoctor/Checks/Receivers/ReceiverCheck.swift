internal import Devices
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The check of the receivers' states, as the daemon reports them.
enum ReceiverCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let receivers = facts.service.receivers else { return [] }
        guard !receivers.isEmpty else {
            return [
                .problem(
                    translated("no receiver is configured or found"),
                    why: translated("apps get no location"),
                    advice: translated("plug one in; if locationd does not find it, `sudo locationctl setup`"))
            ]
        }
        return receivers.map { missingFile(of: $0, facts) ?? state(of: $0) } + receivers.compactMap(datum)
            + receivers.compactMap(checksums) + receivers.compactMap(otherClock) + receivers.compactMap(separation)
            + receivers.flatMap(settings) + receivers.compactMap(jamming) + receivers.compactMap(doubts)
            + gpsd(receivers, facts)
    }

    private static func missingFile(of receiver: ReceiverSummary, _ facts: Facts) -> Finding? {
        guard let file = receiver.source?.file, facts.missingFiles.contains(file) else { return nil }
        return .problem(
            translated(
                "{receiver} has nothing to play back: there is no file {file}",
                ["receiver": receiver.name, "file": file]),
            advice: translated("correct its path, or remove the receiver"))
    }

    private static func state(of receiver: ReceiverSummary) -> Finding {
        switch receiver.state {
        case .stopped where isUnplugged(receiver), .resting where isUnplugged(receiver):
            .problem(
                translated("{receiver} is not plugged in", ["receiver": receiver.name]),
                advice: translated("plug it in; `ls -l /dev/serial/by-id` lists the converters that are plugged in"))
        case .running, .searching, .lost:
            condition(of: receiver)
        case .stopped:
            .ok(translated("{receiver} is closed, because no app needs the location", ["receiver": receiver.name]))
        case .resting: .ok(translated("{receiver} is closed until the next fix is due", ["receiver": receiver.name]))
        case .connecting:
            .note(
                translated("{receiver} is being opened", ["receiver": receiver.name]),
                why: ReceiverText.starting(receiver))
        case .ended: .note(translated("{receiver} has reached the end of its recording", ["receiver": receiver.name]))
        }
    }

    /// Returns the finding about an open receiver, or a lost receiver that is retried: why there is a location or not.
    /// The sky is mentioned only if satellites are the reason.
    private static func condition(of receiver: ReceiverSummary) -> Finding {
        let name = receiver.name
        let isLost = receiver.state == .lost
        switch receiver.source {
        case .socket?, .modem?, .bluetooth?:
            // The program that passes its sentences on is the reason.
            if isLost, let message = receiver.message {
                return .problem(translated("{receiver} is lost", ["receiver": name]), why: message)
            }
        default: break
        }
        switch receiver.condition {
        case .nothing? where isLost:
            return .problem(
                translated("{receiver} sends nothing", ["receiver": name]),
                why: receiver.message,
                advice: translated("check that it is switched on, and that its wire for sending is connected"))
        case .unreadable? where isLost || receiver.detecting != true:
            let why = translated("its baud rate is another one, or its protocol")
            guard let rate = ReceiverText.baudRate(receiver) else {
                return .problem(
                    translated("what {receiver} sends cannot be read", ["receiver": name]),
                    why: why,
                    advice: translated("set the receiver to NMEA 0183"))
            }
            return .problem(
                translated(
                    "what {receiver} sends cannot be read at {rate} baud", ["receiver": name, "rate": "\(rate)"]),
                why: why,
                advice: translated("leave the baud rate out of its source in locationd.toml, so that it is detected"))
        case .otherProtocol?:
            return .problem(
                receiver.protocolName.map {
                    translated("{receiver} sends {protocol}, not NMEA 0183", ["receiver": name, "protocol": $0])
                } ?? translated("{receiver} sends a binary protocol, not NMEA 0183", ["receiver": name]),
                advice: translated("set it to NMEA 0183: `gpsctl -n` of gpsd does that for many receivers"))
        case .noPosition?:
            return .problem(
                translated("{receiver} sends no position", ["receiver": name]),
                why: receiver.protocolName.map { translated("it sends {protocol} only", ["protocol": $0]) },
                advice: translated("set it to send RMC and GGA, or UBX-NAV-PVT"))
        case .noSatellites?:
            return .note(
                translated("{receiver} has no fix: it sees no satellite", ["receiver": name]),
                why: translated("it needs a clear view of the sky"),
                advice: translated("put the antenna where it sees the sky, and check its cable"))
        case .noFix?:
            return .note(
                translated(
                    "{receiver} has no fix yet: {count} satellite in view",
                    plural: "{receiver} has no fix yet: {count} satellites in view",
                    count: receiver.satellitesInView ?? 0, ["receiver": name]),
                why: translated(
                    """
                    a first fix can take several minutes, and needs four satellites well received: a clear view of \
                    the sky
                    """))
        case .noDate?:
            return .problem(
                translated(
                    "{receiver} has a fix, but sends no date, and this machine's clock is not set", ["receiver": name]),
                why: translated("its fixes cannot be dated, so that apps get no location"),
                advice: translated("set the clock, or the receiver to send RMC or ZDA"))
        case .undated?:
            return .note(
                translated(
                    "{receiver} has a fix; it sends no date, so its fixes get that of this machine's clock",
                    ["receiver": name]),
                advice: translated("set it to send RMC or ZDA, if it can"))
        case nil where !isLost && receiver.fixes == nil:
            return .note(
                translated("{receiver} is open", ["receiver": name]),
                why: translated("only users who manage see whether it has a fix"),
                advice: translated("run `sudo locationctl doctor` to see it"))
        case .fix?, .nothing?, .unreadable?, nil: return unexplained(receiver)
        }
    }

    private static func unexplained(_ receiver: ReceiverSummary) -> Finding {
        switch receiver.state {
        case .lost:
            return .problem(
                translated("{receiver} is lost", ["receiver": receiver.name]),
                why: receiver.message)
        case .searching where receiver.detecting == true:
            return .note(
                translated("{receiver}: baud-rate detection is running", ["receiver": receiver.name]),
                why: translated("this takes up to 10 s, or longer if the receiver sends nothing"))
        case .searching:
            return .note(
                translated("{receiver} is open, and has no fix yet", ["receiver": receiver.name]),
                why: translated("no data that explains it has arrived so far"))
        default:
            guard let interval = receiver.reportInterval.map({ Decimal.text($0, digits: 0) }) else {
                return .ok(translated("{receiver} has a fix", ["receiver": receiver.name]))
            }
            return .ok(
                translated(
                    "{receiver} has a fix, and reports every {count} s",
                    ["receiver": receiver.name, "count": interval]))
        }
    }

    /// Returns a finding for each setting of the receiver's profile that it does not have.
    private static func settings(of receiver: ReceiverSummary) -> [Finding] {
        ReceiverText.problems(receiver).map {
            .note(
                "\(receiver.name): \($0)",
                advice: translated(
                    "`sudo locationctl receivers --settings` shows it; change its profile in locationd.toml(5)"))
        }
    }

    private static func jamming(of receiver: ReceiverSummary) -> Finding? {
        let advice = translated(
            """
            move the antenna away from the computer, its cables and USB 3 devices; if it stays when everything \
            near is switched off, the source is further away
            """)
        switch receiver.jamming?.level {
        case .warning?:
            return .note(
                translated("{receiver} reports interference at its antenna", ["receiver": receiver.name]),
                why: translated("locations may be less accurate, or get lost"),
                advice: advice)
        case .critical?:
            return .problem(
                translated("{receiver} reports interference at its antenna", ["receiver": receiver.name]),
                why: translated("it has no fix because of it"),
                advice: advice)
        case JammingReport.Level.none?, nil: return nil
        }
    }

    /// Returns the finding about a doubtful location, unless interference explains it.
    private static func doubts(of receiver: ReceiverSummary) -> Finding? {
        guard let doubts = receiver.doubts, doubts.reasons != [.jamming] else { return nil }
        return .problem(
            translated(
                "{receiver}: its location is {doubts}",
                ["receiver": receiver.name, "doubts": ReceiverText.doubts(doubts)]),
            why: translated("apps get it with that mark, and chrony gets no time from it"),
            advice: translated(
                """
                compare its place and time with a map and another clock; false signals come from a transmitter nearby, \
                a wrong time also from a receiver that does not know the week (its maker has an update)
                """))
    }

    private static func checksums(of receiver: ReceiverSummary) -> Finding? {
        guard receiver.sendsNoChecksums == true else { return nil }
        return .note(
            translated("{receiver} sends no checksums", ["receiver": receiver.name]),
            why: translated("a digit that is damaged on the wire is not noticed, and chrony gets no time from it"),
            advice: translated("switch them on at the receiver, if it can send them"))
    }

    private static func otherClock(of receiver: ReceiverSummary) -> Finding? {
        guard ReceiverText.hasOtherClock(receiver) else { return nil }
        return .note(
            translated("{receiver}: a second clock on its wire is hours off", ["receiver": receiver.name]),
            why: translated(
                "another device sends positions with local time; they are dropped, and the time with a date counts"),
            advice: translated("set that device to UTC, or have it send no positions"))
    }

    private static func separation(of receiver: ReceiverSummary) -> Finding? {
        guard receiver.sendsZeroSeparation == true else { return nil }
        return .problem(
            translated(
                "{receiver} reports a geoid separation of 0 m, which is wrong where it is",
                ["receiver": receiver.name]),
            why: translated(
                "its altitudes above sea level and above the ellipsoid are the same; one is off by more than 10 m"),
            advice: translated(
                """
                compare its altitude with a map: if that is off, it is above the ellipsoid; newer firmware may know \
                the geoid
                """))
    }

    private static func datum(of receiver: ReceiverSummary) -> Finding? {
        receiver.datum.map { datum in
            .problem(
                translated(
                    "{receiver} reports coordinates on the datum {datum}, not on WGS 84",
                    ["receiver": receiver.name, "datum": datum]),
                why: translated("they are off by up to some hundred metres, which the accuracy includes"),
                advice: translated(
                    """
                    set the receiver back to WGS 84: u-center's CFG-DAT for u-blox, PMTK330,0 for MediaTek, the datum \
                    in the settings of Garmin's and of plotters
                    """))
        }
    }

    private static func isUnplugged(_ receiver: ReceiverSummary) -> Bool {
        receiver.specification.hasPrefix("usb:") && receiver.port == nil
    }

    private static func gpsd(_ receivers: [ReceiverSummary], _ facts: Facts) -> [Finding] {
        let readsFromLocalGPSD = receivers.contains { receiver in
            guard case .gpsd(let host, _)? = receiver.source else { return false }
            return ["localhost", "127.0.0.1", "::1"].contains(host)
        }
        // `GPSDFrontCheck` reports a gpsd that is without its port.
        guard readsFromLocalGPSD, !GPSDFrontCheck.isInstalled(facts), !facts.system.isGPSDRunning,
            !facts.system.isActive("gpsd.socket")
        else { return [] }
        return [
            .problem(
                translated("locationd is configured to read from gpsd, which is not running"),
                advice: "`sudo systemctl enable --now gpsd.socket`")
        ]
    }
}
