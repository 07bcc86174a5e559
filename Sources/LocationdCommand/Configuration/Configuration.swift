internal import AuthorizationPolicy
internal import Devices
internal import LocationCore
internal import LocationModel
internal import Logging
internal import Receivers

/// The contents of all configuration files, merged. locationd.toml(5) describes the keys.
struct Configuration {
    /// The receivers, in order of preference.
    var receivers: [ServiceSettings.ReceiverEntry] = []
    /// A Boolean value indicating whether every receiver that udev reports is used too, after the configured ones, or
    /// `nil` if such receivers are used only if none is configured.
    var discover: Bool?
    var limits = Limits()
    var logLevel: Logger.Level = .info
    var inUse = ServiceSettings.InUse.session
    /// The time after which an idle daemon ends, in seconds, or `nil` if it never ends. Counts only if the service
    /// manager holds the sockets.
    var exitWhenIdle: Int?
    /// The restrictions, which nobody can override with a grant.
    var restrictions: Set<Restriction> = []

    /// Merges another file. Its receivers and restrictions are added; its other keys replace those of earlier files.
    mutating func merge(_ file: ConfigurationFile) {
        receivers += (file.receiver ?? []).map { .init(source: $0.source.value, name: $0.name, power: $0.power?.value) }
        if let discover = file.discover { self.discover = discover.value }
        if let count = file.limits?.connectionsPerUser { limits.connectionsPerUser = count.value }
        if let level = file.logLevel { logLevel = level.value }
        if let inUse = file.inUse { self.inUse = inUse.value }
        if let seconds = file.exitWhenIdle { exitWhenIdle = seconds.value }
        restrictions.formUnion((file.restricted ?? []).map(\.restriction))
    }
}

/// The contents of one configuration file.
struct ConfigurationFile: Decodable {
    var receiver: [Receiver]?
    var discover: Checked<FlagRule>?
    var limits: Limits?
    var logLevel: Checked<LogLevelRule>?
    var inUse: Checked<InUseRule>?
    var exitWhenIdle: Checked<IdleTimeRule>?
    var restricted: [Restricted]?

    /// An app that may not have the location, either of one user or of all users.
    struct Restricted: Decodable {
        var app: Checked<AppRule>
        var uid: Checked<UserIDRule>?

        var restriction: Restriction { Restriction(app: app.value, uid: uid?.value) }
    }

    struct Receiver: Decodable {
        var source: Checked<SourceRule>
        var name: String?
        var power: Checked<PowerRule>?

        enum CodingKeys: String, CodingKey {
            case source, name, power
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            source = try container.decode(Checked<SourceRule>.self, forKey: .source)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            power = try container.decodeIfPresent(Checked<PowerRule>.self, forKey: .power)
            guard power != nil else { return }
            switch source.value {
            case .serial, .usb: return
            case .gpsd, .simulated, .replay: break
            }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [CodingKeys.power],
                    debugDescription: "only a receiver at a serial port accepts commands: leave power out"))
        }
    }

    struct Limits: Decodable {
        var connectionsPerUser: Checked<ConnectionCountRule>?

        enum CodingKeys: String, CodingKey {
            case connectionsPerUser = "connections-per-user"
        }
    }

    enum CodingKeys: String, CodingKey {
        case receiver, discover, limits, restricted
        case logLevel = "log-level"
        case inUse = "in-use"
        case exitWhenIdle = "exit-when-idle"
    }
}
