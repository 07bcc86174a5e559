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

/// The path of a Unix socket.
struct SocketPathRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> String {
        // unix(7): sun_path has room for 108 bytes, with a NUL at the end.
        guard written.hasPrefix("/"), !written.utf8.contains(0), written.utf8.count <= 107 else {
            throw InvalidValue("\"\(written)\" is not the path of a socket: use an absolute path of at most 107 bytes")
        }
        return written
    }
}

/// The path of a device.
struct DevicePathRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> String {
        guard written.hasPrefix("/"), !written.utf8.contains(0) else {
            throw InvalidValue("\"\(written)\" is not the path of a device: use an absolute path such as /dev/pps0")
        }
        return written
    }
}
