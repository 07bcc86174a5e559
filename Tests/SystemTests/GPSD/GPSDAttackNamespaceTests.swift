import Foundation
import TestSupport
import Testing

/// Attacks on gpsd's protocol from another network namespace, network_namespaces(7).
@Suite(.timeLimit(.minutes(15))) struct GPSDAttackNamespaceTests {
    private static let canUnshare: Bool = {
        let trial = try? RunningProgram("/usr/bin/unshare", ["--net", "/bin/true"])
        return trial?.waitUntilEnd() == 0
    }()
    private static let hasBridges = canUnshare && access("/usr/sbin/ip", X_OK) == 0

    /// A socket keeps the namespace of its creation, and the process that has it is the app.
    @Test(.enabled(if: canUnshare, "another network namespace needs root"))
    func aProcessThatMovesAwayWithItsSocket() async throws {
        let gpsd = try await GPSDAttack()
        for (program, expected) in [(gpsd.attack.granted, "fix"), (gpsd.attack.other, "no fix")] {
            let lines = try await gpsd.run(Program.script("GPSDAttackNamespace/moved_away"), as: program)
            #expect(lines == [expected])
        }
    }

    /// Attack: a container reaches a port that the administrator has the daemon listen on, at a bridge's address. The
    /// peer's socket is in another namespace, where the daemon cannot look it up: it is refused, whatever has a grant.
    @Test(.enabled(if: hasBridges, "a virtual Ethernet needs root, and ip(8)"))
    func aClientThroughAVirtualEthernet() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "/usr/bin/python3", ["-c", Self.bridge, Program.path("locationd"), folder.path])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines == ["served", "refused"], "\(result.output)\(result.errors)")
    }

    /// Starts a daemon with a listening socket at one end of a virtual Ethernet, and a client at each end. Prints which
    /// of them are served.
    private static let bridge = Program.script("GPSDAttackNamespace/virtual_ethernet")
}
