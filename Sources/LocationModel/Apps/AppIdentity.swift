internal import Bytewise

/// What a process is to the authorization: the name under which a user grants it something.
///
/// Written `kind:name`: `flatpak:org.gnome.Maps`, `snap:firefox`, `service:chrony`, `app:org.kde.marble`,
/// `exe:/usr/bin/foo`. Two are the same when their bytes are, as the file system and the database have it.
public struct AppIdentity: Sendable {
    /// Where the name comes from, and so how much it is worth.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case flatpak, snap, service, app, exe
    }

    /// How hard the identity is to take on for another process.
    public enum Strength: String, Sendable, Hashable, Codable {
        /// The kernel keeps the process in a sandbox that it cannot leave.
        case sandboxed
        /// A system unit, which only root can make.
        case service
        /// Any process of the same uid can take it on (ptrace, LD_PRELOAD, systemd --user): it separates apps of
        /// one user against accident only.
        case advisory
    }

    /// Where the name comes from.
    public let kind: Kind
    /// The Flatpak or desktop application id, the snap's or unit's name, or the absolute path of the executable.
    public let name: String
    /// Of the name's bytes: an identity is looked up several times for each fix.
    private let nameHash: Int

    /// An identity, if `name` is one that the kind can have.
    ///
    /// Names are at most 4,096 bytes without control characters; an executable's is an absolute path, no other
    /// contains a slash.
    public init?(kind: Kind, name: String) {
        guard !name.isEmpty, name.utf8.count <= 4096,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
            name.utf8.contains(UInt8(ascii: "/")) == (kind == .exe),
            kind != .exe || name.utf8.first == UInt8(ascii: "/")
        else { return nil }
        self.kind = kind
        self.name = name
        nameHash = BytewiseString(name).hashValue
    }

    /// How hard the identity is to take on for another process.
    public var strength: Strength {
        switch kind {
        case .flatpak, .snap: .sandboxed
        case .service: .service
        case .app, .exe: .advisory
        }
    }
}

extension AppIdentity: Hashable {
    /// Returns whether both are of one kind, and their names have the same bytes.
    ///
    /// Attack: a program whose path is canonically equivalent to another one's (`café` with a combining accent, the
    /// KELVIN SIGN for K), and another one in the file system, has what was granted to that.
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

    /// Reads `kind:name`; `nil` when the kind is unknown or the name is none of that kind.
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
    /// The user id that the app runs under.
    public let uid: UInt32
    /// Which app it is.
    public let app: AppIdentity

    /// That app of that user.
    public init(uid: UInt32, app: AppIdentity) {
        self.uid = uid
        self.app = app
    }
}
