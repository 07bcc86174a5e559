import Foundation
import TestSupport

/// A script in the role of systemd: it listens, passes the sockets to the daemon, receives its notifications, and
/// starts it for a waiting client.
enum ServiceManagerScript {
    /// Runs a script with `start()`, `told()`, `ended()`, `ask()` and `greeting()`, and returns the lines that it
    /// printed.
    ///
    /// - Parameters:
    ///   - configuration: The daemon's configuration.
    ///   - environment: Environment variables for the daemon, as a Python dictionary.
    static func run(_ script: String, configuration: String = "", environment: String = "{}") async throws -> [String] {
        let folder = try TemporaryFolder()
        try configuration.write(toFile: folder.path + "/locationd.toml", atomically: true, encoding: .utf8)
        let result = try await Program.run(
            "/usr/bin/python3",
            ["-c", prelude + "\nENVIRONMENT = \(environment)\n" + script, Program.path("locationd"), folder.path])
        return result.status == 0 ? result.lines : result.lines + ["status \(result.status): \(result.errors)"]
    }

    private static let prelude = Program.script("ServiceManager/manager")
}
