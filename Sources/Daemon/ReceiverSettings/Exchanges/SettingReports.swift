/// The outcomes of a profile's settings, for people.
struct SettingReports {
    private var reports: [ReceiverSetting.Name: ReceiverSetting] = [:]
    /// The texts of a setting's parts.
    private var parts: [ReceiverSetting.Name: [String: (before: String, now: String)]] = [:]

    /// The outcomes so far, in a fixed order.
    var all: [ReceiverSetting] { ReceiverSetting.Name.allCases.compactMap { reports[$0] } }

    subscript(name: ReceiverSetting.Name) -> ReceiverSetting.Outcome? {
        get { reports[name]?.outcome }
        set {
            guard let newValue else {
                reports[name] = nil
                return
            }
            reports[name, default: ReceiverSetting(name: name, outcome: newValue)].outcome = newValue
        }
    }

    /// Begins the report on a setting.
    mutating func begin(_ wanted: WantedSetting, isSupported: Bool) {
        self[wanted.name] = isSupported ? .unanswered : .unsupported
        reports[wanted.name]?.wanted = wanted.text
    }

    /// Shows a value that was read. `before` is the receiver's own value, if it has just become known.
    mutating func show(_ exchange: Exchange, before: [Int]? = nil, now: [Int]) {
        let now = exchange.text(now)
        let old = parts[exchange.name]?[exchange.part]?.before
        parts[exchange.name, default: [:]][exchange.part] = (before.map(exchange.text) ?? old ?? now, now)
        let texts = (parts[exchange.name] ?? [:]).values
        reports[exchange.name]?.before = WantedSetting.list(texts.map(\.before).filter { !$0.isEmpty })
        reports[exchange.name]?.now = WantedSetting.list(texts.map(\.now).filter { !$0.isEmpty })
    }
}
