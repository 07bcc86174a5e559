/// The units that a process' control group names, as systemd lays them out.
///
/// Sources: cgroups(7) for the lines; systemd.unit(5) for the escapes; "Desktop Environment Integration" of systemd's
/// documentation for the names of app units.
///
/// A name counts only where systemd puts it. Attack: who was given a part of the tree to manage (every user below
/// `user@UID.service`, the root of a container below its scope) makes groups there with names of his choice, such as
/// `chrony.service`. So a path is read from its root on, through slices, up to the first unit; what is below that is
/// the unit's own affair and names nothing.
struct ControlGroup {
    /// The components of the path, outermost first.
    private let components: [Substring]

    /// Reads the contents of `/proc/PID/cgroup`: the unified hierarchy (`0::/…`), else systemd's own named one.
    init(_ procFile: String) {
        var paths: [Substring: Substring] = [:]
        for line in procFile.split(separator: "\n") {
            // Attack: a path may contain what looks like the controllers of another line.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            if fields.count == 3, fields[1].isEmpty || fields[1] == "name=systemd" { paths[fields[1]] = fields[2] }
        }
        let unified = paths[""].flatMap { $0 == "/" ? nil : $0 }
        components = (unified ?? paths["name=systemd"] ?? "").split(separator: "/")
    }

    /// The first unit below some slices, from the `index`-th component on.
    private func unit(from index: Int) -> Substring? {
        let unit = components.dropFirst(index).first { !$0.hasSuffix(".slice") }
        return unit.flatMap { $0.hasSuffix(".scope") || $0.hasSuffix(".service") ? $0 : nil }
    }

    private var systemUnit: Substring? {
        components.first == "system.slice" ? unit(from: 1) : nil
    }

    /// The unit that the user manager of `uid` started. One of another user's manager names nothing: sudo leaves a root
    /// process in the caller's unit.
    private func userUnit(uid: UInt32) -> Substring? {
        let manager = ["user.slice", "user-\(uid).slice", "user@\(uid).service"]
        return components.starts(with: manager, by: ==) ? unit(from: manager.count) : nil
    }

    /// `app-flatpak-ID-PID.scope`, or as older versions of Flatpak name it, `flatpak-ID-PID.scope`.
    func flatpakID(uid: UInt32) -> String? {
        guard let unit = userUnit(uid: uid), let prefix = Self.flatpakPrefix(of: unit) else { return nil }
        let parts = unit.dropFirst(prefix.count).dropLast(6).split(separator: "-")
        guard parts.count >= 2 else { return nil }
        return Self.unescaped(parts.dropLast().joined(separator: "-"))
    }

    /// `snap.NAME.APP.….scope` or, for a command that systemd starts, `snap.NAME.APP.service`.
    func snapName(uid: UInt32) -> String? {
        userUnit(uid: uid).flatMap(Self.snapName)
    }

    /// The snap of the system unit `snap.NAME.APP.service`.
    var systemSnapName: String? {
        systemUnit.flatMap { $0.hasSuffix(".service") ? Self.snapName(of: $0) : nil }
    }

    /// A Boolean value indicating whether some component is called as the unit of a Flatpak app is, wherever it is.
    var looksLikeFlatpak: Bool { components.contains { Self.flatpakPrefix(of: $0) != nil } }

    /// A Boolean value indicating whether some component is called as the unit of a snap is, wherever it is.
    var looksLikeSnap: Bool { components.contains { Self.snapName(of: $0) != nil } }

    /// `/system.slice/NAME.service`, also in a slice below it.
    var systemServiceName: String? {
        guard let unit = systemUnit, unit.hasSuffix(".service") else { return nil }
        return Self.unescaped(String(unit.dropLast(8)))
    }

    /// The application id of an app unit below the user manager of `uid`: `app[-LAUNCHER]-ID-RANDOM.scope`,
    /// `app[-LAUNCHER]-ID[@RANDOM].service` or `app-LAUNCHER-ID-RANDOM.service`.
    func userAppID(uid: UInt32) -> String? {
        guard let unit = userUnit(uid: uid), unit.hasPrefix("app-") else { return nil }
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

    private static func flatpakPrefix(of name: Substring) -> String? {
        guard name.hasSuffix(".scope") else { return nil }
        return ["app-flatpak-", "flatpak-"].first(where: name.hasPrefix)
    }

    private static func snapName(of name: Substring) -> String? {
        guard name.hasPrefix("snap."), name.hasSuffix(".scope") || name.hasSuffix(".service") else { return nil }
        let parts = name.split(separator: ".")
        return parts.count >= 4 ? String(parts[1]) : nil
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
