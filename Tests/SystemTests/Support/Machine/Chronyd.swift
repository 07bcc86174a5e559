import Foundation
import Synchronization
import TestSupport

/// A real chronyd that follows a reference clock, without touching the machine's clock (`-x`).
///
/// It has no NTP port and no command port, and its files are in a folder of its own.
final class Chronyd: Sendable {
    private static let executable = ["/usr/sbin/chronyd", "/usr/local/sbin/chronyd"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let client = ["/usr/bin/chronyc", "/usr/local/bin/chronyc"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// A Boolean value indicating whether chronyd is installed and may read a configuration in a temporary folder.
    /// AppArmor's profile, where it is enforced, forbids that.
    static let isUsable: Bool = {
        guard let executable, client != nil, let folder = try? TemporaryFolder() else { return false }
        let file = folder.path + "/chrony.conf"
        guard (try? "port 0\n".write(toFile: file, atomically: true, encoding: .utf8)) != nil,
            let program = try? RunningProgram(executable, ["-p", "-f", file])
        else { return false }
        return program.waitUntilEnd() == 0
    }()

    /// The offset of the machine's clock as chronyd sees it.
    struct Tracking: Equatable {
        /// The reference ID of the source that chronyd follows, or an empty text.
        var source: String
        /// True time minus the machine's, in seconds.
        var offset: Double
    }

    let folder: TemporaryFolder
    private let running = Mutex<RunningProgram?>(nil)
    /// The path of the reference clock's socket.
    var socket: String { folder.path + "/chrony.locationd.sock" }
    private var commandSocket: String { folder.path + "/chronyd.sock" }

    /// Prepares a chronyd. `options` are those of the reference clock.
    init(options: String) throws {
        folder = try TemporaryFolder()
        // chronyd makes its command socket only in a folder that other users cannot enter.
        chmod(folder.path, 0o700)
        try """
        refclock SOCK \(socket) refid GNSS \(options)
        bindcmdaddress \(commandSocket)
        pidfile \(folder.path)/chronyd.pid
        cmdport 0
        port 0

        """.write(toFile: folder.path + "/chrony.conf", atomically: true, encoding: .utf8)
    }

    /// Starts it, and waits for its sockets.
    func start() async throws {
        let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "root"
        let program = try RunningProgram(
            Self.executable ?? "chronyd", ["-x", "-d", "-U", "-u", user, "-f", folder.path + "/chrony.conf"])
        running.withLock { $0 = program }
        try await eventually("chronyd: \(program.errors)") {
            if program.hasEnded { throw Overdue(what: "chronyd, which ended: \(program.errors)") }
            return FileManager.default.fileExists(atPath: socket)
                && FileManager.default.fileExists(atPath: commandSocket)
        }
    }

    func stop() async throws {
        guard let program = running.withLock({ $0 }) else { return }
        program.signal(SIGTERM)
        _ = try await program.end()
        running.withLock { $0 = nil }
    }

    /// Returns what chronyd knows of the clock, or `nil` if it does not answer.
    func tracking() async throws -> Tracking? {
        let result = try await Program.run(Self.client ?? "chronyc", ["-c", "-h", commandSocket, "tracking"])
        let fields = result.output.split(omittingEmptySubsequences: false, whereSeparator: { ",\n".contains($0) })
        guard result.status == 0, fields.count > 4, let offset = Double(fields[4]) else { return nil }
        return Tracking(source: String(fields[1]), offset: offset)
    }
}
