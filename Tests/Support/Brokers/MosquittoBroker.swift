import Foundation
import Synchronization

/// A real mosquitto, an MQTT broker, on a port of its own, with a folder of its own.
package final class MosquittoBroker: Sendable {
    private static let executable = "/usr/sbin/mosquitto"
    /// A Boolean value indicating whether the broker, its clients and openssl are installed.
    package static var isInstalled: Bool {
        let programs: [String] = [executable, MosquittoSubscriber.executable, TestAuthority.executable]
        return programs.allSatisfy { access($0, X_OK) == 0 }
    }

    package var port: Int { reservation.number }
    package let folder: TemporaryFolder
    private let reservation: ReservedPort
    private let running: Mutex<RunningProgram?>

    /// Starts a broker that keeps sessions and messages on the disk, and saves them after each change.
    ///
    /// - Parameter configuration: Lines of mosquitto.conf(5) about the listener. By default, every client may connect.
    package init(_ configuration: String = "allow_anonymous true") async throws {
        folder = try TemporaryFolder()
        reservation = try ReservedPort()
        running = Mutex(nil)
        // Queues and windows without limits: a test's expectations do not depend on the speed of its programs. The
        // broker would else become another user, who cannot enter the folder.
        try folder.write(
            """
            user root
            persistence true
            persistence_location \(folder.path)/
            autosave_interval 1
            autosave_on_changes true
            max_inflight_messages 0
            max_queued_messages 0
            listener \(reservation.number) 127.0.0.1
            \(configuration)

            """, to: "mosquitto.conf")
        try await start()
    }

    /// The text that the broker has logged since it was started last.
    package var log: String { running.withLock { $0?.errors ?? "" } }

    /// Starts the broker, again or for the first time, and waits until it listens.
    package func start() async throws {
        let program = try RunningProgram(Self.executable, ["-v", "-c", folder.path + "/mosquitto.conf"])
        running.withLock { $0 = program }
        try await eventually("mosquitto to listen: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "mosquitto, which ended: \(program.errors)\(program.output)") }
            return (try? TCPSocket.connect(port: port)) != nil
        }
    }

    /// Stops the broker's process: its connections stay open, and nothing answers.
    package func suspend() { running.withLock { $0?.signal(SIGSTOP) } }

    /// Ends the broker as a power cut would.
    package func kill() async throws {
        let program = running.withLock { $0 }
        program?.signal(SIGKILL)
        _ = try await program?.end()
    }
}
