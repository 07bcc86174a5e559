import Foundation
import TestSupport
import Testing

/// A locationd with a receiver of the test's, and `locationd-nmea serve` as its app.
final class ServingScene: Sendable {
    let daemon: TestDaemon
    let app: FixtureApp
    let wire: Wire
    let program: RunningProgram
    private let user: uid_t

    /// The folder of the served files.
    var folder: String { app.folder.path }

    /// Starts both.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the instance. `FOLDER` in it stands for ``folder``.
    ///   - user: The user as whom the instance runs with the one capability that its unit has, or `nil` for that of the
    ///     tests. Needs root.
    init(_ configuration: String, as user: uid_t? = nil) async throws {
        self.user = user ?? getuid()
        wire = try Wire(sendsTexts: true)
        daemon = try await TestDaemon(receivers: ["serial:\(wire.path)"])
        app = try await FixtureApp("locationd-nmea", daemon)
        let text = configuration.replacing("FOLDER", with: app.folder.path)
        let file = try app.folder.write(text, to: "chart.toml")
        guard let user else {
            program = try app.start("serve", "--config", file, "--log-level", "debug")
            return
        }
        for path in [daemon.folder.path, app.folder.path] { chmod(path, 0o755) }
        for path in [app.folder.path, file] { chown(path, user, user) }
        let launcher = [
            "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=-all,+chown",
            "--ambient-caps=-all,+chown", "--bounding-set=-all,+chown",
        ]
        let command = [String(app.app.dropFirst("exe:".count)), "serve", "--config", file, "--log-level", "debug"]
        program = try RunningProgram(
            "/usr/bin/setpriv", launcher + command, environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
    }

    func grant(_ options: String...) async throws {
        let arguments = ["grant", app.app, "--always", "--uid", "\(user)"] + options
        let result = try await Program.run(
            Program.path("locationctl"), arguments, environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
        #expect(result.status == 0, "\(arguments): \(result.output) \(result.errors)")
    }

    func revoke() async throws { _ = try await daemon.ctl("revoke", app.app) }

    /// Waits for a text in the program's log.
    func waitForLog(_ text: String) async throws {
        try await eventually("\(text) in the log: \(program.errors)") { program.errors.contains(text) }
    }

    /// Waits until a file is served. A FIFO is there before it is open to be written to and belongs to its owner, and
    /// until then a reader that does not wait reads its end.
    func waitForServing(_ path: String) async throws { try await waitForLog("serving \(path)") }

    /// Waits until a file is there, or is not.
    func wait(for path: String, isThere: Bool = true) async throws {
        try await eventually("\(path) to be \(isThere ? "there" : "gone"): \(program.errors)") {
            var facts = stat()
            return (lstat(path, &facts) == 0) == isThere
        }
    }

    /// Writes epochs from the given second on until something has happened: what is written before the port is open, or
    /// before the app asks, is lost.
    func drive(_ what: String, from second: Int = 0, until isDone: () async throws -> Bool) async throws {
        var second = second
        try await eventually("\(what): \(program.errors)") {
            wire.write(Sentences.epoch(second))
            second += 1
            return try await isDone()
        }
    }
}

/// A reader of sentences at a descriptor: a terminal, a FIFO or a connection.
final class SentenceReading {
    private let descriptor: CInt
    private(set) var text = ""
    /// A Boolean value indicating whether the end was read: zero bytes, or EIO of a terminal.
    private(set) var hasEnded = false

    /// Opens a file as a program does that opens a serial port or a FIFO.
    init(_ path: String, flags: CInt = O_RDONLY) throws {
        descriptor = open(path, flags | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError.last }
    }

    deinit { close(descriptor) }

    /// Reads the available sentences.
    func take() {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while !hasEnded {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else {
                hasEnded = true
                return
            }
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// Writes as a program does that configures its receiver. Returns the number of bytes that were taken.
    func write(_ bytes: [UInt8]) -> Int { Glibc.write(descriptor, bytes, bytes.count) }

    /// The sentences so far without their checksums, each of which is right.
    var sentences: [String] {
        text.split(separator: "\r\n").map { line in
            let body = line.dropFirst().prefix { $0 != "*" }
            #expect(Sentences.sentence(String(body)) == line + "\r\n")
            return "$" + body
        }
    }
}
