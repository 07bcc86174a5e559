import TestSupport

/// A server of Tests/Adversary/hostile_server.py.
final class HostileServer: Sendable {
    var port: Int { reservation.number }
    /// The number of connections so far.
    var connections: Int { program.lines.count { $0 == "connection" } }
    private let reservation: ReservedPort
    private let program: RunningProgram

    /// - Parameter behaviour: What the server does, by its name in that file.
    init(_ behaviour: String) async throws {
        reservation = try ReservedPort()
        let program = try RunningProgram(
            "/usr/bin/python3",
            ["-B", Project.folder + "/Tests/Adversary/hostile_server.py", "\(reservation.number)", behaviour])
        self.program = program
        try await eventually("a server: \(program.errors)") { !program.output.isEmpty }
    }
}
