package import Devices
package import LocationModel
package import LocationProtocol

/// The state of a receiver, as the daemon reports it, in words.
package enum ReceiverText {
    /// Returns the reason why a receiver is in use.
    package static func choice(_ choice: ReceiverChoiceReason?) -> String {
        switch choice {
        case .first: "the first with a fix"
        case .returned: "it is back"
        case .otherLost: "the previous receiver was lost"
        case .otherSilent: "the previous receiver stopped sending fixes"
        case .otherFixed: "the previous one is a fixed place, which gives way"
        case .otherSuspect: "the previous receiver's location is suspect"
        case .moreAccurate: "clearly more accurate than the previous receiver"
        case nil: ""
        }
    }

    /// Returns the state, with the progress through a recording: `running 42 %`.
    package static func state(_ receiver: ReceiverSummary) -> String {
        (receiver.state == .stopped ? "closed" : receiver.state.rawValue)
            + (receiver.progress.map { " \(Int($0 * 100)) %" } ?? "")
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
        case .stopped: "no app needs it"
        case .resting: receiver.stillness.map(stillness) ?? condition(receiver)
        case .connecting: starting(receiver) ?? condition(receiver)
        default: condition(receiver)
        }
    }

    /// Returns the reason why a receiver is closed while the machine does not move.
    package static func stillness(_ report: StillnessReport) -> String {
        let networks = report.networks == 1 ? "1 network" : "\(report.networks) networks"
        return "still, by \(networks): off for \(duration(report.seconds)), next check in \(duration(report.nextCheck))"
    }

    /// Returns the reason why a receiver's start may take a while, or `nil`.
    package static func starting(_ receiver: ReceiverSummary) -> String? {
        guard case .modem? = receiver.source, receiver.state == .connecting else { return nil }
        return translated("ModemManager is starting it, which may take 30 s")
    }

    /// Returns a time in seconds in its largest unit: `14 min`.
    package static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(Int(max(0, seconds).rounded())) s"
        case ..<7200: "\(Int((seconds / 60).rounded())) min"
        case ..<172_800: "\(Int((seconds / 3600).rounded())) h"
        default: "\(Int((min(seconds, 1e12) / 86400).rounded())) days"
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

    /// Returns the number of satellites in view, with the word: `4 satellites`.
    package static func satellites(_ receiver: ReceiverSummary) -> String {
        let count = receiver.satellitesInView ?? 0
        return "\(count) \(count == 1 ? "satellite" : "satellites")"
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
            receiver.reportInterval.map { "reports every \(Decimal.text($0, digits: 0)) s" },
            receiver.sendsNoChecksums == true ? "sends no checksums" : nil,
            hasOtherClock(receiver) ? "a second clock on its wire is hours off" : nil,
            receiver.hasMotionOfAnotherDevice == true ? "speed and course from another device" : nil,
            receiver.sendsZeroSeparation == true ? "its geoid separation of 0 m is wrong" : nil,
            receiver.datum.map { "its coordinates are on the datum \(Terminal.printable($0)), not on WGS 84" },
            receiver.battery.map { "battery \($0) %" },
            receiver.corrections.map(corrections),
        ].compactMap(\.self) + guarantees(receiver) + problems(receiver)
    }

    /// Returns whether sentences were dropped because their clock is hours from the receiver's.
    package static func hasOtherClock(_ receiver: ReceiverSummary) -> Bool {
        receiver.dropped?.contains { $0.reason == .otherClock } == true
    }

    /// Returns the receiver's judgement of interference and the strength of a continuous wave: `warning 62 %`.
    package static func jamming(_ jamming: JammingReport?) -> String {
        [jamming?.level?.rawValue, jamming?.indicator.map { "\($0 * 100 / 255) %" }].compactMap(\.self)
            .joined(separator: " ")
    }

    /// Returns the doubts about the receiver's locations; empty if there are none.
    package static func doubts(_ doubts: FixDoubts?) -> String {
        guard let doubts else { return "" }
        return "suspect: " + doubts.reasons.map(\.explanation).joined(separator: "; ")
    }

    /// Returns the dropped input and the reasons: `dropped 12 wrong checksums, 1 repeated time`.
    package static func dropped(_ input: [DroppedInput]) -> String {
        guard !input.isEmpty else { return "" }
        return "dropped "
            + input.map { "\($0.count) \(words($0.reason, isOne: $0.count == 1))" }.joined(separator: ", ")
    }

    private static func words(_ reason: DroppedInput.Reason, isOne: Bool) -> String {
        let (one, many) =
            switch reason {
            case .wrongChecksum: ("wrong checksum", "wrong checksums")
            case .missingChecksum: ("missing checksum", "missing checksums")
            case .overlong: ("overlong sentence", "overlong sentences")
            case .unreadableField: ("unreadable field", "unreadable fields")
            case .outOfRange: ("impossible place", "impossible places")
            case .repeatedTime: ("repeated time", "repeated times")
            case .earlierTime: ("earlier time", "earlier times")
            case .otherDevice: ("sentence of another device", "sentences of another device")
            case .otherClock: ("sentence of a clock that is hours off", "sentences of a clock that is hours off")
            case .unsupportedFrame: ("frame of an unsupported type", "frames of unsupported types")
            case .implausible: ("impossible time or place", "impossible times or places")
            }
        return isOne ? one : many
    }
}

extension ReceiverSummary {
    /// A Boolean value indicating whether the receiver reports interference or its location is doubtful.
    package var isInDoubt: Bool { jamming?.isJammed == true || doubts != nil }

    /// The specification, or `nil` if it is of a kind that this program does not know.
    package var source: ReceiverSpecification? { try? ReceiverSpecification(parsing: specification) }
}
