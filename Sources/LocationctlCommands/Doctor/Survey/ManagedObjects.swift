internal import FoundationEssentials
internal import SystemBus

/// The objects of a service on the system bus, as busctl(1) writes the reply of GetManagedObjects: their properties by
/// object, interface and name.
struct ManagedObjects: Decodable {
    /// A value of one of the types that matter here, or nothing.
    struct Value: Decodable {
        var bus: BusValue?
        var number: Int?

        private enum CodingKeys: CodingKey { case type, data }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try? container.decode(Int.self, forKey: .data)
            switch try container.decode(String.self, forKey: .type) {
            case "s": bus = (try? container.decode(String.self, forKey: .data)).map { .string($0) }
            case "o": bus = (try? container.decode(String.self, forKey: .data)).map { .objectPath($0) }
            case "b": bus = (try? container.decode(Bool.self, forKey: .data)).map { .boolean($0) }
            case "as": bus = (try? container.decode([String].self, forKey: .data)).map { .strings($0) }
            default: break
            }
        }

        /// The text, if it is one.
        var text: String? { if case .string(let text) = bus { text } else { nil } }
    }

    private let data: [[String: [String: [String: Value]]]]

    /// The objects in the order of their paths.
    var objects: [(path: String, interfaces: [String: [String: Value]])] {
        (data.first ?? [:]).sorted { $0.key < $1.key }.map { (path: $0.key, interfaces: $0.value) }
    }

    /// Returns the objects in the output of `busctl --json=short call`, or `nil` if it cannot be read.
    init?(parsing text: String) {
        guard let objects = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = objects
    }

    /// Asks a service that runs for its objects; it is not started.
    init?(of service: String, at path: String) {
        let arguments = [
            "--system", "--auto-start=no", "--timeout=5", "--json=short", "call", service, path,
            "org.freedesktop.DBus.ObjectManager", "GetManagedObjects",
        ]
        guard let result = ChildProcess.run("busctl", arguments), result.status == 0 else { return nil }
        self.init(parsing: result.output)
    }
}
