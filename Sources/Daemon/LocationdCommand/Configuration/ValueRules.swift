internal import LocationModel
internal import ServiceSupport

/// An app as shown by `locationctl apps`, or `*`, parsed as `nil`, for every app.
struct AppRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> AppIdentity? {
        let app = AppIdentity(written)
        guard app != nil || written == "*" else {
            throw InvalidValue(
                "\"\(written)\" is not an app: "
                    + "use exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME, service:NAME or *")
        }
        return app
    }
}

/// An absolute path.
struct PathRule: ValueRule {
    /// The thing at the path, with its article.
    private let thing: String
    private let maximumBytes: Int
    private let advice: String

    /// A Unix socket. Its address has room for 108 bytes, with a NUL at the end: unix(7), sun_path.
    static let socket = PathRule(thing: "a socket", maximumBytes: 107, advice: "of at most 107 bytes")
    static let device = PathRule(thing: "a device", maximumBytes: .max, advice: "such as /dev/pps0")

    func value(of written: String) throws(InvalidValue) -> String {
        guard written.hasPrefix("/"), !written.utf8.contains(0), written.utf8.count <= maximumBytes else {
            throw InvalidValue("\"\(written)\" is not the path of \(thing): use an absolute path \(advice)")
        }
        return written
    }
}
