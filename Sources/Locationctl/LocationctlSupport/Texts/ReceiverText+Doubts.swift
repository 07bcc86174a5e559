package import LocationModel
package import LocationProtocol

extension ReceiverText {
    /// Returns the doubts about the receiver's locations; empty if there are none.
    package static func doubts(_ doubts: FixDoubts?) -> String {
        guard let doubts else { return "" }
        // Translators: A location that may be wrong. The reasons are parts of sentences, or English words.
        return translated("suspect: {reasons}", ["reasons": doubts.reasons.map { words($0) }.joined(separator: "; ")])
    }

    /// Returns a reason for a person. The daemon's log has the same in English (`FixDoubts.Reason.explanation`).
    private static func words(_ reason: FixDoubts.Reason) -> String {
        switch reason {
        // Translators: After "suspect: ": signals that imitate a satellite's.
        case .spoofing: translated("the receiver reports false signals (spoofing)")
        // Translators: After "suspect: ".
        case .jamming: translated("the receiver reports interference (jamming)")
        // Translators: After "suspect: ": the location.
        case .jump: translated("it has jumped farther than any vehicle moves")
        // Translators: After "suspect: ".
        case .clock: translated("the receiver's time is not that of this machine's synchronized clock")
        // Translators: After "suspect: ".
        case .disagreement: translated("two receivers report different places")
        // Translators: After "suspect: ": the station that the receiver gets corrections from.
        case .corrections: translated("the reference station of its corrections has moved by more than a kilometre")
        }
    }

    /// Returns the dropped input and the reasons: `dropped 12 wrong checksums, 1 repeated time`.
    package static func dropped(_ input: [DroppedInput]) -> String {
        guard !input.isEmpty else { return "" }
        let list = input.map { words($0.reason, $0.count) }.joined(separator: translated(", "))
        // Translators: What a receiver sent and is not used, like "12 wrong checksums, 1 repeated time".
        return translated("dropped {list}", ["list": list])
    }

    private static func words(_ reason: DroppedInput.Reason, _ count: Int) -> String {
        switch reason {
        case .wrongChecksum: translated("{count} wrong checksum", plural: "{count} wrong checksums", count: count)
        case .missingChecksum: translated("{count} missing checksum", plural: "{count} missing checksums", count: count)
        // Translators: A sentence is a line that a receiver sends.
        case .overlong: translated("{count} overlong sentence", plural: "{count} overlong sentences", count: count)
        case .unreadableField: translated("{count} unreadable field", plural: "{count} unreadable fields", count: count)
        case .outOfRange: translated("{count} impossible place", plural: "{count} impossible places", count: count)
        case .repeatedTime: translated("{count} repeated time", plural: "{count} repeated times", count: count)
        case .earlierTime: translated("{count} earlier time", plural: "{count} earlier times", count: count)
        case .otherDevice:
            translated(
                "{count} sentence of another device", plural: "{count} sentences of another device", count: count)
        case .otherClock:
            translated(
                "{count} sentence of a clock that is hours off",
                plural: "{count} sentences of a clock that is hours off", count: count)
        // Translators: A frame is a message of a receiver's binary protocol.
        case .unsupportedFrame:
            translated(
                "{count} frame of an unsupported type", plural: "{count} frames of unsupported types", count: count)
        case .implausible:
            translated("{count} impossible time or place", plural: "{count} impossible times or places", count: count)
        }
    }
}
