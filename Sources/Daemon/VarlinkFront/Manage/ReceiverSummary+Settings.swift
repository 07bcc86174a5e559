internal import LocationProtocol
internal import ReceiverSettings
internal import Receivers

extension ReceiverSummary {
    /// Adds the receiver's identity and the outcomes of its settings. They show when apps need it, and how often.
    mutating func addSettings(of source: SourceStatus) {
        identity = source.identity.map {
            ReceiverIdentityReport(
                dialect: $0.dialect.rawValue, maker: $0.maker, model: $0.model, firmware: $0.firmware,
                protocolVersion: $0.protocolVersion)
        }
        if !source.firstFixes.isEmpty {
            firstFixes = source.firstFixes.map { FirstFixReport(seconds: $0.seconds, helped: $0.isHelped) }
        }
        guard !source.settings.isEmpty else { return }
        settings = source.settings.map {
            ReceiverSettingReport(
                name: $0.name.rawValue, before: $0.before, wanted: $0.wanted, now: $0.now,
                outcome: .init($0.outcome))
        }
    }
}

extension ReceiverSettingReport.Outcome {
    fileprivate init(_ outcome: ReceiverSetting.Outcome) {
        self =
            switch outcome {
            case .applied: .applied
            case .refused: .refused
            case .unanswered: .unanswered
            case .ignored: .ignored
            case .unsupported: .unsupported
            case .sent: .sent
            }
    }
}
