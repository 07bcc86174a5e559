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
    /// The sockets for clients of gpsd, or `nil` if the daemon opens none.
    var gpsd: GPSDSettings?
    /// A Boolean value indicating whether GeoClue's name on the system bus is acquired.
    var geoclue = false

    /// Merges another file. Its receivers and restrictions are added; its other keys replace those of earlier files.
    mutating func merge(_ file: ConfigurationFile) {
        receivers += (file.receiver ?? []).map { .init(source: $0.source.value, name: $0.name, power: $0.power?.value) }
        if let discover = file.discover { self.discover = discover.value }
        if let count = file.limits?.connectionsPerUser { limits.connectionsPerUser = count.value }
        if let level = file.logLevel { logLevel = level.value }
        if let inUse = file.inUse { self.inUse = inUse.value }
        if let seconds = file.exitWhenIdle { exitWhenIdle = seconds.value }
        restrictions.formUnion((file.restricted ?? []).map(\.restriction))
        merge(file.gpsd)
        if let enabled = file.geoclue?.enabled { geoclue = enabled.value }
    }

    private mutating func merge(_ table: ConfigurationFile.GPSD?) {
        let settings = GPSDSettings(
            listen: table?.listen ?? gpsd?.listen ?? [], socket: table?.socket?.value ?? gpsd?.socket ?? false)
        gpsd = settings.listen.isEmpty && !settings.socket ? nil : settings
    }

    /// Returns the keys whose values differ from those in `initial` and hold only from the daemon's next start on.
    func keysThatNeedRestart(since initial: Configuration) -> [String] {
        var keys: [String] = []
        if gpsd?.listen ?? [] != initial.gpsd?.listen ?? [] { keys.append("gpsd.listen") }
        if gpsd?.socket ?? false != initial.gpsd?.socket ?? false { keys.append("gpsd.socket") }
        if geoclue != initial.geoclue { keys.append("geoclue.enabled") }
        return keys
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
    var gpsd: GPSD?
    var geoclue: GeoClue?

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
            case .gpsd, .fixed, .simulated, .replay: break
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

    /// The sockets for clients of gpsd.
    struct GPSD: Decodable {
        var listen: [ListenAddress]?
        var socket: Checked<FlagRule>?

        enum CodingKeys: String, CodingKey {
            case listen, socket
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            listen = try container.decodeIfPresent([Checked<ListenAddressRule>].self, forKey: .listen)?.map(\.value)
            socket = try container.decodeIfPresent(Checked<FlagRule>.self, forKey: .socket)
            var seen: Set<ListenAddress> = []
            for address in listen ?? [] where !seen.insert(address).inserted {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [CodingKeys.listen],
                        debugDescription: "\(address) is there twice: name each address once"))
            }
        }
    }

    /// GeoClue's interface on the system bus.
    struct GeoClue: Decodable {
        var enabled: Checked<FlagRule>?
    }

    enum CodingKeys: String, CodingKey {
        case receiver, discover, limits, restricted, gpsd, geoclue
        case logLevel = "log-level"
        case inUse = "in-use"
        case exitWhenIdle = "exit-when-idle"
    }
}
