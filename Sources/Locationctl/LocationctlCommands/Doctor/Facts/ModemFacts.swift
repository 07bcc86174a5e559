internal import Receivers

/// A modem that ModemManager knows.
struct ModemFacts: Sendable, Equatable {
    /// The model, such as `EC25`.
    var model = ""
    /// A Boolean value indicating whether it has a receiver whose sentences ModemManager passes on, and which it starts
    /// now. Otherwise the modem is off, has no SIM, or has no receiver.
    var hasReceiver = false
    /// The names that a receiver's source can use for it: its IMEI, its path on the bus, and its path in sysfs.
    var names: Set<String> = []

    /// Returns the modems that ModemManager knows, without starting it.
    static func all() -> [ModemFacts] {
        (BusQuestion.objects(of: ModemManager.service, at: ModemManager.path, Modem.list) ?? []).map(ModemFacts.init)
    }

    init(_ modem: Modem) {
        self.init(
            model: modem.model, hasReceiver: modem.hasReceiver && modem.state >= ModemManager.enabled,
            names: Set([modem.imei, modem.device, modem.path]).subtracting([""]))
    }

    init(model: String, hasReceiver: Bool, names: Set<String> = []) {
        (self.model, self.hasReceiver, self.names) = (model, hasReceiver, names)
    }
}
