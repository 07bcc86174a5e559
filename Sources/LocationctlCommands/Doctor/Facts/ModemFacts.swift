internal import FoundationEssentials
internal import Receivers

/// A modem that ModemManager knows.
struct ModemFacts: Sendable, Equatable {
    /// The model, such as `EC25`.
    var model = ""
    /// A Boolean value indicating whether it has a receiver whose sentences ModemManager passes on, and which it starts
    /// now. Otherwise the modem is off, has no SIM, or has no receiver.
    var hasReceiver = false

    /// Returns the modems that ModemManager knows, without starting it.
    static func all() -> [ModemFacts] {
        let arguments = [
            "--system", "--auto-start=no", "--timeout=5", "--json=short", "call", ModemManager.service,
            ModemManager.path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects",
        ]
        guard let result = ChildProcess.run("busctl", arguments), result.status == 0 else { return [] }
        return parse(result.output)
    }

    /// Returns the modems in the output of `busctl --json=short call`, in the order of their paths.
    static func parse(_ text: String) -> [ModemFacts] {
        guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(text.utf8)) else { return [] }
        return (reply.data.first ?? [:]).sorted { $0.key < $1.key }.map { ModemFacts($0.value) }
    }

    private init(_ interfaces: [String: [String: Reply.Value]]) {
        let modem = interfaces[ModemManager.modem] ?? [:]
        model = modem["Model"]?.text ?? ""
        let sources = interfaces[ModemManager.location]?["Capabilities"]?.number ?? 0
        hasReceiver =
            sources & Int(ModemManager.sentences) != 0 && (modem["State"]?.number ?? 0) >= ModemManager.enabled
    }

    init(model: String, hasReceiver: Bool) { (self.model, self.hasReceiver) = (model, hasReceiver) }

    /// The reply of GetManagedObjects, as busctl(1) writes it: the properties by object, interface and name.
    private struct Reply: Decodable {
        struct Value: Decodable {
            var text: String?
            var number: Int?

            private enum CodingKeys: CodingKey { case data }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                text = try? container.decode(String.self, forKey: .data)
                number = try? container.decode(Int.self, forKey: .data)
            }
        }

        let data: [[String: [String: [String: Value]]]]
    }
}
