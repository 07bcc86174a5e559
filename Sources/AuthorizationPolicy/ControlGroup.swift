/// The systemd units that a process's control group names.
///
/// Sources: cgroups(7) for the format of the lines; systemd.unit(5) for the escapes; "Desktop Environment
/// Integration" in systemd's documentation for the names of app units.
///
/// A name counts only where systemd puts it. Attack: a user who may manage part of the tree (every user below
/// `user@UID.service`, the root of a container below its scope) creates groups there with any name, such as
/// `chrony.service`. So a path is read from its root, through slices, up to the first unit. Everything below that
/// unit is under the unit's own control and identifies nothing.
struct ControlGroup {
    /// The components of the path, outermost first.
    private let components: [Substring]

    /// Parses the contents of `/proc/PID/cgroup`: the path in the unified hierarchy (`0::/…`) or, if that is absent
    /// or the root, the path in systemd's own named hierarchy.
    init(_ procFile: String) {
        var paths: [Substring: Substring] = [:]
        for line in procFile.split(separator: "\n") {
            // Attack: a path contains text that looks like another line's controllers. So only the first two colons
            // count.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            if fields.count == 3, fields[1].isEmpty || fields[1] == "name=systemd" { paths[fields[1]] = fields[2] }
        }
        let unified = paths[""].flatMap { $0 == "/" ? nil : $0 }
        components = (unified ?? paths["name=systemd"] ?? "").split(separator: "/")
    }

    /// Returns the first component from `index` on that is not a slice, or `nil` unless it is a scope or a service.
    private func unit(from index: Int) -> Substring? {
        let unit = components.dropFirst(index).first { !$0.hasSuffix(".slice") }
        return unit.flatMap { $0.hasSuffix(".scope") || $0.hasSuffix(".service") ? $0 : nil }
    }

    private var systemUnit: Substring? {
        components.first == "system.slice" ? unit(from: 1) : nil
    }

    /// Returns the unit that the user manager of `uid` started, or `nil` if there is none. A unit of another user's
    /// manager does not count: sudo leaves a root process in the caller's unit.
    private func userUnit(uid: UInt32) -> Substring? {
        let manager = ["user.slice", "user-\(uid).slice", "user@\(uid).service"]
        return components.starts(with: manager, by: ==) ? unit(from: manager.count) : nil
    }

    /// Returns the ID in `app-flatpak-ID-PID.scope` or, as older versions of Flatpak name it, `flatpak-ID-PID.scope`.
    func flatpakID(uid: UInt32) -> String? {
        guard let unit = userUnit(uid: uid), let prefix = Self.flatpakPrefix(of: unit) else { return nil }
        let parts = unit.dropFirst(prefix.count).dropLast(6).split(separator: "-")
        guard parts.count >= 2 else { return nil }
        return Self.unescaped(parts.dropLast().joined(separator: "-"))
    }

    /// Returns the NAME in `snap.NAME.APP.….scope` or, for a command that systemd starts, `snap.NAME.APP.service`.
    func snapName(uid: UInt32) -> String? {
        userUnit(uid: uid).flatMap(Self.snapName)
    }

    /// The name of the snap whose system unit, `snap.NAME.APP.service`, the process is in, or `nil` if there is none.
    var systemSnapName: String? {
        systemUnit.flatMap { $0.hasSuffix(".service") ? Self.snapName(of: $0) : nil }
    }

    /// A Boolean value indicating whether any component of the path is named like the unit of a Flatpak app.
    var hasFlatpakUnitName: Bool { components.contains { Self.flatpakPrefix(of: $0) != nil } }

    /// A Boolean value indicating whether any component of the path is named like the unit of a snap.
    var hasSnapUnitName: Bool { components.contains { Self.snapName(of: $0) != nil } }

    /// The NAME in `/system.slice/NAME.service`, or in the path of such a unit in a slice below `system.slice`.
    var systemServiceName: String? {
        guard let unit = systemUnit, unit.hasSuffix(".service") else { return nil }
        return Self.unescaped(String(unit.dropLast(8)))
    }

    /// Returns the application ID in the name of an app unit below the user manager of `uid`:
    /// `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service` or `app-LAUNCHER-ID-RANDOM.service`.
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

    /// Decodes systemd's `\xHH` escapes.
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
