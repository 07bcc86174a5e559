internal import AuthorizationPolicy
internal import Devices
internal import GPSDFront
internal import LocationCore
internal import LocationModel
internal import Logging
internal import Receivers
internal import ServiceSupport

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
    /// The receivers' time for chrony, or `nil` if it is not passed on.
    var time: TimeSettings?

    /// The places of the receivers' sources in the files.
    var places: [ReceiverSpecification: String] = [:]

    /// Merges another file. Its receivers and restrictions are added; its other keys replace those of earlier files.
    mutating func merge(_ file: ConfigurationFile) {
        receivers += (file.receiver ?? []).map { $0.entry }
        if let discover = file.discover { self.discover = discover.value }
        if let count = file.limits?.connectionsPerUser { limits.connectionsPerUser = count.value }
        if let level = file.logLevel { logLevel = level.value }
        if let inUse = file.inUse { self.inUse = inUse.value }
        if let seconds = file.exitWhenIdle { exitWhenIdle = seconds.value }
        restrictions.formUnion((file.restricted ?? []).map(\.restriction))
        merge(file.gpsd)
        if let enabled = file.geoclue?.enabled { geoclue = enabled.value }
        if let time = file.time { self.time = time.settings }
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
        if time?.chronySocket != initial.time?.chronySocket { keys.append("time.chrony-socket") }
        if time?.pulseDevice != initial.time?.pulseDevice { keys.append("time.pps") }
        if time?.pulseSocket != initial.time?.pulseSocket { keys.append("time.chrony-pps-socket") }
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
    var time: Time?

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
        var delay: Checked<DelayRule>?
        var owner: Checked<UserRule>?

        var entry: ServiceSettings.ReceiverEntry {
            .init(source: source.value, name: name, power: power?.value, delay: delay?.value, owner: owner?.value)
        }

        enum CodingKeys: String, CodingKey {
            case source, name, power, delay, owner
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            source = try container.decode(Checked<SourceRule>.self, forKey: .source)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            power = try container.decodeIfPresent(Checked<PowerRule>.self, forKey: .power)
            delay = try container.decodeIfPresent(Checked<DelayRule>.self, forKey: .delay)
            owner = try container.decodeIfPresent(Checked<UserRule>.self, forKey: .owner)
            let (isAtPort, isAtSocket) =
                switch source.value {
                case .serial, .usb: (true, false)
                case .socket: (false, true)
                case .gpsd, .modem, .bluetooth, .fixed, .simulated, .replay: (false, false)
                }
            try refuse(
                .power, if: power != nil && !isAtPort, "only a receiver at a serial port accepts commands", decoder)
            try refuse(
                .delay, if: delay != nil && !isAtPort, "only the time of a receiver at a serial port is passed on",
                decoder)
            try refuse(.owner, if: owner != nil && !isAtSocket, "only a socket belongs to a user", decoder)
        }

        private func refuse(_ key: CodingKeys, if isPresent: Bool, _ why: String, _ decoder: any Decoder) throws {
            guard isPresent else { return }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [key],
                    debugDescription: "\(why): leave \(key.stringValue) out"))
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

    /// The receivers' time for chrony.
    struct Time: Decodable {
        var settings: TimeSettings

        enum CodingKeys: String, CodingKey {
            case pps
            case socket = "chrony-socket"
            case pulseSocket = "chrony-pps-socket"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let socket = try container.decodeIfPresent(Checked<SocketPathRule>.self, forKey: .socket)?.value
            let device = try container.decodeIfPresent(Checked<DevicePathRule>.self, forKey: .pps)?.value
            let pulseSocket = try container.decodeIfPresent(Checked<SocketPathRule>.self, forKey: .pulseSocket)?.value
            func mistake(_ key: CodingKeys, _ message: String) -> DecodingError {
                .dataCorrupted(.init(codingPath: decoder.codingPath + [key], debugDescription: message))
            }
            guard let socket else {
                throw mistake(.socket, "the key is missing: name the socket that chronyd creates for the epochs")
            }
            if pulseSocket != nil, device == nil {
                throw mistake(.pulseSocket, "there are no pulses without pps: name the receiver's PPS device")
            }
            if pulseSocket == socket {
                throw mistake(.pulseSocket, "chrony needs a socket of its own for the pulses: use another path")
            }
            settings = TimeSettings(chronySocket: socket, pulseDevice: device, pulseSocket: pulseSocket)
        }
    }

    enum CodingKeys: String, CodingKey {
        case receiver, discover, limits, restricted, gpsd, geoclue, time
        case logLevel = "log-level"
        case inUse = "in-use"
        case exitWhenIdle = "exit-when-idle"
    }
}
