internal import LocationProtocol
internal import LocationctlSupport

/// The list of `locationctl receivers --settings`.
enum SettingsTable {
    static func text(_ receivers: [ReceiverSummary], on medium: OutputMedium) -> String {
        var table = Table(
            .init("RECEIVER", leastWidth: 12), .init("SETTING", leastWidth: 8), .init("BEFORE", isOptional: true),
            .init("PROFILE", isOptional: true), .init("NOW", isOptional: true), "OUTCOME",
            .init("IDENTITY", sacrifice: 1, isOptional: true, isBelow: true))
        for receiver in receivers {
            let identity = [
                receiver.identity.map(ReceiverText.identity), receiver.firstFixes.flatMap(ReceiverText.firstFixes),
            ].compactMap(\.self).joined(separator: "; ")
            guard let settings = receiver.settings else {
                if receiver.identity != nil { table.add(receiver.name, "", "", "", "", "nothing to set", identity) }
                continue
            }
            for (index, setting) in settings.enumerated() {
                table.add(
                    receiver.name, setting.name, shown(setting.before), shown(setting.wanted), shown(setting.now),
                    setting.outcome.rawValue, index == settings.count - 1 ? identity : "",
                    styles: ["OUTCOME": ReceiverText.problem(setting) == nil ? .good : .warning, "IDENTITY": .hint])
            }
        }
        return table.text(
            on: medium,
            nothing: """
                No receiver has been asked who it is: none has a profile, or none has been open since locationd started. \
                See "profile" in locationd.toml(5).
                """)
    }

    private static func shown(_ text: String?) -> String { text.map(Terminal.printable) ?? "" }
}
