/// The address of the server that reports are sent to: `mqtt://HOST:PORT`, `mqtts://HOST:PORT`,
/// `http://HOST:PORT/PATH`, `https://HOST:PORT/PATH`.
package struct BrokerAddress: Sendable, Equatable {
    /// The protocol of the server.
    package enum Scheme: String, Sendable, CaseIterable {
        /// MQTT without encryption.
        case mqtt
        /// MQTT over TLS.
        case mqtts
        /// HTTP without encryption.
        case http
        /// HTTP over TLS.
        case https

        /// The default port.
        var standardPort: UInt16 {
            switch self {
            case .mqtt: 1883
            case .mqtts: 8883
            case .http: 80
            case .https: 443
            }
        }

        /// A Boolean value indicating whether the protocol is HTTP, with encryption or without.
        package var isHTTP: Bool { self == .http || self == .https }
        /// A Boolean value indicating whether connections are encrypted.
        package var usesTLS: Bool { self == .mqtts || self == .https }
    }

    /// The reason why a text is not an address, with the permitted forms.
    package struct Failure: Error, CustomStringConvertible {
        /// The fault and its remedy.
        package let description: String
    }

    /// The protocol.
    package let scheme: Scheme
    /// The name or the IP address of the host; an IPv6 address without brackets.
    package let host: String
    /// The port.
    package let port: UInt16
    /// The path of an HTTP server, which begins with a slash. `/` for MQTT.
    package let path: String

    /// Parses an address. The default port is 1883 for mqtt, 8883 for mqtts, 80 for http and 443 for https.
    package init(parsing text: String) throws(Failure) {
        // Before anything else: other errors quote the text.
        guard !text.contains("@") else {
            throw Failure(
                description:
                    "the address must not contain a user or a password: pass them as credentials of the service")
        }
        guard let parts = Self.cut(text, at: "://"), let scheme = Scheme(rawValue: parts.before) else {
            throw Failure(
                description:
                    "\"\(text)\" is not an address: use mqtt://HOST:PORT, mqtts://HOST:PORT, http://HOST:PORT/PATH or "
                    + "https://HOST:PORT/PATH")
        }
        let (authority, path) = Self.split(parts.after, before: "/")
        guard path.isEmpty || path == "/" || scheme.isHTTP else {
            throw Failure(description: "an address of \(scheme) has no path: put the topic into the key topic")
        }
        guard path.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw Failure(description: "the path of the address must be percent-encoded ASCII without a fragment")
        }
        let (host, port) = try Self.hostAndPort(authority)
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.standardPort
        self.path = path.isEmpty ? "/" : path
    }

    private static func hostAndPort(_ authority: String) throws(Failure) -> (String, UInt16?) {
        var host = authority
        var portText = ""
        if authority.hasPrefix("[") {
            guard let parts = cut(String(authority.dropFirst()), at: "]") else {
                throw Failure(description: "the IPv6 address lacks its closing bracket")
            }
            host = parts.before
            portText = parts.after
        } else {
            (host, portText) = split(authority, before: ":")
        }
        let isPlausible = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-_:%".utf8.contains(byte)
            }
        }
        guard !host.isEmpty, host.utf8.count <= 253, isPlausible else {
            throw Failure(description: "\"\(host)\" is not the name or the IP address of a host")
        }
        guard !portText.isEmpty else { return (host, nil) }
        let digits = portText.utf8.dropFirst()
        guard portText.hasPrefix(":"), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(String(portText.dropFirst())), port > 0
        else { throw Failure(description: "the port must be a whole number from 1 to 65535") }
        return (host, port)
    }

    /// Returns the texts before and after the first occurrence of a separator, or `nil` if there is none.
    private static func cut(_ text: String, at separator: String) -> (before: String, after: String)? {
        let (bytes, mark) = (Array(text.utf8), Array(separator.utf8))
        guard bytes.count >= mark.count else { return nil }
        for start in 0...(bytes.count - mark.count) where bytes[start..<start + mark.count] == mark[...] {
            return (
                String(decoding: bytes[..<start], as: UTF8.self),
                String(decoding: bytes[(start + mark.count)...], as: UTF8.self)
            )
        }
        return nil
    }

    /// Splits a text before the first occurrence of a character.
    private static func split(_ text: String, before character: Character) -> (String, String) {
        let index = text.firstIndex(of: character) ?? text.endIndex
        return (String(text[..<index]), String(text[index...]))
    }
}

extension BrokerAddress: CustomStringConvertible {
    /// The address as in the configuration, with its port, for messages and logs.
    ///
    /// Attack: any user may read the service's status, and the query contains an API key.
    package var description: String {
        let (path, query) = Self.split(path, before: "?")
        return authority + (path == "/" ? "" : path) + (query.isEmpty ? "" : "?...")
    }

    /// The whole address, for requests.
    package var url: String { authority + path }

    private var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(host):\(port)"
    }
}
