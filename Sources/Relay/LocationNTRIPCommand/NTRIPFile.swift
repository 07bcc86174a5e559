internal import LocationProtocol
internal import Logging
internal import NTRIP
internal import ServiceSupport

/// The configuration of an instance. locationd-ntrip(8) describes the keys.
struct NTRIPFile: InstanceFile {
    static let keys = ["caster", "mount", "position", "receiver", "interval", "ca", "log-level"]

    let caster: CasterAddress
    let plan: CasterPlan
    /// The name of the receiver for the corrections, or `nil` for any that takes them.
    let receiver: String?
    let interval: Double?
    /// The file of the authorities for the caster's certificate, or `nil` for the system's.
    let authorities: String?
    let logLevel: Logger.Level?

    enum CodingKeys: String, CodingKey {
        case caster, mount, position, receiver, interval, ca
        case logLevel = "log-level"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        caster = try container.decode(.caster, by: Parsed(CasterAddress.init(parsing:)))
        let mount = try container.decodeIfPresent(.mount, by: Parsed(CasterAddress.mount))
        let position = try container.decodeIfPresent(
            .position, by: OneOf<CasterPlan.Position> { "\"\($0)\" is not an accuracy: use one of \($1)" })
        let receiver = try container.decodeIfPresent(.receiver, by: Parsed(Self.receiverName))
        self.receiver = receiver == "any" ? nil : receiver
        interval = try container.decodeIfPresent(
            .interval, by: InRange(10...300, refusal: { _ in "use 10 to 300 seconds" }))
        authorities = try container.decodeIfPresent(.ca, by: Parsed { $0 })
        logLevel = try container.decodeIfPresent(.logLevel, by: .logLevel)
        func refuse(_ key: CodingKeys, _ message: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath + [key], debugDescription: message))
        }
        if mount != nil, caster.mount != nil { throw refuse(.mount, "the caster's address has a mount point already") }
        guard let name = caster.mount ?? mount else {
            throw refuse(.caster, "add the mount point, as in ntrip://HOST:PORT/MOUNT, or mount = \"nearest\"")
        }
        guard name == "nearest", mount != nil else {
            plan = .mount(name, position: position)
            return
        }
        guard position == nil || position == CasterPlan.Position.none else {
            throw refuse(.position, "the nearest station needs no position: remove it")
        }
        plan = .nearest
    }

    private static func receiverName(_ name: String) throws(InvalidValue) -> String {
        guard (1...CorrectionsSocket.maximumName).contains(name.utf8.count), !name.contains(where: \.isNewline) else {
            throw InvalidValue("use the name of a receiver, as `locationctl receivers` shows it, or \"any\"")
        }
        return name
    }
}
