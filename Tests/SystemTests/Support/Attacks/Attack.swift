import CLinux
import Foundation
import LocationModel
import LocationProtocol
import TestSupport

/// A daemon with one app that has a grant, another app that has none, and scripts that either of them runs.
///
/// Both apps are copies of the same interpreter. To the daemon they differ in nothing but their names.
final class Attack {
    let daemon: TestDaemon
    let folder: TemporaryFolder
    /// The path of the app with a grant.
    let granted: String
    /// The path of the app without a decision.
    let other: String

    /// A user without rights and grants.
    static let nobody = "65534"
    /// The only group of that user.
    static let nobodysGroup: gid_t = 65534
    /// A Boolean value indicating whether this process is root with the capabilities(7) to change users and
    /// capabilities, to inspect all processes, and to mount. In a container, root may lack them.
    static let isRoot: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let rights = line.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) } ?? 0
        return geteuid() == 0 && [6, 7, 8, 19, 21].allSatisfy { rights >> $0 & 1 == 1 }
    }()
    /// A Boolean value indicating whether the kernel supplies a descriptor of the process behind a connection, not
    /// only its id (Linux 6.5).
    static let hasPeerDescriptors: Bool = {
        var pair: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return false }
        let descriptor = peer_pidfd(pair[0])
        for descriptor in pair + [descriptor] { close(descriptor) }
        return descriptor >= 0
    }()
    static let hasBubblewrap = access("/usr/bin/bwrap", X_OK) == 0

    init(launcher: [String] = [], configuration: String = "") async throws {
        folder = try TemporaryFolder()
        granted = folder.path + "/granted"
        other = folder.path + "/other"
        for path in [granted, other] {
            try await Program.copy(Self.interpreter, to: path)
        }
        try Self.module.write(toFile: folder.path + "/attack.py", atomically: false, encoding: .utf8)
        daemon = try await TestDaemon(
            receivers: ["simulated"], configuration: configuration, folder: folder, launcher: launcher)
        // Gives other users' processes access.
        for path in [folder.path, daemon.runtime] { chmod(path, 0o755) }
        try await grant("exe:" + granted)
    }

    /// Grants an app of this user access to the location.
    func grant(_ app: String) async throws {
        _ = try await daemon.call(Grant.self, .init(app: app, uid: Int(getuid()), level: .always))
    }

    /// Runs a script to its end. Returns the lines that it printed, and the error if it failed.
    ///
    /// - Parameter launcher: A command that becomes the program, as in ``TestDaemon``.
    func run(_ script: String, as program: String, through launcher: [String] = []) async throws -> [String] {
        let command = launcher + [program, "-c", "from attack import *\n" + script]
        let result = try await Program.run(command[0], Array(command.dropFirst()), environment: environment)
        return result.status == 0 ? result.lines : result.lines + ["status \(result.status): \(result.errors)"]
    }

    /// The variables that the scripts need.
    var environment: [String: String] {
        [
            "PYTHONPATH": folder.path, "PYTHONDONTWRITEBYTECODE": "1", "ATTACK_SOCKET": daemon.runtime,
            "ATTACK_GRANTED": granted, "ATTACK_OTHER": other,
            "ATTACK_DAEMON": "\(daemon.program.processIdentifier)",
        ]
    }

    /// Returns the outcome of a request for the location by a new process of this program.
    func outcome(of program: String, through launcher: [String] = []) async throws -> [String] {
        try await run("print(ask())", as: program, through: launcher)
    }

    /// A command that becomes a program of another user.
    static let asNobody = ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]

    /// The interpreter without links, so that a copy of it is the program.
    static let interpreter = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path(
        percentEncoded: false)

    /// The functions that the scripts share.
    private static let module = Program.script("Attack/attack")
}
