package import Devices
package import LocationModel
package import LocationProtocol

/// The state of a receiver, as the daemon reports it, in words.
package enum ReceiverText {
    /// Returns the reason why a receiver is in use.
    package static func choice(_ choice: ReceiverChoiceReason?) -> String {
        switch choice {
        // Translators: Why a receiver is in use. A fix is a position that it has computed.
        case .first: translated("the first with a fix")
        // Translators: Why a receiver is in use: it was lost, and works again.
        case .returned: translated("it is back")
        // Translators: Why a receiver is in use.
        case .otherLost: translated("the previous receiver was lost")
        // Translators: Why a receiver is in use.
        case .otherSilent: translated("the previous receiver stopped sending fixes")
        // Translators: Why a receiver is in use: the other one is a place in the configuration.
        case .otherFixed: translated("the previous one is a fixed place, which gives way")
        // Translators: Why a receiver is in use.
        case .otherSuspect: translated("the previous receiver's location is suspect")
        // Translators: Why a receiver is in use.
        case .moreAccurate: translated("clearly more accurate than the previous receiver")
        case nil: ""
        }
    }

    /// Returns the state, with the progress through a recording: `running 42 %`.
    package static func state(_ receiver: ReceiverSummary) -> String {
        word(receiver.state) + (receiver.progress.map { " \(Int($0 * 100)) %" } ?? "")
    }

    /// Returns a state in a word.
    package static func word(_ state: ReceiverStatus) -> String {
        switch state {
        // Translators: The state of a receiver that no app needs. At most 14 columns.
        case .stopped: translated("closed")
        // Translators: The state of a receiver that is closed until the next location is due. At most 14 columns.
        case .resting: translated("resting")
        // Translators: The state of a receiver that is being opened. At most 14 columns.
        case .connecting: translated("connecting")
        // Translators: The state of a receiver that has no position yet. At most 14 columns.
        case .searching: translated("searching")
        // Translators: The state of a receiver that has a position. At most 14 columns.
        case .running: translated("running")
        // Translators: The state of a receiver that was unplugged or sends nothing. At most 14 columns.
        case .lost: translated("lost")
        // Translators: The state of a recording that is at its end. At most 14 columns.
        case .ended: translated("ended")
        }
    }

    /// Returns whether apps get the receiver's fixes. The receiver in use delivers nothing while it is closed or has no
    /// fix.
    package static func isDelivering(_ receiver: ReceiverSummary) -> Bool {
        receiver.inUse && (receiver.state == .running || receiver.state == .resting)
    }

    /// Returns the state at a glance.
    package static func mark(_ receiver: ReceiverSummary) -> Mark {
        switch receiver.state {
        case .running: receiver.isInDoubt ? .waiting : .good
        case .resting: receiver.inUse ? .good : .off
        case .connecting, .searching: .waiting
        case .lost: .wrong
        case .stopped, .ended: .off
        }
    }

    /// Returns the reason why a receiver is lost, is closed or has no location; empty if there is nothing to explain.
    package static func reason(_ receiver: ReceiverSummary) -> String {
        if let message = receiver.message { return DisplayText.shown(message) }
        return switch receiver.state {
        // Translators: Why a receiver is closed.
        case .stopped: translated("no app needs it")
        case .resting: receiver.stillness.map(stillness) ?? condition(receiver)
        case .connecting: starting(receiver) ?? condition(receiver)
        default: condition(receiver)
        }
    }

    /// Returns the reason why a receiver is closed while the machine does not move.
    package static func stillness(_ report: StillnessReport) -> String {
        translated(
            // Translators: The machine does not move, as {count} networks around it show. A receiver is switched off.
            "still, by {count} network: off for {time}, next check in {next}",
            plural: "still, by {count} networks: off for {time}, next check in {next}", count: report.networks,
            ["time": duration(report.seconds), "next": duration(report.nextCheck)])
    }

    /// Returns the reason why a receiver's start may take a while, or `nil`.
    package static func starting(_ receiver: ReceiverSummary) -> String? {
        guard case .modem? = receiver.source, receiver.state == .connecting else { return nil }
        return translated("ModemManager is starting it, which may take 30 s")
    }

    /// Returns a time in seconds in its largest unit: `14 min`.
    package static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: DurationText.seconds(Int(max(0, seconds).rounded()))
        case ..<7200: DurationText.minutes(Int((seconds / 60).rounded()))
        case ..<172_800: DurationText.hours(Int((seconds / 3600).rounded()))
        default: DurationText.days(Int((min(seconds, 1e12) / 86400).rounded()))
        }
    }

    /// Returns the part of an open receiver's data that explains why there is a location or not; empty if there is
    /// nothing to explain.
    package static func condition(_ receiver: ReceiverSummary) -> String {
        switch receiver.condition {
        case .nothing: translated("nothing arrives")
        case .unreadable:
            baudRate(receiver).map { translated("what arrives cannot be read at {rate} baud", ["rate": "\($0)"]) }
                ?? translated("what arrives cannot be read")
        case .otherProtocol:
            receiver.protocolName.map {
                translated("sends {protocol}, not NMEA 0183", ["protocol": Terminal.printable($0)])
            } ?? translated("sends another protocol, not NMEA 0183")
        case .noPosition:
            receiver.protocolName.map {
                translated("sends no position ({protocol})", ["protocol": Terminal.printable($0)])
            } ?? translated("sends no position")
        case .noSatellites: translated("no fix: sees no satellite")
        case .noFix:
            translated(
                "no fix: {count} satellite in view", plural: "no fix: {count} satellites in view",
                count: receiver.satellitesInView ?? 0)
        case .noDate: translated("sends no date, and this machine's clock is not set")
        case .undated: translated("sends no date: dated by this machine's clock")
        case .fix, nil: ""
        }
    }

    /// Returns a number of satellites with the word: `4 satellites`.
    package static func satellites(_ count: Int) -> String {
        translated("{count} satellite", plural: "{count} satellites", count: count)
    }

    /// Returns the baud rate of a serial port: the one in use or, while the port is closed, the configured one.
    package static func baudRate(_ receiver: ReceiverSummary) -> Int? {
        if let rate = receiver.baudRate { return rate }
        return switch receiver.source {
        case .serial(_, let rate)?, .usb(_, let rate)?: rate
        default: nil
        }
    }

    /// Returns the receiver's unusual properties, such as its rate or datum, and the charge of its battery.
    package static func peculiarities(_ receiver: ReceiverSummary) -> [String] {
        [
            // Translators: A receiver sends a position only every {count} seconds.
            receiver.reportInterval.map {
                translated("reports every {count} s", ["count": Decimal.text($0, digits: 0)])
            },
            receiver.sendsNoChecksums == true ? translated("sends no checksums") : nil,
            // Translators: Another device on a receiver's wire sends another time.
            hasOtherClock(receiver) ? translated("a second clock on its wire is hours off") : nil,
            receiver.hasMotionOfAnotherDevice == true ? translated("speed and course from another device") : nil,
            // Translators: The height of the sea level above the ellipsoid, as a receiver sends it.
            receiver.sendsZeroSeparation == true ? translated("its geoid separation of 0 m is wrong") : nil,
            receiver.datum.map {
                // Translators: A datum is what coordinates refer to; WGS 84 is GPS's.
                translated(
                    "its coordinates are on the datum {datum}, not on WGS 84", ["datum": Terminal.printable($0)])
            },
            // Translators: The charge of a receiver's battery.
            receiver.battery.map { translated("battery {percent} %", ["percent": "\($0)"]) },
            receiver.corrections.map(corrections),
        ].compactMap(\.self) + guarantees(receiver) + problems(receiver)
    }

    /// Returns whether sentences were dropped because their clock is hours from the receiver's.
    package static func hasOtherClock(_ receiver: ReceiverSummary) -> Bool {
        receiver.dropped?.contains { $0.reason == .otherClock } == true
    }

    /// Returns the receiver's judgement of interference and the strength of a continuous wave: `warning 62 %`.
    package static func jamming(_ jamming: JammingReport?) -> String {
        [jamming?.level.map(judgement), jamming?.indicator.map { "\($0 * 100 / 255) %" }].compactMap(\.self)
            .joined(separator: " ")
    }

    private static func judgement(_ level: JammingReport.Level) -> String {
        switch level {
        case .none: level.rawValue
        // Translators: The receiver's judgement of interference at its antenna: some.
        case .warning: translated("warning")
        // Translators: The receiver's judgement of interference at its antenna: so much that it has no position.
        case .critical: translated("critical")
        }
    }
}

extension ReceiverSummary {
    /// A Boolean value indicating whether the receiver reports interference or its location is doubtful.
    package var isInDoubt: Bool { jamming?.isJammed == true || doubts != nil }

    /// The specification, or `nil` if it is of a kind that this program does not know.
    package var source: ReceiverSpecification? { try? ReceiverSpecification(parsing: specification) }
}
