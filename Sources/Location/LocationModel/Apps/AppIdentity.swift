internal import Bytewise

/// The identity of a process for authorization. A user grants the location to this name.
///
/// Written `kind:name`: `flatpak:org.gnome.Maps`, `snap:firefox`, `service:chrony`, `app:org.kde.marble`,
/// `exe:/usr/bin/foo`. Two identities are equal if their bytes are, as in the file system and the database.
public struct AppIdentity: Sendable {
    /// The source of the name, which determines how far it can be trusted.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case flatpak, snap, service, app, exe
    }

    /// The degree to which an identity resists impersonation by another process.
    public enum Strength: String, Sendable, Hashable, Codable {
        /// The kernel keeps the process in a sandbox that it cannot leave.
        case sandboxed
        /// The process belongs to a system unit, which only root can create.
        case service
        /// Any process of the same uid can assume the identity (ptrace, LD_PRELOAD, systemd --user). It separates the
        /// apps of one user from each other against accidents only.
        case advisory
    }

    /// The source of the name.
    public let kind: Kind
    /// The Flatpak or desktop application ID, the name of the snap or unit, or the absolute path of the executable.
    public let name: String
    /// The hash of the name's bytes, kept because an identity is looked up several times for each fix.
    private let nameHash: Int

    /// Creates an identity, or `nil` if `name` is not valid for the kind.
    ///
    /// A name has 1 to 4,096 bytes and no control characters. An executable's name is an absolute path; no other name
    /// contains a slash.
    public init?(kind: Kind, name: String) {
        guard !name.isEmpty, name.utf8.count <= 4096,
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }),
            name.utf8.contains(UInt8(ascii: "/")) == (kind == .exe),
            kind != .exe || name.utf8.first == UInt8(ascii: "/")
        else { return nil }
        self.kind = kind
        self.name = name
        nameHash = BytewiseString(name).hashValue
    }

    /// The degree to which the identity resists impersonation by another process.
    public var strength: Strength {
        switch kind {
        case .flatpak, .snap: .sandboxed
        case .service: .service
        case .app, .exe: .advisory
        }
    }
}

extension AppIdentity: Hashable {
    /// Returns whether both have the same kind, and names with the same bytes.
    ///
    /// Attack: the path of a program differs from a granted program's path in the file system, but is canonically
    /// equivalent to it (`café` with a combining accent, the KELVIN SIGN for K). The program receives what was granted
    /// to the other one.
    public static func == (a: AppIdentity, b: AppIdentity) -> Bool {
        a.nameHash == b.nameHash && a.kind == b.kind && a.name.isBytewiseEqual(to: b.name)
    }

    /// Hashes the kind and the name's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(nameHash)
    }
}

extension AppIdentity: CustomStringConvertible, LosslessStringConvertible {
    /// `kind:name`.
    public var description: String { "\(kind.rawValue):\(name)" }

    /// Parses `kind:name`. Returns `nil` if the kind is unknown or the name is not valid for it.
    public init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let kind = Kind.allCases.first(where: { $0.rawValue.isBytewiseEqual(to: text[..<colon]) })
        else {
            return nil
        }
        self.init(kind: kind, name: String(text[text.utf8.index(after: colon)...]))
    }
}

/// The unit of authorization: an app as one user runs it.
public struct AppKey: Sendable, Hashable {
    /// The ID of the user who runs the app.
    public let uid: UInt32
    /// The identity of the app.
    public let app: AppIdentity

    /// Creates the key of an app that a user runs.
    public init(uid: UInt32, app: AppIdentity) {
        self.uid = uid
        self.app = app
    }
}
