import Foundation

/// mosquitto_sub: a client of an MQTT broker that prints each message. It connects again whenever the broker is there
/// again.
///
/// It acknowledges nothing, and so receives everything that a broker had passed on before it was killed: a client that
/// finds that it can no longer write an acknowledgement drops the messages it has not read.
package final class MosquittoSubscriber: Sendable {
    static let executable = "/usr/bin/mosquitto_sub"

    private let program: RunningProgram

    /// Subscribes, and waits for the confirmation.
    ///
    /// - Parameters:
    ///   - topics: The topics, which may contain wildcards.
    ///   - format: The form of a line: see mosquitto_sub(1).
    package init(_ broker: MosquittoBroker, topics: [String], format: String, arguments: [String] = []) async throws {
        // Line by line: otherwise a file gets some lines with the next message only.
        program = try RunningProgram(
            "/usr/bin/stdbuf",
            [
                "-oL", Self.executable, "-V", "5", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "0", "-i",
                "consumer", "-d", "-F", "MESSAGE " + format,
            ] + topics.flatMap { ["-t", $0] } + arguments)
        try await eventually("the subscription: \(program.output)\(program.errors)") {
            program.lines.contains { $0.hasPrefix("Subscribed") }
        }
    }

    /// The messages so far, in the form that was asked for.
    package var messages: [String] {
        program.lines.filter { $0.hasPrefix("MESSAGE ") }.map { String($0.dropFirst(8)) }
    }

    /// The number of connections so far with a confirmed subscription.
    package var connections: Int { program.lines.count { $0.hasPrefix("Subscribed") } }
}
