internal import LocationProtocol
internal import ReceiverSettings
internal import Receivers

extension ReceiverSummary {
    /// Adds the receiver's identity and the outcomes of its settings.
    ///
    /// Attack: settings that follow the apps tell a manager how often another user's app needs a fix, and its activity.
    /// The caller gives those to administrators only.
    mutating func addSettings(of source: SourceStatus) {
        identity = source.identity.map {
            ReceiverIdentityReport(
                dialect: $0.dialect.rawValue, maker: $0.maker, model: $0.model, firmware: $0.firmware,
                protocolVersion: $0.protocolVersion)
        }
        guard !source.settings.isEmpty else { return }
        settings = source.settings.map {
            ReceiverSettingReport(
                name: $0.name.rawValue, before: $0.before, wanted: $0.wanted, now: $0.now,
                outcome: .init($0.outcome))
        }
    }

    /// Adds the times to the first fix.
    ///
    /// Attack: their number shows how often the receiver was opened for a region, and so how far away it is. Only
    /// administrators get them.
    mutating func addFirstFixes(of source: SourceStatus) {
        guard !source.firstFixes.isEmpty else { return }
        firstFixes = source.firstFixes.map { FirstFixReport(seconds: $0.seconds, helped: $0.isHelped) }
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
