/// The systemd units that a process's control group names.
///
/// Sources: cgroups(7) for the format of the lines; systemd.unit(5) for the escapes; "Desktop Environment
/// Integration" in systemd's documentation for the names of app units.
///
/// A name counts only where systemd puts it. Attack: a user who may manage part of the tree (every user below
/// `user@UID.service`, the root of a container below its scope) creates groups there with any name, such as
/// `chrony.service`. So a path is read from its root, through slices, up to the first unit. The unit itself controls
/// everything below, which therefore identifies nothing. A path with `..` begins outside the part of the tree that the
/// reader sees, and identifies nothing either.
///
/// Attack: the name of a group ends with a carriage return, or begins with a combining mark. For Swift's `Character`,
/// it merges with the line break or slash beside it, so that two lines or names become one. So the path is read as
/// bytes.
package struct ControlGroup {
    package typealias Name = ArraySlice<UInt8>

    /// The components of the path in the unified hierarchy, outermost first. `nil` if there is no such hierarchy, or if
    /// the process is outside the part of it that the reader sees.
    package let place: [Name]?

    /// The components of the path that names are read from.
    private let components: [Name]
    /// A Boolean value indicating whether that path leads out of the part of the hierarchy that the reader sees.
    private let isOutside: Bool

    /// Parses the contents of `/proc/PID/cgroup`: the path in the unified hierarchy (`0::/…`). If that path is absent
    /// or the root, names are read from the path in systemd's own named hierarchy.
    package init(_ procFile: [UInt8]) {
        var unified: Name?
        var named: Name?
        for line in procFile.split(separator: UInt8(ascii: "\n")) {
            // Attack: a path contains text that looks like the controllers of another line. So only the first two
            // colons count.
            let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[2].hasPrefix("/") else { continue }
            if fields[1].isEmpty, fields[0].elementsEqual("0".utf8) { unified = unified ?? fields[2] }
            if fields[1].elementsEqual("name=systemd".utf8) { named = named ?? fields[2] }
        }
        let place = unified?.split(separator: UInt8(ascii: "/"))
        self.place = place.flatMap { Self.leadsOutside($0) ? nil : $0 }
        components =
            place.flatMap { $0.isEmpty ? nil : $0 } ?? named?.split(separator: UInt8(ascii: "/")) ?? []
        isOutside = Self.leadsOutside(components)
    }

    /// Returns whether a path leads out of the reader's namespace: cgroup_namespaces(7).
    private static func leadsOutside(_ path: [Name]) -> Bool { path.contains { $0.elementsEqual("..".utf8) } }

    /// The beginning of ``place`` that is a systemd unit, or `nil` if the process is not in a unit. The units of a user
    /// manager are below its own unit, `user@UID.service`.
    package var unit: ArraySlice<Name>? {
        guard let place, var index = Self.unit(of: place, from: 0) else { return nil }
        if place[index].hasPrefix("user@") {
            guard let inner = Self.unit(of: place, from: index + 1) else { return nil }
            index = inner
        }
        return place.prefix(index + 1)
    }

    /// Returns the index of the first component from `start` on that is not a slice. Returns `nil` unless that
    /// component is a scope or a service.
    private static func unit(of path: [Name], from start: Int) -> Int? {
        let index = path.indices.dropFirst(start).first { !path[$0].hasSuffix(".slice") }
        return index.flatMap { path[$0].hasSuffix(".scope") || path[$0].hasSuffix(".service") ? $0 : nil }
    }

    private func unit(from start: Int) -> Name? {
        isOutside ? nil : Self.unit(of: components, from: start).map { components[$0] }
    }

    private var systemUnit: Name? {
        components.first?.elementsEqual("system.slice".utf8) == true ? unit(from: 1) : nil
    }

    /// Returns the unit that the user manager of `uid` started, or `nil` if the process is not in such a unit. Units of
    /// another user's manager do not count: sudo leaves a root process in the caller's unit.
    private func userUnit(uid: UInt32) -> Name? {
        let manager = ["user.slice", "user-\(uid).slice", "user@\(uid).service"]
        let isBelow = components.starts(with: manager) { $0.elementsEqual($1.utf8) }
        return isBelow ? unit(from: manager.count) : nil
    }

    /// Returns the ID in `app-flatpak-ID-PID.scope` or, for older versions of Flatpak, `flatpak-ID-PID.scope`.
    func flatpakID(uid: UInt32) -> String? {
        guard let unit = userUnit(uid: uid), let prefix = Self.flatpakPrefix(of: unit) else { return nil }
        let parts = unit.dropFirst(prefix.utf8.count).dropLast(6).split(separator: UInt8(ascii: "-"))
        guard parts.count >= 2 else { return nil }
        return Self.unescaped(parts.dropLast().joined(separator: "-".utf8))
    }

    /// Returns the NAME in `snap.NAME.APP.….scope` or, for a command started by systemd, `snap.NAME.APP.service`.
    func snapName(uid: UInt32) -> String? {
        userUnit(uid: uid).flatMap(Self.snapName)
    }

    /// The NAME of the snap's system unit, `snap.NAME.APP.service`, or `nil` if the process is not in such a unit.
    var systemSnapName: String? {
        systemUnit.flatMap { $0.hasSuffix(".service") ? Self.snapName(of: $0) : nil }
    }

    /// A Boolean value indicating whether any component of the path has a name like the unit of a Flatpak app.
    var hasFlatpakUnitName: Bool { components.contains { Self.flatpakPrefix(of: $0) != nil } }

    /// A Boolean value indicating whether any component of the path has a name like the unit of a snap.
    var hasSnapUnitName: Bool { components.contains { Self.snapName(of: $0) != nil } }

    /// The NAME in `/system.slice/NAME.service`, also if the unit is in a slice below `system.slice`.
    var systemServiceName: String? {
        guard let unit = systemUnit, unit.hasSuffix(".service") else { return nil }
        return Self.unescaped(unit.dropLast(8))
    }

    /// Returns the application ID in the name of an app unit below the user manager of `uid`:
    /// `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service` or `app-LAUNCHER-ID-RANDOM.service`.
    func userAppID(uid: UInt32) -> String? {
        guard let unit = userUnit(uid: uid), unit.hasPrefix("app-") else { return nil }
        let isScope = unit.hasSuffix(".scope")
        var body = unit.dropFirst(4).dropLast(isScope ? 6 : 8)
        if !isScope, let at = body.firstIndex(of: UInt8(ascii: "@")) { body = body[..<at] }
        let parts = body.split(separator: UInt8(ascii: "-"))
        let id: Name? =
            switch (isScope, parts.count) {
            case (true, 2): parts[0]
            case (true, 3): parts[1]
            case (false, 1): parts[0]
            case (false, 2), (false, 3): parts[1]
            default: nil
            }
        return id.map(Self.unescaped)
    }

    private static func flatpakPrefix(of name: Name) -> String? {
        guard name.hasSuffix(".scope") else { return nil }
        return ["app-flatpak-", "flatpak-"].first(where: name.hasPrefix)
    }

    private static func snapName(of name: Name) -> String? {
        guard name.hasPrefix("snap."), name.hasSuffix(".scope") || name.hasSuffix(".service") else { return nil }
        let parts = name.split(separator: UInt8(ascii: "."))
        return parts.count >= 4 ? String(decoding: parts[1], as: UTF8.self) : nil
    }

    /// Decodes systemd's `\xHH` escapes.
    private static func unescaped(_ name: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = Array(name)[...]
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

extension ArraySlice<UInt8> {
    fileprivate func hasPrefix(_ text: String) -> Bool { starts(with: text.utf8) }
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
