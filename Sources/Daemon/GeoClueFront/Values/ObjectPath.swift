internal import Bytewise

/// The number of a client object among those of its connection. It begins with 1, and is never reused.
typealias ClientNumber = UInt64

/// The path of one of GeoClue's objects.
enum ObjectPath: Hashable {
    case manager
    case client(ClientNumber)
    /// A location object of a client. Location objects are numbered from 0.
    case location(ClientNumber, UInt64)
    /// A parent of the manager without an interface of its own, and the name of its child.
    case parent(child: String)

    private static let prefix = "/org/freedesktop/GeoClue2"
    private static let managerPath = prefix + "/Manager"
    private static let clientPrefix = prefix + "/Client/"
    /// The maximum length of a path, in bytes: it has two numbers of 20 digits.
    private static let maximumLength = clientPrefix.utf8.count + "/Location/".utf8.count + 2 * 20

    /// The path of the object that a desktop shell exports on its own connection and this daemon calls.
    static let agent = prefix + "/Agent"
    /// The path that means "no object".
    static let none = "/"

    /// Parses a path. Returns `nil` if it cannot be the path of one of these objects.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        if text.isBytewiseEqual(to: Self.managerPath) {
            self = .manager
        } else if let child = Self.child(of: text) {
            self = .parent(child: child)
        } else {
            guard text.utf8.starts(with: Self.clientPrefix.utf8) else { return nil }
            let parts = text.utf8.dropFirst(Self.clientPrefix.utf8.count)
                .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
            switch parts.count {
            case 1:
                guard let client = Self.number(parts[0]) else { return nil }
                self = .client(client)
            case 3 where parts[1].isBytewiseEqual(to: "Location"):
                guard let client = Self.number(parts[0]), let location = Self.number(parts[2]) else { return nil }
                self = .location(client, location)
            default: return nil
            }
        }
    }

    /// The path as text.
    var text: String {
        switch self {
        case .manager: Self.managerPath
        case .client(let client): "\(Self.clientPrefix)\(client)"
        case .location(let client, let location): "\(Self.clientPrefix)\(client)/Location/\(location)"
        case .parent(let child): Self.parent(of: child)
        }
    }

    private static let components = ["org", "freedesktop", "GeoClue2", "Manager"]

    /// Returns the name below `path` on the way to the manager, or `nil` if `path` is not on it.
    private static func child(of path: String) -> String? {
        components.first { parent(of: $0).isBytewiseEqual(to: path) }
    }

    private static func parent(of child: String) -> String {
        "/" + components.prefix { $0 != child }.joined(separator: "/")
    }

    /// Parses a number. Accepts neither a sign nor a leading zero, so that no two paths name one object.
    private static func number(_ text: Substring) -> UInt64? {
        let digits = text.utf8
        guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { return nil }
        return UInt64(text)
    }
}
