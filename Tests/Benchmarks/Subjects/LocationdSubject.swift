import Glibc

/// locationd with folders of its own, and a grant for this process.
class LocationdSubject: Subject {
    var name: String { "locationd" }
    let port: PseudoTerminal
    let process: ChildProcess
    let maximumSubscribers = 100_000
    var framing: Framing { Self.framing }
    private static let framing = Framing(
        terminator: 0, prefix: Array(#"{"parameters":{"update":{"event":"location""#.utf8))
    private let runtime: String

    /// Starts locationd. Returns as soon as it has answered a call. The folder may be that of a daemon that has
    /// ended.
    ///
    /// - Parameter launcher: A program that runs locationd, with that program's arguments.
    /// - Parameter settings: More lines of the configuration.
    init(program: String, folder: Folder, launcher: [String] = [], settings: String = "") throws {
        port = try PseudoTerminal()
        runtime = folder.path + "/run"
        let configuration = folder.path + "/locationd.toml"
        try write("[limits]\nconnections-per-user = 100000\n" + settings, to: configuration)
        process = try ChildProcess(
            launcher + [
                program, "--config", configuration, "--runtime-directory", runtime, "--state-directory",
                folder.path + "/state", "--receiver", "serial:" + port.path, "--log-level", "warning",
            ], log: folder.path + "/locationd.log")
        try wait(for: "locationd's first answer", seconds: launcher.isEmpty ? 10 : 120) {
            guard process.isRunning else {
                throw Failure("locationd ended: \(try contents(folder.path + "/locationd.log"))")
            }
            return (try? call("Location", "org.varlink.service.GetInfo")) != nil
        }
    }

    /// Grants this process access to the location, under the app identity that the daemon reports for it.
    func grantSelf() throws {
        try wait(for: "the management socket") { (try? call("Manage", "org.varlink.service.GetInfo")) != nil }
        let client = try Socket(path: socketPath("Location"))
        defer { close(client.descriptor) }
        _ = try Self.exchange(client, "io.locationd.Location.GetAuthorization", "{}")
        let apps = try call("Manage", "io.locationd.Manage.ListApps", #"{"uid":\#(getuid())}"#)
        guard let app = apps.text(after: #""app":""#, before: "\"") else { throw Failure("no app in \(apps)") }
        _ = try call("Manage", "io.locationd.Manage.Grant", #"{"app":"\#(app)","level":"whenInUse"}"#)
    }

    func subscribe() throws -> Socket {
        let client = try Socket(path: socketPath("Location"))
        try client.send(#"{"method":"io.locationd.Location.Subscribe","parameters":{},"more":true}"# + "\0")
        return client
    }

    func mark(of epoch: Epoch) -> String { #""timestamp":"\#(epoch.timestamp)""# }

    func awaitSubscribers(_ count: Int) throws {
        try wait(for: "\(count) sessions", seconds: 120, stepMicroseconds: 10_000) {
            let statistics = try call("Manage", "io.locationd.Manage.GetStatistics")
            return statistics.text(after: #""sessions":"#, before: ",") == String(count)
        }
    }

    private func socketPath(_ interface: String) -> String {
        "\(runtime)/\(interface == "Manage" ? "manage/" : "")io.locationd.\(interface)"
    }

    /// Calls a method on one of the daemon's sockets and returns the reply.
    private func call(_ socket: String, _ method: String, _ parameters: String = "{}") throws -> String {
        let client = try Socket(path: socketPath(socket))
        defer { close(client.descriptor) }
        return try Self.exchange(client, method, parameters)
    }

    private static func exchange(_ client: Socket, _ method: String, _ parameters: String) throws -> String {
        try client.send(#"{"method":"\#(method)","parameters":\#(parameters)}"# + "\0")
        let reply = try client.read(until: "\0")
        guard !reply.hasPrefix(#"{"error""#) else { throw Failure("\(method): \(reply.dropLast())") }
        return reply
    }
}

extension String {
    /// Returns the text between the first `start` and the next `end`.
    fileprivate func text(after start: String, before end: Character) -> String? {
        guard let range = firstRange(of: start) else { return nil }
        let rest = self[range.upperBound...]
        return rest.firstIndex(of: end).map { String(rest[..<$0]) }
    }
}
