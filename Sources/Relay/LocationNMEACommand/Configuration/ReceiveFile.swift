internal import Logging
internal import NMEARelay
internal import ServiceSupport

/// The configuration of an instance that receives. locationd-nmea(8) describes the keys.
struct ReceiveFile: InstanceFile {
    static let keys = ["from", "allow", "log-level"]

    /// The source of the sentences in the network.
    var from: ReceiveSource
    /// The addresses that may send.
    var allow: [AddressRange]?
    var logLevel: Logger.Level?

    enum CodingKeys: String, CodingKey {
        case from, allow
        case logLevel = "log-level"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        from = try container.decode(.from, by: Parsed(ReceiveSource.init(parsing:)))
        allow = try container.decodeListIfPresent(.allow, by: Parsed(AddressRange.init(parsing:)))
        logLevel = try container.decodeIfPresent(.logLevel, by: .logLevel)
        guard from.isOpen != (allow?.isEmpty == false) else { return }
        // Attack: another host sends sentences to a port that accepts them from any address, and moves the machine.
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: decoder.codingPath + [CodingKeys.allow],
                debugDescription: from.isOpen
                    ? "say who may send to this machine, as in allow = [\"192.168.1.0/24\"]"
                    : "applies only to tcp-listen:// and udp:// sources: remove it"))
    }
}
