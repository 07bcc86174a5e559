internal import LocationctlSupport

/// The check of the sockets where programs pass on receivers' data. The daemon connects to them only while an app needs
/// the location, and cannot report faults earlier.
enum ReceiverSocketCheck {
    static func findings(in facts: Facts) -> [Finding] { facts.receiverSockets.map { finding(of: $0, facts) } }

    private static func finding(of socket: SocketFacts, _ facts: Facts) -> Finding {
        guard let file = socket.file else {
            return .problem(
                translated("{path} is not there", ["path": socket.path]),
                why: translated("a receiver is configured to be read from it"),
                advice: advice(for: socket.path))
        }
        guard file.isSocket else {
            return .problem(
                translated("{path} is not a socket", ["path": socket.path]),
                advice: translated("name the socket itself in locationd.toml"))
        }
        guard let user = facts.daemonUser, !file.isWritable(by: user) else { return .ok("\(socket.path) exists") }
        let what = translated(
            "locationd's user {user} may not connect to {path} ({owner})",
            ["user": user.name, "path": socket.path, "owner": file.description])
        guard file.mode & 0o020 != 0, file.group != "root" else {
            return .problem(
                what,
                advice: translated("have the program that listens there give the socket to a group of that user"))
        }
        return .problem(
            what, advice: "`sudo usermod -aG \(file.group) \(user.name) && sudo systemctl restart locationd`")
    }

    /// Returns the advice for a missing socket. The sockets of locationd-nmea's instances are in one folder.
    private static func advice(for path: String) -> String {
        let folder = "/run/locationd-nmea/"
        guard path.hasPrefix(folder), !path.dropFirst(folder.count).contains("/") else {
            return translated("start the program that listens there, or its socket unit")
        }
        return "`sudo systemctl enable --now locationd-nmea-receive@\(path.dropFirst(folder.count)).socket`"
    }
}
