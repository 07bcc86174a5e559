import Foundation

/// A TCP server that sends the same bytes to each client, after it has received something, and closes the
/// connection; or says nothing at all.
package final class AnsweringServer: Sendable {
    package var port: Int { reservation.number }
    /// The number of connections so far.
    package var connections: Int { program.lines.count { $0 == "connection" } }
    private let reservation: ReservedPort
    private let program: RunningProgram

    /// - Parameter answer: The bytes, in UTF-8, or `nil` for a server that neither answers nor closes.
    package init(_ answer: String?) async throws {
        reservation = try ReservedPort()
        let script = Program.script("Servers/answering_server")
        // As digits: a zero byte would end an argument.
        let digits = answer.map { [$0.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()] }
        let program = try RunningProgram("/usr/bin/python3", ["-c", script, "\(reservation.number)"] + (digits ?? []))
        self.program = program
        try await eventually("a server: \(program.errors)") { !program.output.isEmpty }
    }
}
