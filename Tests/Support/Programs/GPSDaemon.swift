import Foundation

/// A real gpsd on a port of its own.
package final class GPSDaemon: Sendable {
    static let executable = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    package static var isInstalled: Bool { executable != nil }

    package var port: Int { reservation.number }
    private let reservation: ReservedPort
    private let folder: TemporaryFolder
    private let program: RunningProgram

    /// Starts gpsd on the wires' serial ports, which it only reads.
    package convenience init(on port: ReservedPort, wires: [Wire]) throws {
        try self.init(on: port, paths: wires.map(\.path))
    }

    /// Starts gpsd on serial ports, which it only reads.
    package init(on port: ReservedPort, paths: [String]) throws {
        reservation = port
        folder = try TemporaryFolder()
        program = try RunningProgram(
            Self.executable ?? "gpsd",
            ["-N", "-n", "-b", "-S", "\(port.number)", "-F", folder.path + "/control"] + paths)
    }

    /// Ends gpsd at once, as a crash would.
    package func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.end()
    }
}
