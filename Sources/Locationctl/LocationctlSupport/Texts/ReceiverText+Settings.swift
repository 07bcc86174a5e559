package import LocationProtocol

extension ReceiverText {
    /// Returns the receiver's maker, model, software and protocol: `u-blox MAX-M10S, SPG 5.10, protocol 34.10`.
    package static func identity(_ identity: ReceiverIdentityReport) -> String {
        let texts: [String?] = [
            [identity.maker, identity.model].compactMap(\.self).joined(separator: " "), identity.firmware,
            "protocol " + [identity.dialect, identity.protocolVersion].compactMap(\.self).joined(separator: " "),
        ]
        return texts.compactMap(\.self).map(Terminal.printable).joined(separator: ", ")
    }

    /// Returns the medians of the times to the first fix: `first fix after 24 s with help (of 3), 31 s without (of 4)`.
    package static func firstFixes(_ fixes: [FirstFixReport]) -> String? {
        func median(_ isHelped: Bool) -> (String, Int)? {
            let times = fixes.filter { $0.helped == isHelped }.map(\.seconds).sorted()
            return times.isEmpty ? nil : (Decimal.text(times[times.count / 2], digits: 0, unit: " s"), times.count)
        }
        let texts = [
            median(true).map { "\($0) with help (of \($1))" }, median(false).map { "\($0) without (of \($1))" },
        ].compactMap(\.self)
        return texts.isEmpty ? nil : "first fix after " + texts.joined(separator: ", ")
    }

    /// Returns the outcome of a setting in words, or `nil` if the receiver has the value.
    package static func problem(_ setting: ReceiverSettingReport) -> String? {
        let name = setting.name
        let value = setting.wanted.map { "\(name) " + Terminal.printable($0) } ?? name
        return switch (name, setting.outcome) {
        case (_, .applied), (_, .sent): nil
        // Translators: The receiver.
        case ("identity", _): translated("it did not identify itself: nothing is set")
        // Translators: The receiver, about corrections from a reference station.
        case ("corrections", _): translated("it does not report on the corrections that it gets")
        // Translators: The receiver.
        case ("standby", .unsupported): translated("it has no standby that a command ends")
        // Translators: The receiver has a standby, and does not use it.
        case ("standby", _): translated("it does not sleep")
        // Translators: The receiver. The setting is an English word, perhaps with a value.
        case (_, .refused): translated("it refuses {setting}", ["setting": value])
        // Translators: The receiver. The setting is an English word.
        case (_, .unanswered): translated("it did not answer when asked for its {setting}", ["setting": name])
        // Translators: The receiver. The setting is an English word, perhaps with a value.
        case (_, .ignored): translated("it did not apply {setting}", ["setting": value])
        // Translators: The receiver. The setting is an English word, perhaps with a value.
        case (_, .unsupported):
            translated("it has no setting for {setting}, or none that can be put back", ["setting": value])
        }
    }

    /// Returns the problems with a receiver's settings.
    package static func problems(_ receiver: ReceiverSummary) -> [String] {
        (receiver.settings ?? []).compactMap(problem)
    }
}
