import Foundation

/// An HTTP server that answers each POST request with the same status, and records the requests.
package final class RecordingHTTPServer: Sendable {
    package var port: Int { reservation.number }
    private let reservation: ReservedPort
    private let program: RunningProgram

    /// The requests so far: method, path, content type, host and body.
    package var requests: [String] { Array(program.lines.dropFirst()) }

    package init(status: Int = 200) async throws {
        reservation = try ReservedPort()
        let script = Program.script("Servers/recording_http_server")
        let program = try RunningProgram("/usr/bin/python3", ["-c", script, "\(reservation.number)", "\(status)"])
        self.program = program
        try await eventually("a server: \(program.errors)") { !program.output.isEmpty }
    }
}
