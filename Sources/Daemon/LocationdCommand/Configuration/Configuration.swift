internal import AuthorizationPolicy
internal import Devices
internal import GPSDFront
internal import LocationCore
internal import LocationModel
internal import LocationService
internal import Logging
internal import ReceiverSettings
internal import Receivers
internal import ServiceSupport

/// The contents of all configuration files, merged. locationd.toml(5) describes the keys.
struct Configuration {
    /// The receivers, in order of preference.
    var receivers: [ServiceSettings.ReceiverEntry] = []
    /// A Boolean value indicating whether receivers that udev reports are used as well, after the configured ones, or
    /// `nil` to use them only if none is configured.
    var discover: Bool?
    var limits = Limits()
    var logLevel: Logger.Level = .info
    var inUse = ServiceSettings.InUse.session
    /// The idle time in seconds that ends the daemon, or `nil` if it never ends. Has an effect only if the service
    /// manager holds the sockets.
    var exitWhenIdle: Int?
    /// The restrictions. A grant cannot override them.
    var restrictions: Set<Restriction> = []
    /// The sockets for clients of gpsd, or `nil` if the daemon opens none.
    var gpsd: GPSDSettings?
    /// A Boolean value indicating whether GeoClue's name on the system bus is acquired.
    var geoclue = false
    /// The socket for corrections, or `nil` if the daemon accepts none.
    var corrections: CorrectionsSettings?
    /// The receivers' time for chrony, or `nil` if it is not passed on.
    var time: TimeSettings?
    /// The socket of the machine's geocoder, or `nil` if it has none.
    var geocoderSocket: String?
    /// The use of the radio surroundings.
    var surroundings = ServiceSettings.SurroundingsSettings()

    /// The file and line of each receiver's source.
    var places: [ReceiverSpecification: String] = [:]

    /// Merges another file. Its receivers and restrictions are added; its other keys replace those of earlier files.
    mutating func merge(_ file: ConfigurationFile) {
        receivers += (file.receiver ?? []).map(\.entry)
        if let discover = file.discover { self.discover = discover }
        if let count = file.limits?.connectionsPerUser { limits.connectionsPerUser = count }
        if let level = file.logLevel { logLevel = level }
        if let inUse = file.inUse { self.inUse = inUse }
        if let seconds = file.exitWhenIdle { exitWhenIdle = seconds }
        restrictions.formUnion((file.restricted ?? []).map(\.restriction))
        merge(file.gpsd)
        if let enabled = file.geoclue?.enabled { geoclue = enabled }
        if let corrections = file.corrections { self.corrections = corrections.settings }
        if let time = file.time { self.time = time.settings }
        if let socket = file.geocoder?.socket { geocoderSocket = socket }
        if let enabled = file.surroundings?.enabled { surroundings.isUsed = enabled }
        if let scan = file.surroundings?.scan { surroundings.scans = scan }
        if let places = file.surroundings?.places { surroundings.places = places }
    }

    private mutating func merge(_ table: ConfigurationFile.GPSD?) {
        let settings = GPSDSettings(
            listen: table?.listen ?? gpsd?.listen ?? [], socket: table?.socket ?? gpsd?.socket ?? false)
        gpsd = settings.listen.isEmpty && !settings.socket ? nil : settings
    }

    /// Returns the keys that differ from `initial` and take effect only at the daemon's next start.
    func keysThatNeedRestart(since initial: Configuration) -> [String] {
        var keys: [String] = []
        if gpsd?.listen ?? [] != initial.gpsd?.listen ?? [] { keys.append("gpsd.listen") }
        if gpsd?.socket ?? false != initial.gpsd?.socket ?? false { keys.append("gpsd.socket") }
        if geoclue != initial.geoclue { keys.append("geoclue.enabled") }
        if corrections != initial.corrections { keys += ["corrections.enabled", "corrections.user"] }
        if time?.chronySocket != initial.time?.chronySocket { keys.append("time.chrony-socket") }
        if time?.pulseDevice != initial.time?.pulseDevice { keys.append("time.pps") }
        if time?.pulseSocket != initial.time?.pulseSocket { keys.append("time.chrony-pps-socket") }
        return keys
    }
}

/// The contents of one configuration file.
struct ConfigurationFile: Decodable {
    var receiver: [Receiver]?
    var discover: Bool?
    var limits: Limits?
    var logLevel: Logger.Level?
    var inUse: ServiceSettings.InUse?
    var exitWhenIdle: Int?
    var restricted: [Restricted]?
    var gpsd: GPSD?
    var geoclue: GeoClue?
    var corrections: Corrections?
    var time: Time?
    var geocoder: Geocoder?
    var surroundings: Surroundings?

    enum CodingKeys: String, CodingKey {
        case receiver, discover, limits, restricted, gpsd, geoclue, corrections, time, geocoder, surroundings
        case logLevel = "log-level"
        case inUse = "in-use"
        case exitWhenIdle = "exit-when-idle"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        receiver = try container.decodeIfPresent([Receiver].self, forKey: .receiver)
        discover = try container.decodeIfPresent(.discover, by: FlagRule())
        limits = try container.decodeIfPresent(Limits.self, forKey: .limits)
        logLevel = try container.decodeIfPresent(.logLevel, by: .logLevel)
        inUse = try container.decodeIfPresent(
            .inUse,
            by: OneOf<ServiceSettings.InUse> { text, _ in "\"\(text)\" is not known: use session or connected" })
        exitWhenIdle = try container.decodeIfPresent(
            .exitWhenIdle, by: InRange(1...86_400, "a whole number of seconds"))
        restricted = try container.decodeIfPresent([Restricted].self, forKey: .restricted)
        gpsd = try container.decodeIfPresent(GPSD.self, forKey: .gpsd)
        geoclue = try container.decodeIfPresent(GeoClue.self, forKey: .geoclue)
        corrections = try container.decodeIfPresent(Corrections.self, forKey: .corrections)
        time = try container.decodeIfPresent(Time.self, forKey: .time)
        geocoder = try container.decodeIfPresent(Geocoder.self, forKey: .geocoder)
        surroundings = try container.decodeIfPresent(Surroundings.self, forKey: .surroundings)
    }

    /// An app that may not have the location, either of one user or of all users.
    struct Restricted: Decodable {
        var restriction: Restriction

        enum CodingKeys: CodingKey {
            case app, uid
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let app = try container.decode(.app, by: AppRule())
            let users = 0...Int(UInt32.max)
            let uid = try container.decodeIfPresent(
                .uid,
                by: InRange(users) { "\($0) is not a user id: use a whole number from 0 to \(users.upperBound)" })
            restriction = Restriction(app: app, uid: uid.map { UInt32($0) })
        }
    }

    struct Receiver: Decodable {
        var entry: ServiceSettings.ReceiverEntry

        enum CodingKeys: String, CodingKey {
            case source, name, profile, interval, model, constellations, messages, power, assist, corrections, delay
            case owner
            case headingOffset = "heading-offset"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let source = try container.decode(.source, by: Parsed(ReceiverSpecification.init(parsing:)))
            let name = try container.decodeIfPresent(String.self, forKey: .name)
            let profile = try ReceiverProfile(container, decoder)
            let delay = try container.decodeIfPresent(
                .delay,
                by: InRange(
                    0.0...10, refusal: { "\($0) is out of range: use a number of seconds from 0 to 10" }))
            let headingOffset = try container.decodeIfPresent(
                .headingOffset,
                by: InRange(
                    -360.0...360, refusal: { "\($0) is out of range: use a number of degrees from -360 to 360" }))
            let owner = try container.decodeIfPresent(.owner, by: UserRule())
            entry = .init(
                source: source, name: name, profile: profile, delay: delay, headingOffset: headingOffset ?? 0,
                owner: owner)
            let (isAtPort, isAtSocket, isFixed) =
                switch source {
                case .serial, .usb: (true, false, false)
                case .socket: (false, true, false)
                case .fixed: (false, false, true)
                case .gpsd, .modem, .bluetooth, .simulated, .replay: (false, false, false)
                }
            try refuse(
                .corrections, if: profile?.takesCorrections != nil && !isAtPort,
                "only a receiver at a serial port gets corrections", decoder)
            try refuse(
                .profile, if: profile != nil && !isAtPort, "only a receiver at a serial port accepts commands", decoder)
            try refuse(
                .delay, if: delay != nil && !isAtPort, "only the time of a receiver at a serial port is passed on",
                decoder)
            try refuse(.headingOffset, if: headingOffset != nil && isFixed, "a fixed place has no heading", decoder)
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
        var connectionsPerUser: Int?

        enum CodingKeys: String, CodingKey {
            case connectionsPerUser = "connections-per-user"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            connectionsPerUser = try container.decodeIfPresent(
                .connectionsPerUser, by: InRange(1...100_000, "a whole number"))
        }
    }

    /// The sockets for clients of gpsd.
    struct GPSD: Decodable {
        var listen: [ListenAddress]?
        var socket: Bool?

        enum CodingKeys: String, CodingKey {
            case listen, socket
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            listen = try container.decodeListIfPresent(.listen, by: Parsed(ListenAddress.init(parsing:)))
            socket = try container.decodeIfPresent(.socket, by: FlagRule())
            var seen: Set<ListenAddress> = []
            for address in listen ?? [] where !seen.insert(address).inserted {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [CodingKeys.listen],
                        debugDescription: "\(address) is there twice: name each address once"))
            }
        }
    }

    /// The radio surroundings.
    struct Surroundings: Decodable {
        var enabled: Bool?
        var scan: Bool?
        var places: Bool?

        enum CodingKeys: CodingKey {
            case enabled, scan, places
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            enabled = try container.decodeIfPresent(.enabled, by: FlagRule())
            scan = try container.decodeIfPresent(.scan, by: FlagRule())
            places = try container.decodeIfPresent(.places, by: FlagRule())
        }
    }

    /// GeoClue's interface on the system bus.
    struct GeoClue: Decodable {
        var enabled: Bool?

        enum CodingKeys: CodingKey {
            case enabled
        }

        init(from decoder: any Decoder) throws {
            enabled = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(.enabled, by: FlagRule())
        }
    }

    /// The machine's geocoder, for apps to connect to.
    struct Geocoder: Decodable {
        var socket: String?

        enum CodingKeys: CodingKey {
            case socket
        }

        init(from decoder: any Decoder) throws {
            socket = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(.socket, by: PathRule.socket)
        }
    }

    /// The socket for corrections.
    struct Corrections: Decodable {
        var settings: CorrectionsSettings?

        enum CodingKeys: CodingKey {
            case enabled, user
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let user = try container.decodeIfPresent(.user, by: UserRule())
            let isEnabled = try container.decodeIfPresent(.enabled, by: FlagRule()) ?? false
            settings = isEnabled ? CorrectionsSettings(user: user) : nil
        }
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
            let socket = try container.decodeIfPresent(.socket, by: PathRule.socket)
            let device = try container.decodeIfPresent(.pps, by: PathRule.device)
            let pulseSocket = try container.decodeIfPresent(.pulseSocket, by: PathRule.socket)
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
}
