import Foundation
import NIOConcurrencyHelpers

/// A bus of its own, run by the real dbus-daemon, with the rules in `bus.conf` and the test's own rules.
package final class PrivateBus: Sendable {
    private static let executable = "/usr/bin/dbus-daemon"
    package static var isInstalled: Bool { access(executable, X_OK) == 0 }

    /// Rules that allow every name and every call.
    package static let everything = ["<allow own=\"*\"/>", "<allow send_type=\"method_call\"/>"]

    package let address: String
    private let folder: TemporaryFolder
    private let program: NIOLockedValueBox<RunningProgram>

    /// Starts a bus, and waits until it listens.
    ///
    /// - Parameters:
    ///   - rules: Rules of the default policy, in addition to those of `bus.conf`.
    ///   - elements: Other elements of the configuration, such as limits.
    ///   - folder: The folder of the socket, which may be the folder of a bus that has ended, or `nil` for a new one.
    package init(
        rules: [String] = everything, elements: [String] = [], in folder: TemporaryFolder? = nil
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        address = "unix:path=\(folder.path)/bus"
        let policy = "<policy context=\"default\">" + rules.joined() + "</policy>"
        let template = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "bus.conf")
        let configuration = try String(contentsOf: template, encoding: .utf8)
            .replacing("@PATH@", with: folder.path + "/bus")
            .replacing("@ELEMENTS@", with: ([policy] + elements).joined(separator: "\n  "))
        try folder.write(configuration, to: "bus.conf")
        program = NIOLockedValueBox(try Self.start(in: folder))
        try await waitUntilReady()
    }

    /// Ends the bus, and waits for that: it removes its socket.
    package func stop() async throws { try await end(with: SIGTERM) }

    /// Ends the bus as a crash would, and leaves its socket behind.
    package func crash() async throws { try await end(with: SIGKILL) }

    private func end(with signal: CInt) async throws {
        let program = program.withLockedValue { $0 }
        program.signal(signal)
        _ = try await program.end()
    }

    /// Starts a bus that has ended again, at the same address.
    package func restart() async throws {
        try? folder.remove("bus")
        let program = try Self.start(in: folder)
        self.program.withLockedValue { $0 = program }
        try await waitUntilReady()
    }

    private func waitUntilReady() async throws {
        let program = program.withLockedValue { $0 }
        try await eventually("the bus") {
            if program.hasEnded { throw Overdue(what: "the bus, which ended: \(program.errors)") }
            return !program.lines.isEmpty
        }
    }

    private static func start(in folder: TemporaryFolder) throws -> RunningProgram {
        try RunningProgram(
            executable, ["--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"])
    }
}
