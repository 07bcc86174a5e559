package import NMEARelay

/// The address of an NTRIP caster, as the key `caster` states it: `ntrip://HOST:PORT/MOUNT` or `ntrips://…`, for TLS.
package struct CasterAddress: Sendable, Hashable {
    package let host: HostAndPort
    /// A Boolean value indicating whether the connection uses TLS. It never depends on the port: casters without TLS
    /// exist on each port that is usual for it.
    package let usesTLS: Bool
    /// The name of the mount point, or `nil` if the address does not have one.
    package let mount: String?

    /// Parses an address. The default port is 2101, which IANA has assigned, or 2102 with TLS.
    package init(parsing text: String) throws(InvalidAddress) {
        guard let scheme = ["ntrip://", "ntrips://"].first(where: text.hasPrefix) else {
            throw InvalidAddress("\"\(text)\" is not a caster: use ntrip://HOST:PORT/MOUNT or ntrips://HOST:PORT/MOUNT")
        }
        usesTLS = scheme == "ntrips://"
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard !authority.contains("@") else {
            throw InvalidAddress("a caster's address has no user and password: see CREDENTIALS in locationd-ntrip(8)")
        }
        host = try HostAndPort(parsing: authority, in: text, defaultPort: usesTLS ? 2102 : 2101)
        let path = rest.dropFirst(authority.count + 1)
        mount = path.isEmpty ? nil : try Self.mount(String(path))
    }

    /// Returns the address of a mount point of the same caster.
    package func with(mount: String) throws(InvalidAddress) -> CasterAddress {
        try CasterAddress(parsing: "\(usesTLS ? "ntrips" : "ntrip")://\(authority)/\(mount)")
    }

    /// Returns a mount point's name if it is one.
    ///
    /// Attack: a caster's table has a name with a line break, and the text after it becomes a header of the request.
    package static func mount(_ name: String) throws(InvalidAddress) -> String {
        guard isMount(name) else {
            throw InvalidAddress(
                "\"\(name)\" is not a mount point: its name has only letters, digits, \"-\", \"_\", \".\"")
        }
        return name
    }

    static func isMount(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_.".utf8.contains(byte)
                }
            }
    }
}

extension CasterAddress: CustomStringConvertible {
    /// The host and the port, as in a URL.
    package var authority: String { HostAndPort.text(host.host, host.port) }

    package var description: String { "\(usesTLS ? "ntrips" : "ntrip")://\(authority)/\(mount ?? "")" }
}
