internal import Devices
internal import GPSDFront
internal import Glibc
internal import LocationCore
internal import LocationModel
internal import Receivers
internal import ServiceSupport

/// The origin of a receiver's fixes.
enum SourceRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> ReceiverSpecification {
        do { return try ReceiverSpecification(parsing: written) } catch { throw InvalidValue("\(error)") }
    }
}

/// An app as shown by `locationctl apps`, or `*` for every app, which is `nil`.
enum AppRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> AppIdentity? {
        let app = AppIdentity(written)
        guard app != nil || written == "*" else {
            throw InvalidValue(
                "\"\(written)\" is not an app: "
                    + "use exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME, service:NAME or *")
        }
        return app
    }
}

/// A user ID.
enum UserIDRule: ValueRule {
    static func value(of written: Int) throws(InvalidValue) -> UInt32 {
        guard let uid = UInt32(exactly: written) else {
            throw InvalidValue("\(written) is not a user id: use a whole number from 0 to 4294967295")
        }
        return uid
    }
}

/// A user, by name or by number.
enum UserRule: ValueRule {
    /// A user as it is written.
    enum Written: Decodable {
        case name(String)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? container.decode(Int.self)).map { .number($0) } ?? .name(container.decode(String.self))
        }
    }

    static func value(of written: Written) throws(InvalidValue) -> UInt32 {
        switch written {
        case .number(let number): return try UserIDRule.value(of: number)
        case .name(let name):
            guard let user = getpwnam(name) else {
                throw InvalidValue("there is no user \"\(name)\": use the name or the number of one")
            }
            return user.pointee.pw_uid
        }
    }
}

/// The time after which an idle daemon ends, in seconds.
enum IdleTimeRule: ValueRule {
    static func value(of written: Int) throws(InvalidValue) -> Int {
        guard (1...86_400).contains(written) else {
            throw InvalidValue("\(written) is out of range: use a whole number of seconds from 1 to 86400")
        }
        return written
    }
}

/// A number of connections.
enum ConnectionCountRule: ValueRule {
    static func value(of written: Int) throws(InvalidValue) -> Int {
        guard (1...100_000).contains(written) else {
            throw InvalidValue("\(written) is out of range: use a whole number from 1 to 100000")
        }
        return written
    }
}

/// A TCP address on which clients of gpsd are served.
enum ListenAddressRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> ListenAddress {
        do { return try ListenAddress(parsing: written) } catch { throw InvalidValue(error.description) }
    }
}

/// When an app counts as in use.
enum InUseRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> ServiceSettings.InUse {
        guard let value = ServiceSettings.InUse(rawValue: written) else {
            throw InvalidValue("\"\(written)\" is not known: use session or connected")
        }
        return value
    }
}

/// The protocol of a receiver's power commands.
enum PowerRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> ReceiverPower {
        guard let power = ReceiverPower(rawValue: written) else {
            let allowed = ReceiverPower.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue("there are no commands for \"\(written)\": use one of \(allowed)")
        }
        return power
    }
}

/// The delay of a receiver's epochs, in seconds.
enum DelayRule: ValueRule {
    static func value(of written: WrittenNumber) throws(InvalidValue) -> Double {
        guard (0...10).contains(written.value) else {
            throw InvalidValue("\(written.value) is out of range: use a number of seconds from 0 to 10")
        }
        return written.value
    }
}

/// The path of a Unix socket.
enum SocketPathRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> String {
        // unix(7): sun_path has room for 108 bytes, the last of which is NUL.
        guard written.hasPrefix("/"), !written.utf8.contains(0), written.utf8.count <= 107 else {
            throw InvalidValue("\"\(written)\" is not the path of a socket: use an absolute path of at most 107 bytes")
        }
        return written
    }
}

/// The path of a device.
enum DevicePathRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> String {
        guard written.hasPrefix("/"), !written.utf8.contains(0) else {
            throw InvalidValue("\"\(written)\" is not the path of a device: use an absolute path such as /dev/pps0")
        }
        return written
    }
}
