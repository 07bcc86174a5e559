import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Damage to the database. A grant that cannot be read is not in effect.
@Suite(.timeLimit(.minutes(15))) struct DatabaseTests {
    private func daemonWithAGrant(_ folder: TemporaryFolder) async throws -> TestDaemon {
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        _ = try await daemon.call(Grant.self, .init(app: "exe:/usr/bin/foo", level: .always))
        try await daemon.kill()
        return daemon
    }

    private func files(_ daemon: TestDaemon) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: daemon.state)
    }

    @Test func aDamagedOneIsSetAside() async throws {
        let folder = try TemporaryFolder()
        let daemon = try await daemonWithAGrant(folder)
        let path = daemon.state + "/locationd.db"
        try Data(repeating: 0x5a, count: 8192).write(to: URL(filePath: path))
        for part in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + part) }
        try await daemon.start()
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.isEmpty)
        try await daemon.waitForLog("set aside")
        let aside = try #require(try files(daemon).first { $0.contains(".damaged-") })
        #expect(try Data(contentsOf: URL(filePath: daemon.state + "/" + aside)).first == 0x5a)
        // The new database works.
        _ = try await daemon.call(Grant.self, .init(app: "exe:/usr/bin/bar", level: .whenInUse))
    }

    /// Attack, or accident: a changed byte on the disk grants more, or grants it to another app.
    @Test(arguments: ["level = 'superuser'", "level = 'always'", "app = 'exe:/usr/bin/fop'", "accuracy = 'full'"])
    func aRowThatWasChangedGrantsNothing(_ change: String) async throws {
        let folder = try TemporaryFolder()
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        _ = try await daemon.call(
            Grant.self, .init(app: "exe:/usr/bin/foo", level: .whenInUse, accuracy: .reduced))
        try await daemon.kill()
        let edit = try await Program.run(
            "/usr/bin/python3",
            [
                "-c",
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()",
                daemon.state + "/locationd.db", "UPDATE decision SET \(change)",
            ])
        #expect(edit.status == 0, "\(edit.errors)")
        try await daemon.start()
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.isEmpty)
        try await daemon.waitForLog("exe:/usr/bin/fo")
        try await daemon.waitForLog("locationctl reset")
        _ = try await daemon.call(Reset.self, .init(app: "exe:/usr/bin/foo"))
        _ = try await daemon.call(Reset.self, .init(app: "exe:/usr/bin/fop"))
        try await daemon.kill()
        try await daemon.start()
        #expect(!daemon.log.contains("exe:/usr/bin/fo"))
    }

    @Test func withoutItsSecretNothingIsGranted() async throws {
        let folder = try TemporaryFolder()
        let daemon = try await daemonWithAGrant(folder)
        try FileManager.default.moveItem(atPath: daemon.state + "/secret", toPath: folder.path + "/secret")
        try await daemon.start()
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.isEmpty)
        try await daemon.waitForLog("put it back from a backup")
        try await daemon.kill()
        #expect(!FileManager.default.fileExists(atPath: daemon.state + "/secret"))
        try FileManager.default.moveItem(atPath: folder.path + "/secret", toPath: daemon.state + "/secret")
        try await daemon.start()
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.first?.status == .authorizedAlways)
    }

    @Test func aDatabaseThatCannotBeOpenedGrantsNothing() async throws {
        let folder = try TemporaryFolder()
        // A folder in place of the file is not damage, so nothing is set aside.
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state/locationd.db", withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path + "/state")
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        try await daemon.waitForLog("locationd.db")
        await #expect {
            try await daemon.call(Grant.self, .init(app: "exe:/usr/bin/foo", level: .always))
        } throws: {
            ($0 as? VarlinkError)?.name == "io.locationd.Manage.StoreFailed"
        }
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.isEmpty)
        let ctl = try await daemon.ctl("grant", "exe:/usr/bin/foo")
        #expect(ctl.status == 1)
        // A denial takes effect even so.
        let denial = try? await daemon.call(Deny.self, .init(app: "exe:/usr/bin/foo"))
        #expect(denial == nil)
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.first?.status == .denied)
    }

    @Test func theSwitchSurvivesARestart() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let uid = Int(getuid())
        _ = try await daemon.call(SetServices.self, .init(enabled: false, uid: uid))
        try await daemon.kill()
        try await daemon.start()
        #expect(try await daemon.call(GetServices.self, UserScope()) == .init(machine: true, user: false))
        _ = try await daemon.call(SetServices.self, .init(enabled: false, machine: true))
        _ = try await daemon.call(SetServices.self, .init(enabled: true, uid: uid))
        try await daemon.kill()
        try await daemon.start()
        #expect(try await daemon.call(GetServices.self, UserScope()).machine == false)
    }
}
