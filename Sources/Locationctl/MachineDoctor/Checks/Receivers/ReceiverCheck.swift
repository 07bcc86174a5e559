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
                    "no receiver is configured or found", why: "apps get no location",
                    advice: "plug one in; if locationd does not find it, `sudo locationctl setup`")
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
            "\(receiver.name) has nothing to play back: there is no file \(file)",
            advice: "correct its path, or remove the receiver")
    }

    private static func state(of receiver: ReceiverSummary) -> Finding {
        switch receiver.state {
        case .stopped where isUnplugged(receiver), .resting where isUnplugged(receiver):
            .problem(
                "\(receiver.name) is not plugged in",
                advice: "plug it in; `ls -l /dev/serial/by-id` lists the converters that are plugged in")
        case .running, .searching, .lost:
            condition(of: receiver)
        case .stopped: .ok("\(receiver.name) is closed, because no app needs the location")
        case .resting: .ok("\(receiver.name) is closed until the next fix is due")
        case .connecting:
            .note("\(receiver.name) is being opened", why: ReceiverText.starting(receiver))
        case .ended: .note("\(receiver.name) has reached the end of its recording")
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
            if isLost, let message = receiver.message { return .problem("\(name) is lost", why: message) }
        default: break
        }
        switch receiver.condition {
        case .nothing? where isLost:
            return .problem(
                "\(name) sends nothing", why: receiver.message,
                advice: "check that it is switched on, and that its wire for sending is connected")
        case .unreadable? where isLost || receiver.detecting != true:
            let rate = ReceiverText.baudRate(receiver).map { " at \($0) baud" } ?? ""
            return .problem(
                "what \(name) sends cannot be read\(rate)", why: "its baud rate is another one, or its protocol",
                advice: rate.isEmpty
                    ? "set the receiver to NMEA 0183"
                    : "leave the baud rate out of its source in locationd.toml, so that it is detected")
        case .otherProtocol?:
            return .problem(
                "\(name) sends \(receiver.protocolName ?? "a binary protocol"), not NMEA 0183",
                advice: "set it to NMEA 0183: `gpsctl -n` of gpsd does that for many receivers")
        case .noPosition?:
            return .problem(
                "\(name) sends no position", why: receiver.protocolName.map { "it sends \($0) only" },
                advice: "set it to send RMC and GGA, or UBX-NAV-PVT")
        case .noSatellites?:
            return .note(
                "\(name) has no fix: it sees no satellite", why: "it needs a clear view of the sky",
                advice: "put the antenna where it sees the sky, and check its cable")
        case .noFix?:
            return .note(
                "\(name) has no fix yet: \(ReceiverText.satellites(receiver)) in view",
                why:
                    "a first fix can take several minutes, and needs four satellites well received: a clear view of the sky"
            )
        case .noDate?:
            return .problem(
                "\(name) has a fix, but sends no date, and this machine's clock is not set",
                why: "its fixes cannot be dated, so that apps get no location",
                advice: "set the clock, or the receiver to send RMC or ZDA")
        case .undated?:
            return .note(
                "\(name) has a fix; it sends no date, so its fixes get that of this machine's clock",
                advice: "set it to send RMC or ZDA, if it can")
        case nil where !isLost && receiver.fixes == nil:
            return .note(
                "\(name) is open", why: "only users who manage see whether it has a fix",
                advice: "run `sudo locationctl doctor` to see it")
        case .fix?, .nothing?, .unreadable?, nil: return unexplained(receiver)
        }
    }

    private static func unexplained(_ receiver: ReceiverSummary) -> Finding {
        switch receiver.state {
        case .lost: return .problem("\(receiver.name) is lost", why: receiver.message)
        case .searching where receiver.detecting == true:
            return .note(
                "\(receiver.name): baud-rate detection is running",
                why: "this takes up to 10 s, or longer if the receiver sends nothing")
        case .searching:
            return .note(
                "\(receiver.name) is open, and has no fix yet", why: "no data that explains it has arrived so far")
        default:
            let interval = receiver.reportInterval.map { ", and reports every \(Decimal.text($0, digits: 0)) s" }
            return .ok("\(receiver.name) has a fix" + (interval ?? ""))
        }
    }

    /// Returns a finding for each setting of the receiver's profile that it does not have.
    private static func settings(of receiver: ReceiverSummary) -> [Finding] {
        ReceiverText.problems(receiver).map {
            .note(
                "\(receiver.name): \($0)",
                advice: "`sudo locationctl receivers --settings` shows it; change its profile in locationd.toml(5)")
        }
    }

    private static func jamming(of receiver: ReceiverSummary) -> Finding? {
        let advice = """
            move the antenna away from the computer, its cables and USB 3 devices; if it stays when everything near is \
            switched off, the source is further away
            """
        switch receiver.jamming?.level {
        case .warning?:
            return .note(
                "\(receiver.name) reports interference at its antenna",
                why: "locations may be less accurate, or get lost",
                advice: advice)
        case .critical?:
            return .problem(
                "\(receiver.name) reports interference at its antenna", why: "it has no fix because of it",
                advice: advice)
        case JammingReport.Level.none?, nil: return nil
        }
    }

    /// Returns the finding about a doubtful location, unless interference explains it.
    private static func doubts(of receiver: ReceiverSummary) -> Finding? {
        guard let doubts = receiver.doubts, doubts.reasons != [.jamming] else { return nil }
        return .problem(
            "\(receiver.name): its location is \(ReceiverText.doubts(doubts))",
            why: "apps get it with that mark, and chrony gets no time from it",
            advice: """
                compare its place and time with a map and another clock; false signals come from a transmitter nearby, \
                a wrong time also from a receiver that does not know the week (its maker has an update)
                """)
    }

    private static func checksums(of receiver: ReceiverSummary) -> Finding? {
        guard receiver.sendsNoChecksums == true else { return nil }
        return .note(
            "\(receiver.name) sends no checksums",
            why: "a digit that is damaged on the wire is not noticed, and chrony gets no time from it",
            advice: "switch them on at the receiver, if it can send them")
    }

    private static func otherClock(of receiver: ReceiverSummary) -> Finding? {
        guard ReceiverText.hasOtherClock(receiver) else { return nil }
        return .note(
            "\(receiver.name): a second clock on its wire is hours off",
            why: "another device sends positions with local time; they are dropped, and the time with a date counts",
            advice: "set that device to UTC, or have it send no positions")
    }

    private static func separation(of receiver: ReceiverSummary) -> Finding? {
        guard receiver.sendsZeroSeparation == true else { return nil }
        return .problem(
            "\(receiver.name) reports a geoid separation of 0 m, which is wrong where it is",
            why: "its altitudes above sea level and above the ellipsoid are the same; one is off by more than 10 m",
            advice: """
                compare its altitude with a map: if that is off, it is above the ellipsoid; newer firmware may know the \
                geoid
                """)
    }

    private static func datum(of receiver: ReceiverSummary) -> Finding? {
        receiver.datum.map { datum in
            .problem(
                "\(receiver.name) reports coordinates on the datum \(datum), not on WGS 84",
                why: "they are off by up to some hundred metres, which the accuracy includes",
                advice: """
                    set the receiver back to WGS 84: u-center's CFG-DAT for u-blox, PMTK330,0 for MediaTek, the datum \
                    in the settings of Garmin's and of plotters
                    """)
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
                "locationd is configured to read from gpsd, which is not running",
                advice: "`sudo systemctl enable --now gpsd.socket`")
        ]
    }
}
