internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import Logging
internal import Receivers

/// What the configuration files say, all of them together. locationd.toml(5) describes the keys.
struct Configuration {
    /// In the order in which they are preferred.
    var receivers: [ServiceSettings.ReceiverEntry] = []
    /// A Boolean value indicating whether every receiver that udev knows is used too, after those; `nil`: only where
    /// there are no others.
    var discover: Bool?
    var limits = Limits()
    var logLevel: Logger.Level = .info
    var inUse = ServiceSettings.InUse.session
    /// After how many seconds without anything to do the daemon ends, where the service manager has its sockets.
    var exitWhenIdle: Int?
    /// What nobody can grant.
    var restrictions: Set<Restriction> = []

    /// Adds what a further file says: its receivers come after the others, its other keys replace theirs.
    mutating func merge(_ file: ConfigurationFile) {
        receivers += (file.receiver ?? []).map { .init(source: $0.source.value, name: $0.name, power: $0.power?.value) }
        if let discover = file.discover { self.discover = discover.value }
        if let count = file.limits?.connectionsPerUser { limits.connectionsPerUser = count.value }
        if let level = file.logLevel { logLevel = level.value }
        if let inUse = file.inUse { self.inUse = inUse.value }
        if let seconds = file.exitWhenIdle { exitWhenIdle = seconds.value.seconds }
        restrictions.formUnion((file.restricted ?? []).map(\.restriction))
    }
}

/// One configuration file as it is written.
struct ConfigurationFile: Decodable {
    var receiver: [Receiver]?
    var discover: Checked<Bool>?
    var limits: Limits?
    var logLevel: Checked<Logger.Level>?
    var inUse: Checked<ServiceSettings.InUse>?
    var exitWhenIdle: Checked<IdleTime>?
    var restricted: [Restricted]?

    /// An app that may not have the location, of one user or of all.
    struct Restricted: Decodable {
        var app: Checked<RestrictedApp>
        var uid: Checked<UserID>?

        var restriction: Restriction { Restriction(app: app.value.app, uid: uid?.value.uid) }
    }

    struct Receiver: Decodable {
        var source: Checked<ReceiverSpecification>
        var name: String?
        var power: Checked<ReceiverPower>?

        enum CodingKeys: String, CodingKey {
            case source, name, power
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            source = try container.decode(Checked<ReceiverSpecification>.self, forKey: .source)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            power = try container.decodeIfPresent(Checked<ReceiverPower>.self, forKey: .power)
            guard power != nil else { return }
            switch source.value {
            case .serial, .usb: return
            case .gpsd, .simulated, .replay: break
            }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [CodingKeys.power],
                    debugDescription: "only a receiver at a serial port takes commands: leave power out"))
        }
    }

    struct Limits: Decodable {
        var connectionsPerUser: Checked<Int>?

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

/// A value that is checked as it is read, so that an error knows its place.
struct Checked<Value: CheckedValue>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            value = try Value(checking: try container.decode(Value.Written.self))
        } catch let error as InvalidValue {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.message))
        }
    }
}

/// A value that not everything of the right type is.
protocol CheckedValue {
    /// How it is written.
    associatedtype Written: Decodable
    /// Throws `InvalidValue`, which says what is allowed.
    init(checking written: Written) throws
}

/// What is wrong with a value, and what is allowed in its place.
struct InvalidValue: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

extension ReceiverSpecification: CheckedValue {
    init(checking written: String) throws {
        do {
            try self.init(parsing: written)
        } catch {
            throw InvalidValue(message: "\(error)")
        }
    }
}

/// An app as `locationctl apps` shows it, or `*` for every app.
struct RestrictedApp: CheckedValue {
    let app: AppIdentity?

    init(checking written: String) throws {
        app = AppIdentity(written)
        guard app != nil || written == "*" else {
            throw InvalidValue(
                message:
                    "\"\(written)\" is no app: exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME, service:NAME or * is allowed"
            )
        }
    }
}

/// A user, by number.
struct UserID: CheckedValue {
    let uid: UInt32

    init(checking written: Int) throws {
        guard let uid = UInt32(exactly: written) else {
            throw InvalidValue(message: "\(written) is no user id: a whole number from 0 to 4294967295 is allowed")
        }
        self.uid = uid
    }
}

/// How long the daemon waits for something to do, in seconds.
struct IdleTime: CheckedValue {
    static let allowed = 1...86_400

    let seconds: Int

    init(checking written: Int) throws {
        guard Self.allowed.contains(written) else {
            throw InvalidValue(
                message: "\(written) is not in the range: a whole number of seconds from 1 to 86400 is allowed")
        }
        seconds = written
    }
}

extension ServiceSettings.InUse: CheckedValue {
    init(checking written: String) throws {
        guard let value = Self(rawValue: written) else {
            throw InvalidValue(message: "\"\(written)\" is not known: session or connected is allowed")
        }
        self = value
    }
}

extension ReceiverPower: CheckedValue {
    init(checking written: String) throws {
        guard let power = ReceiverPower(rawValue: written) else {
            let allowed = ReceiverPower.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue(message: "no commands for \"\(written)\": one of \(allowed) is allowed")
        }
        self = power
    }
}

/// Wrapped so that an error of its type knows its place.
extension Bool: CheckedValue {
    init(checking written: Bool) {
        self = written
    }
}

extension Int: CheckedValue {
    static let allowedConnections = 1...100_000

    init(checking written: Int) throws {
        guard Self.allowedConnections.contains(written) else {
            throw InvalidValue(message: "\(written) is not in the range: a whole number from 1 to 100000 is allowed")
        }
        self = written
    }
}

extension Logger.Level: CheckedValue {
    init(checking written: String) throws {
        guard let level = Logger.Level(rawValue: written) else {
            let allowed = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue(message: "no log level \"\(written)\": one of \(allowed) is allowed")
        }
        self = level
    }
}
