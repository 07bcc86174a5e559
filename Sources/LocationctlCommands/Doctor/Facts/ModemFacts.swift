internal import Receivers

/// A modem that ModemManager knows.
struct ModemFacts: Sendable, Equatable {
    /// The model, such as `EC25`.
    var model = ""
    /// A Boolean value indicating whether it has a receiver whose sentences ModemManager passes on, and which it starts
    /// now. Otherwise the modem is off, has no SIM, or has no receiver.
    var hasReceiver = false
    /// The names by which a receiver's source can mean it: its IMEI, its path on the bus, and its path in sysfs.
    var names: Set<String> = []

    /// Returns the modems that ModemManager knows, without starting it.
    static func all() -> [ModemFacts] {
        ManagedObjects(of: ModemManager.service, at: ModemManager.path).map(modems) ?? []
    }

    /// Returns the modems in the output of `busctl --json=short call`, in the order of their paths.
    static func parse(_ text: String) -> [ModemFacts] { ManagedObjects(parsing: text).map(modems) ?? [] }

    private static func modems(_ reply: ManagedObjects) -> [ModemFacts] {
        reply.objects.map(ModemFacts.init)
    }

    private init(path: String, interfaces: [String: [String: ManagedObjects.Value]]) {
        let modem = interfaces[ModemManager.modem] ?? [:]
        model = modem["Model"]?.text ?? ""
        let sources = interfaces[ModemManager.location]?["Capabilities"]?.number ?? 0
        hasReceiver =
            sources & Int(ModemManager.sentences) != 0 && (modem["State"]?.number ?? 0) >= ModemManager.enabled
        names = Set(["EquipmentIdentifier", "Device"].compactMap { modem[$0]?.text }).union([path]).subtracting([""])
    }

    init(model: String, hasReceiver: Bool, names: Set<String> = []) {
        (self.model, self.hasReceiver, self.names) = (model, hasReceiver, names)
    }
}
