internal import Devices
internal import LocationctlSupport

/// The check of the receivers' device nodes: whether they exist, whether the daemon may open them, and which other
/// program has them open.
enum PortCheck {
    /// The kinds of terminals that the unit allows the daemon to open: DeviceAllow= in locationd.service.
    private static let allowedKinds = ["ttyACM", "ttyUSB", "ttyS", "ttyAMA", "gnss"]

    static func findings(in facts: Facts) -> [Finding] { facts.ports.flatMap { findings(of: $0, facts) } }

    private static func findings(of port: PortFacts, _ facts: Facts) -> [Finding] {
        guard let file = port.file else {
            guard !facts.isAbsenceExplained(of: port.path) else { return [] }
            return [
                .problem(
                    translated("{path} does not exist", ["path": port.path]),
                    advice: translated("plug the receiver in; `ls -l /dev/serial/by-id` lists ports"))
            ]
        }
        guard file.isDevice else {
            return [
                .problem(
                    translated("{path} is not a device", ["path": port.path]),
                    advice: translated("name the port itself, such as /dev/ttyACM0"))
            ]
        }
        let problems = [permission(port, file, facts), sandbox(port, facts), holder(port, facts)].compactMap { $0 }
        return problems.isEmpty ? [.ok("\(port.path) exists")] : problems
    }

    private static func permission(_ port: PortFacts, _ file: FileFacts, _ facts: Facts) -> Finding? {
        guard let user = facts.daemonUser, !file.isReadable(by: user) else { return nil }
        let isReceiver = facts.devices.contains { $0.node == port.node && $0.isReceiver }
        if file.mode & 0o040 != 0, file.group != "root" {
            return .problem(
                translated(
                    "locationd's user {user} may not open {path} ({owner})",
                    ["user": user.name, "path": port.path, "owner": file.description]),
                advice: "`sudo usermod -aG \(file.group) \(user.name) && sudo systemctl restart locationd`")
        }
        if isReceiver {
            return .problem(
                translated(
                    "locationd's user {user} may not open {path} ({owner})",
                    ["user": user.name, "path": port.path, "owner": file.description]),
                why: translated(
                    "udev's rules for receivers assign it to the group gnss, but something has changed that"),
                advice: translated(
                    "`getent group gnss`, then `sudo udevadm trigger --settle {device}`", ["device": port.node]))
        }
        return .problem(
            translated(
                "locationd's user {user} may not open {path} ({owner})",
                ["user": user.name, "path": port.path, "owner": file.description]),
            why: translated("no group has access to it"),
            advice: translated("add a udev rule with GROUP=\"dialout\", MODE=\"0660\""))
    }

    private static func sandbox(_ port: PortFacts, _ facts: Facts) -> Finding? {
        guard facts.isInstalled, facts.system.unit("locationd.service")?.isLoaded == true,
            let name = port.node.split(separator: "/").last, port.node.hasPrefix("/dev/")
        else { return nil }
        let kind = name.prefix { !$0.isNumber }
        guard !allowedKinds.contains(String(kind)) else { return nil }
        return .note(
            translated(
                "locationd.service does not allow {kind} devices such as {path} by default",
                ["kind": "\(kind)", "path": port.path]),
            advice: translated(
                """
                unless it is already there, add DeviceAllow=char-{kind} rw to [Service] with `sudo systemctl edit \
                locationd`, then restart locationd
                """, ["kind": "\(kind)"]))
    }

    private static func holder(_ port: PortFacts, _ facts: Facts) -> Finding? {
        // If this process may not see the holder, the daemon names it as the reason for the lost receiver.
        guard let holder = port.holder else { return nil }
        let what = translated("{program} has {path} open", ["program": holder.description, "path": port.path])
        let why = translated("only one program can read a serial port")
        switch holder.name {
        case "gpsd": return .problem(what, why: why, advice: GPSDCheck.choice)
        case "ModemManager":
            return .problem(
                what,
                why: translated("it mistakes the receiver for a modem"),
                advice: ModemManagerCheck.advice(for: port, facts))
        default: break
        }
        guard holder.isSystemService, let service = holder.unit else {
            return .problem(what, why: why, advice: translated("end it: `sudo kill {pid}`", ["pid": "\(holder.pid)"]))
        }
        // `ConsoleCheck` reports a console, since systemd would start its prompt again.
        let name = port.node.split(separator: "/").last.map(String.init)
        if holder.isLoginPrompt, facts.raspberryPi?.consoles.contains(where: { $0.port == name }) == true { return nil }
        return .problem(what, why: why, advice: "`sudo systemctl disable --now \(service)`")
    }
}
