public import LocationModel

/// How a manifest's file is called: the app's identity and `.toml`, with the path of an executable as
/// `systemd-escape --path` writes it.
///
/// | app | file |
/// |---|---|
/// | `flatpak:org.gnome.Maps` | `flatpak:org.gnome.Maps.toml` |
/// | `service:chrony` | `service:chrony.toml` |
/// | `exe:/usr/bin/foo` | `exe:usr-bin-foo.toml` |
/// | `exe:/opt/my-app/run` | `exe:opt-my\x2dapp-run.toml` |
///
/// The name and not a key inside, so that two packages cannot both ship an app's manifest unseen, and an administrator
/// replaces one by a file of the same name, as everywhere. An app whose file would have more than 255 bytes in its name
/// can have none.
public enum ManifestName {
    /// Why a file is nobody's manifest.
    public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The name is that of no app.
        case noApp
        /// The name is another spelling of this one.
        case notAsExpected(String)

        /// The reason, and what is allowed.
        public var description: String {
            switch self {
            case .noApp:
                "the name is no app's: flatpak:ID.toml, snap:NAME.toml, service:NAME.toml, app:ID.toml, or exe: with "
                    + "the path as systemd-escape --path writes it, as in exe:usr-bin-foo.toml, is allowed"
            case .notAsExpected(let name): "has to be called \(name)"
            }
        }
    }

    /// The name of an app's file.
    public static func file(of app: AppIdentity) -> String {
        "\(app.kind.rawValue):\(app.kind == .exe ? escaped(app.name) : app.name).toml"
    }

    /// The app that a file of this name is the manifest of.
    public static func app(ofFile name: String) throws(Problem) -> AppIdentity {
        guard name.hasSuffix(".toml") else { throw .noApp }
        var text = String(name.dropLast(5))
        if let path = text.wholeSuffix(after: "exe:") {
            guard let path = unescaped(path), !path.hasSuffix("/"), !path.contains("//") else { throw .noApp }
            text = "exe:\(path)"
        }
        guard let app = AppIdentity(text) else { throw .noApp }
        // One app, one name: else of two files in a folder one would win by chance.
        guard file(of: app) == name else { throw .notAsExpected(file(of: app)) }
        return app
    }

    /// An absolute path as one part of a path, systemd.unit(5): `/` becomes `-`, and what is not a letter, a digit,
    /// `:`, `_` or an inner `.` becomes `\xHH`.
    private static func escaped(_ path: String) -> String {
        var escaped = ""
        for byte in path.utf8.drop(while: { $0 == slash }) {
            switch byte {
            case slash: escaped += "-"
            case UInt8(ascii: "."):
                escaped += escaped.isEmpty ? hexadecimal(byte) : "."
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += hexadecimal(byte)
            }
        }
        return escaped
    }

    private static let slash = UInt8(ascii: "/")

    private static func hexadecimal(_ byte: UInt8) -> String {
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// The path; `nil` where an escape is none, or the bytes are no text.
    private static func unescaped(_ name: Substring) -> String? {
        var bytes = [slash]
        var rest = name.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(slash)
            case UInt8(ascii: "\\"):
                guard rest.popFirst() == UInt8(ascii: "x"), rest.count >= 2,
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension String {
    /// What follows `prefix`; `nil` where it begins otherwise.
    fileprivate func wholeSuffix(after prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
