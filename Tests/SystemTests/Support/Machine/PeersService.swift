import Foundation
import TestSupport

/// A real locationd-peers behind a socket that survives its restarts, as with a service manager.
final class PeersService: Sendable {
    /// A Boolean value indicating whether the programs, and the Swift libraries that they need, are accessible to
    /// other users.
    static let nobodyCanRunIt: Bool = {
        let trial = try? RunningProgram(
            Attack.asNobody[0], Attack.asNobody.dropFirst() + [Program.path("locationd"), "--version"])
        return trial?.waitUntilEnd() == 0
    }()

    let path: String
    private let manager: RunningProgram

    /// - Parameters:
    ///   - folder: The folder for the socket.
    ///   - user: The user whom the service answers.
    init(in folder: String, user: String) async throws {
        path = folder + "/peers"
        manager = try RunningProgram(
            "/usr/bin/python3", ["-c", Self.script, Program.path("locationd-peers"), path, user])
        try await eventually("locationd-peers") { processID != nil }
    }

    /// The process id of the service that is running.
    var processID: pid_t? { manager.lines.last.flatMap { pid_t($0) } }

    /// Ends the service, and waits until another one is running.
    func restart() async throws {
        // Not recognised by its id, which may be reused for the next one.
        let starts = manager.lines.count
        if let processID { kill(processID, SIGKILL) }
        try await eventually("another locationd-peers: \(manager.errors)") { manager.lines.count > starts }
    }

    private static let script = Program.script("PeersService/manager")
}
