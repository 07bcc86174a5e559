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
        if let seconds = file.exitWhenIdle { exitWhenIdle = seconds.value.seconds }
        restrictions.formUnion((file.restricted ?? []).map(\.restriction))
    }
}

/// The contents of one configuration file.
struct ConfigurationFile: Decodable {
    var receiver: [Receiver]?
    var discover: Checked<Bool>?
    var limits: Limits?
    var logLevel: Checked<Logger.Level>?
    var inUse: Checked<ServiceSettings.InUse>?
    var exitWhenIdle: Checked<IdleTime>?
    var restricted: [Restricted]?

    /// An app that may not have the location, either of one user or of all users.
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
                    debugDescription: "only a receiver at a serial port accepts commands: leave power out"))
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

/// A value that is checked while it is decoded, so that an error can name its place.
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

/// A value that is restricted further than the type in which it is written.
protocol CheckedValue {
    /// The type in which the value is written.
    associatedtype Written: Decodable
    /// Creates the value from its written form.
    ///
    /// - Throws: `InvalidValue`, which describes what is allowed.
    init(checking written: Written) throws
}

/// The error for an invalid value, with what is allowed instead.
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

/// An app as shown by `locationctl apps`, or `*` for every app.
struct RestrictedApp: CheckedValue {
    let app: AppIdentity?

    init(checking written: String) throws {
        app = AppIdentity(written)
        guard app != nil || written == "*" else {
            throw InvalidValue(
                message: "\"\(written)\" is not an app: "
                    + "use exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME, service:NAME or *")
        }
    }
}

/// A user ID.
struct UserID: CheckedValue {
    let uid: UInt32

    init(checking written: Int) throws {
        guard let uid = UInt32(exactly: written) else {
            throw InvalidValue(message: "\(written) is not a user id: use a whole number from 0 to 4294967295")
        }
        self.uid = uid
    }
}

/// The time after which an idle daemon ends, in seconds.
struct IdleTime: CheckedValue {
    static let allowed = 1...86_400

    let seconds: Int

    init(checking written: Int) throws {
        guard Self.allowed.contains(written) else {
            throw InvalidValue(
                message: "\(written) is out of range: use a whole number of seconds from 1 to 86400")
        }
        seconds = written
    }
}

extension ServiceSettings.InUse: CheckedValue {
    init(checking written: String) throws {
        guard let value = Self(rawValue: written) else {
            throw InvalidValue(message: "\"\(written)\" is not known: use session or connected")
        }
        self = value
    }
}

extension ReceiverPower: CheckedValue {
    init(checking written: String) throws {
        guard let power = ReceiverPower(rawValue: written) else {
            let allowed = ReceiverPower.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue(message: "there are no commands for \"\(written)\": use one of \(allowed)")
        }
        self = power
    }
}

/// Conforms so that ``Checked`` can wrap it, and an error about its type can name its place.
extension Bool: CheckedValue {
    init(checking written: Bool) {
        self = written
    }
}

extension Int: CheckedValue {
    static let allowedConnections = 1...100_000

    init(checking written: Int) throws {
        guard Self.allowedConnections.contains(written) else {
            throw InvalidValue(message: "\(written) is out of range: use a whole number from 1 to 100000")
        }
        self = written
    }
}

extension Logger.Level: CheckedValue {
    init(checking written: String) throws {
        guard let level = Logger.Level(rawValue: written) else {
            let allowed = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue(message: "\"\(written)\" is not a log level: use one of \(allowed)")
        }
        self = level
    }
}
