import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The folder with the database: closed to other users, and used by one daemon at a time.
@Suite(.timeLimit(.minutes(15))) struct StateDirectoryTests {
    private func mode(_ path: String) throws -> Int {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return try #require(mode)
    }

    /// Runs another daemon on the state folder of `daemon`.
    private func runAnother(on daemon: TestDaemon) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationd"),
            [
                "--runtime-directory", daemon.folder.path + "/other", "--state-directory", daemon.state, "--config",
                daemon.configuration,
            ])
    }

    /// Attack: a grant that was revoked in one daemon is still in effect in another, which had read the database
    /// before.
    @Test func aSecondDaemonDoesNotStart() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let second = try await runAnother(on: daemon)
        #expect(second.status == 1)
        #expect(second.errors.contains("another locationd uses the state folder \(daemon.state)"), "\(second.errors)")
        #expect(second.errors.contains("--state-directory"))
        _ = try await daemon.call(Grant.self, .init(app: "exe:/usr/bin/foo", level: .always))
        // However the first daemon ends, the next one starts.
        try await daemon.kill()
        try await daemon.start()
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.count == 1)
    }

    /// Attack: another user of the machine reads which places are monitored.
    @Test(arguments: ["0000", "0022", "0077"]) func nothingIsOpenToOthersWhateverTheUmaskIs(_ mask: String) async throws
    {
        let daemon = try await TestDaemon(
            receivers: [], launcher: ["/bin/sh", "-c", "umask \(mask); exec \"$@\"", "sh"])
        _ = try await daemon.call(Grant.self, .init(app: "exe:/usr/bin/foo", level: .always))
        #expect(try mode(daemon.state) == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: daemon.state)
        #expect(files.contains("locationd.db") && files.contains("secret"))
        for file in files { #expect(try mode(daemon.state + "/" + file) == 0o600, "\(file)") }
        // The sockets are open to other users.
        #expect(try mode(daemon.runtime) == 0o755)
        #expect(try mode(daemon.runtime + "/" + LocationInterface.name) == 0o666)
    }

    @Test func aFolderThatOthersMayEnterIsRefused() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.kill()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: daemon.state)
        let refused = try await runAnother(on: daemon)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("chmod 0700 \(daemon.state)"), "\(refused.errors)")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: daemon.state)
        try await daemon.start()
    }
}
