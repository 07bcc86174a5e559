public import LocationModel

/// The name of a manifest's file: the app's identity and `.toml`. The path of an executable is escaped as
/// `systemd-escape --path` does.
///
/// | app | file |
/// |---|---|
/// | `flatpak:org.gnome.Maps` | `flatpak:org.gnome.Maps.toml` |
/// | `service:chrony` | `service:chrony.toml` |
/// | `exe:/usr/bin/foo` | `exe:usr-bin-foo.toml` |
/// | `exe:/opt/my-app/run` | `exe:opt-my\x2dapp-run.toml` |
///
/// The file name identifies the app, rather than a key inside the file. So two packages cannot both ship a manifest for
/// one app unnoticed, and an administrator overrides a manifest with a file of the same name, as usual. An app whose
/// file name would be longer than 255 bytes cannot have a manifest.
public enum ManifestName {
    /// A reason why a file is not the manifest of any app.
    public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The name does not identify an app.
        case noApp
        /// The name is another spelling of the associated value, which is the right name.
        case notCanonical(String)

        /// The reason, and the allowed names.
        public var description: String {
            switch self {
            case .noApp:
                "the name does not identify an app: use flatpak:ID.toml, snap:NAME.toml, service:NAME.toml, "
                    + "app:ID.toml, or exe: with the path that systemd-escape --path prints, as in exe:usr-bin-foo.toml"
            case .notCanonical(let name): "must be called \(name)"
            }
        }
    }

    /// Returns the name of the app's manifest file.
    public static func file(of app: AppIdentity) -> String {
        "\(app.kind.rawValue):\(app.kind == .exe ? escaped(app.name) : app.name).toml"
    }

    /// Returns the app whose manifest file has this name.
    public static func app(ofFile name: String) throws(Problem) -> AppIdentity {
        guard name.hasSuffix(".toml") else { throw .noApp }
        var text = String(name.dropLast(5))
        if let path = text.wholeSuffix(after: "exe:") {
            guard let path = unescaped(path), !path.hasSuffix("/"), !path.contains("//") else { throw .noApp }
            text = "exe:\(path)"
        }
        guard let app = AppIdentity(text) else { throw .noApp }
        // Each app has exactly one name. Otherwise, chance would decide between two files in a folder.
        guard file(of: app) == name else { throw .notCanonical(file(of: app)) }
        return app
    }

    /// Returns an absolute path as a single component of a path, as in systemd.unit(5): `/` becomes `-`, and everything
    /// except letters, digits, `:`, `_` and an inner `.` becomes `\xHH`.
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
        "\\x" + Int(byte).padded(to: 2, radix: 16)
    }

    /// Returns the path, or `nil` if an escape is malformed or the bytes are not UTF-8.
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
    /// Returns the text after `prefix`, or `nil` if the string does not begin with it.
    fileprivate func wholeSuffix(after prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
