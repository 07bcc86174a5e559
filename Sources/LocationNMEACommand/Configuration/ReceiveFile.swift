internal import NMEARelay
internal import ServiceSupport

/// The configuration of an instance that receives. locationd-nmea(8) describes the keys.
struct ReceiveFile: InstanceFile {
    static let keys = ["from", "allow", "log-level"]

    var from: Checked<SourceRule>
    var allow: [Checked<RangeRule>]?
    var logLevel: Checked<LogLevelRule>?

    enum CodingKeys: String, CodingKey {
        case from, allow
        case logLevel = "log-level"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        from = try container.decode(Checked<SourceRule>.self, forKey: .from)
        allow = try container.decodeIfPresent([Checked<RangeRule>].self, forKey: .allow)
        logLevel = try container.decodeIfPresent(Checked<LogLevelRule>.self, forKey: .logLevel)
        guard from.value.isOpen != (allow?.isEmpty == false) else { return }
        // Attack: somebody in the network sends sentences to a port that takes them from everybody, and moves the
        // machine.
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: decoder.codingPath + [CodingKeys.allow],
                debugDescription: from.value.isOpen
                    ? "say who may send to this machine, as in allow = [\"192.168.1.0/24\"]"
                    : "only a port at which others send has it: leave allow out"))
    }

    /// The addresses that may send.
    var allowed: [AddressRange] { (allow ?? []).map(\.value) }
}

/// The way by which sentences come from the network.
enum SourceRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> ReceiveSource {
        do { return try ReceiveSource(parsing: written) } catch { throw InvalidValue(error.description) }
    }
}

/// A range of addresses.
enum RangeRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> AddressRange {
        do { return try AddressRange(parsing: written) } catch { throw InvalidValue(error.description) }
    }
}
