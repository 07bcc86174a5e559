/// The units that a process' control group names, as systemd lays them out.
///
/// Sources: cgroups(7) for the lines; systemd.unit(5) for the escapes; "Desktop Environment Integration" of systemd's
/// documentation for the names of app units.
struct ControlGroup {
    /// The components of the path, outermost first.
    private let components: [Substring]

    /// Reads the contents of `/proc/PID/cgroup`: the unified hierarchy (`0::/…`), else systemd's own named one.
    init(_ procFile: String) {
        let lines = procFile.split(separator: "\n")
        let line =
            lines.first { $0.hasPrefix("0::/") && $0.count > 4 } ?? lines.first { $0.contains(":name=systemd:/") }
        components = line.map { $0.split(separator: "/").dropFirst().map { $0 } } ?? []
    }

    /// The innermost `.scope` or `.service`.
    private var unit: Substring? {
        components.last { $0.hasSuffix(".scope") || $0.hasSuffix(".service") }
    }

    /// `app-flatpak-ID-PID.scope`, or as older versions of Flatpak name it, `flatpak-ID-PID.scope`.
    var flatpakID: String? {
        guard let unit, unit.hasSuffix(".scope") else { return nil }
        for prefix in ["app-flatpak-", "flatpak-"] where unit.hasPrefix(prefix) {
            let parts = unit.dropFirst(prefix.count).dropLast(6).split(separator: "-")
            guard parts.count >= 2 else { return nil }
            return Self.unescaped(parts.dropLast().joined(separator: "-"))
        }
        return nil
    }

    /// `snap.NAME.APP.….scope` or `snap.NAME.APP.service`.
    var snapName: String? {
        guard let unit, unit.hasPrefix("snap.") else { return nil }
        let parts = unit.split(separator: ".")
        return parts.count >= 4 ? String(parts[1]) : nil
    }

    /// `/system.slice/NAME.service`, also in a slice below it.
    var systemServiceName: String? {
        guard components.first == "system.slice",
            let service = components.first(where: { $0.hasSuffix(".service") })
        else { return nil }
        return Self.unescaped(String(service.dropLast(8)))
    }

    /// The application id of an app unit below the user manager of `uid`: `app[-LAUNCHER]-ID-RANDOM.scope`,
    /// `app[-LAUNCHER]-ID[@RANDOM].service` or `app-LAUNCHER-ID-RANDOM.service`.
    ///
    /// A unit of another user's manager names nothing: sudo leaves a root process in the caller's unit.
    func userAppID(uid: UInt32) -> String? {
        guard components.contains("user@\(uid).service"), let unit, unit.hasPrefix("app-") else { return nil }
        let isScope = unit.hasSuffix(".scope")
        var body = unit.dropFirst(4).dropLast(isScope ? 6 : 8)
        if !isScope, let at = body.firstIndex(of: "@") { body = body[..<at] }
        let parts = body.split(separator: "-")
        let id: Substring? =
            switch (isScope, parts.count) {
            case (true, 2): parts[0]
            case (true, 3): parts[1]
            case (false, 1): parts[0]
            case (false, 2), (false, 3): parts[1]
            default: nil
            }
        return id.map { Self.unescaped(String($0)) }
    }

    /// Undoes systemd's `\xHH`.
    private static func unescaped(_ name: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3, rest.first == UInt8(ascii: "x"),
                let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
