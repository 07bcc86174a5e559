import Foundation
import Synchronization

/// An HTTP server, a process of its own, that answers each request as it is told, and records the requests.
package final class RecordingHTTPServer: Sendable {
    /// An answer.
    package struct Answer: Encodable, Sendable {
        let status: Int
        let fields: [String: String]
        let body: String

        package init(_ status: Int, fields: [String: String] = [:], body: String = "") {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    /// The files of a server with TLS.
    package struct TLS: Sendable {
        let certificate: String
        let key: String
        let authority: String?
        let greatestVersion: String?

        /// - Parameters:
        ///   - authority: The authority of the clients' certificates, or `nil` if clients need none.
        ///   - greatestVersion: The name of the greatest version of TLS, as Python has it, or `nil` for the usual ones.
        package init(
            _ files: (certificate: String, key: String), authority: String? = nil, greatestVersion: String? = nil
        ) {
            certificate = files.certificate
            key = files.key
            self.authority = authority
            self.greatestVersion = greatestVersion
        }
    }

    /// A request.
    package struct Request: Decodable, Sendable {
        package let method: String
        package let target: String
        /// The fields of the header, by their names in small letters.
        package let fields: [String: String]
        package let body: String
        /// The client's end of the connection.
        package let connection: String
        /// The subject of the client's certificate.
        package let client: String
    }

    private struct Plan: Encodable {
        let answers: [Answer]
        let certificate: String?
        let key: String?
        let authority: String?
        let greatestVersion: String?
    }

    package var port: Int { reservation.number }
    private let reservation: ReservedPort
    private let arguments: [String]
    private let running: Mutex<RunningProgram>
    private let earlier = Mutex<[String]>([])

    /// The requests so far, of all runs.
    package var requests: [Request] {
        let lines = earlier.withLock { $0 } + running.withLock { $0.lines.dropFirst() }
        return lines.compactMap { try? JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    /// - Parameter answers: The answers in turn; the last one is repeated.
    package init(_ answers: [Answer] = [Answer(200)], tls: TLS? = nil) async throws {
        reservation = try ReservedPort()
        let plan = Plan(
            answers: answers, certificate: tls?.certificate, key: tls?.key, authority: tls?.authority,
            greatestVersion: tls?.greatestVersion)
        let json = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        arguments = ["-c", Program.script("Servers/http_server"), "\(reservation.number)", json]
        running = Mutex(try RunningProgram("/usr/bin/python3", arguments))
        try await listens()
    }

    /// Ends the server as a power cut would.
    package func kill() async throws {
        let program = running.withLock { $0 }
        program.signal(SIGKILL)
        _ = try await program.end()
    }

    /// Starts the server again that was killed, with the same answers.
    package func start() async throws {
        let next = try RunningProgram("/usr/bin/python3", arguments)
        let lines = running.withLock { running in
            defer { running = next }
            return running.lines.dropFirst()
        }
        earlier.withLock { $0 += lines }
        try await listens()
    }

    private func listens() async throws {
        let program = running.withLock { $0 }
        try await eventually("a server: \(program.errors)") { !program.output.isEmpty }
    }
}
