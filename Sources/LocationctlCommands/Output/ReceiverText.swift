internal import LocationModel
internal import LocationProtocol

/// What the daemon says of a receiver, in words.
enum ReceiverText {
    /// Returns the reason why a receiver is in use.
    static func choice(_ choice: ReceiverChoiceReason?) -> String {
        switch choice {
        case .first: "the first with a fix"
        case .otherLost: "the previous receiver was lost"
        case .otherSilent: "the previous receiver stopped sending fixes"
        case .otherFixed: "the previous one is a fixed place, which gives way"
        case .moreAccurate: "clearly more accurate than the previous receiver"
        case nil: ""
        }
    }

    /// Returns the state, and how much of a recording has been played: `running 42 %`.
    static func state(_ receiver: ReceiverSummary) -> String {
        receiver.state.rawValue + (receiver.progress.map { " \(Int($0 * 100)) %" } ?? "")
    }

    /// Returns the receiver's judgement of interference and the strength of a continuous wave: `warning 62 %`.
    static func jamming(_ jamming: JammingReport?) -> String {
        guard let jamming else { return "" }
        let strength = "\(jamming.indicator * 100 / 255) %"
        return jamming.level.map { "\($0.rawValue) \(strength)" } ?? strength
    }

    /// Returns what was dropped and why: `dropped 12 wrong checksums, 1 repeated time`.
    static func dropped(_ input: [DroppedInput]) -> String {
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
            case .implausible: ("impossible time or place", "impossible times or places")
            }
        return isOne ? one : many
    }
}
