import CLinux
import Foundation
import NIOConcurrencyHelpers

/// A running program, with its output in files. Ended on deinit.
package final class RunningProgram: Sendable {
    package let processIdentifier: Int32
    private let name: String
    private let folder: TemporaryFolder
    /// The exit status, or the number of the signal that ended the program. Set when the process is reaped.
    private let status = NIOLockedValueBox<CInt?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: Variables in addition to those of this process.
    ///   - input: A descriptor to read from, or `nil` for an empty input.
    ///   - output: A descriptor to write to, or `nil` to write to a file.
    package init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: CInt? = nil,
        output: CInt? = nil
    ) throws {
        folder = try TemporaryFolder()
        name = URL(filePath: executable).lastPathComponent
        processIdentifier = try spawn(
            executable, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            streams: [
                input.map { .descriptor($0) } ?? .nothing,
                output.map { .descriptor($0) } ?? .file(folder.path + "/out"),
                .file(folder.path + "/err"),
            ])
    }

    /// Ends the program with SIGTERM, so that it can end its own children, and kills it if that has no effect. Waits
    /// on a thread of its own, because the tests' threads are no more than the machine's processors.
    deinit {
        guard exitStatus == nil else { return }
        signal(SIGTERM)
        signal(SIGCONT)
        let (processIdentifier, folder) = (processIdentifier, folder)
        Self.ends.enter()
        Thread.detachNewThread {
            defer { Self.ends.leave() }
            if !Self.endsInTime(processIdentifier) { kill(processIdentifier, SIGKILL) }
            // Kills children that were left behind. Until the program is reaped, no other process group has its
            // number.
            kill(-processIdentifier, SIGKILL)
            waitpid(processIdentifier, nil, 0)
            folder.remove()
        }
    }

    /// The ends that are waited for. The process of the tests waits for them before it exits: it would leave programs
    /// and their folders behind otherwise.
    private static let ends: DispatchGroup = {
        atexit { _ = RunningProgram.ends.wait(timeout: .now() + 150) }
        return DispatchGroup()
    }()

    /// Blocks the thread until the program ends. Returns the exit status, or `nil` if the program does not end.
    package func waitUntilEnd() -> Int32? { Self.endsInTime(processIdentifier) ? exitStatus : nil }

    /// Waits for two minutes at most. Returns whether the program has ended.
    private static func endsInTime(_ processIdentifier: pid_t) -> Bool {
        let descriptor = process_open(processIdentifier)
        defer { close(descriptor) }
        var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 120_000) > 0
    }

    /// The text that the program has written so far.
    package var output: String { text(of: "out") }
    package var errors: String { text(of: "err") }
    package var lines: [String] { Program.lines(of: output) }

    private func text(of file: String) -> String {
        FileManager.default.contents(atPath: "\(folder.path)/\(file)").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package var hasEnded: Bool { exitStatus != nil }

    /// The exit status, or the number of the signal that ended the program, or `nil` while it runs.
    package var exitStatus: Int32? {
        status.withLockedValue { known in
            var status: CInt = 0
            if known == nil, waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
                // For the layout of the status, see wait(2).
                known = status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
            }
            return known
        }
    }

    /// Sends a signal, unless the process has been reaped and its id may belong to another one.
    package func signal(_ number: CInt) {
        status.withLockedValue { known in if known == nil { kill(processIdentifier, number) } }
    }

    /// Waits until the program has ended. Returns its result.
    package func end() async throws -> Program.Result {
        try await eventually("the end of \(name): \(output)\(errors)") { hasEnded }
        return Program.Result(status: exitStatus ?? -1, output: output, errors: errors)
    }
}
