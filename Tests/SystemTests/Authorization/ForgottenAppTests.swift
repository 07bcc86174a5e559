import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The remains of a forgotten app, in the state folder of the real daemon and for a later grant.
@Suite(.timeLimit(.minutes(15))) struct ForgottenAppTests {
    /// Attack: an app is revoked and, years later, granted the location again. Its former registrations must not be
    /// watched again, and its socket must not be written to.
    @Test(arguments: ["revoke", "reset"])
    func aLaterGrantDoesNotReviveWhatWasRegistered(command: String) async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await daemon.ownApp()
        let wake = try WakeSocket(in: daemon.folder)
        let region = CircularRegion(identifier: "my-secret-home", latitude: 12.345_678_9, longitude: 3, radius: 100)
        func grant() async throws { _ = try await daemon.call(Grant.self, .init(app: app, level: .always)) }
        try await grant()
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region, wake: wake.path))
        #expect(try traces(daemon).count == 3)
        #expect(try await daemon.ctl(command, app).status == 0)
        #expect(try traces(daemon) == [])
        try await daemon.kill()
        try await daemon.start()
        try await grant()
        #expect(try await daemon.call(ListRegions.self, Nothing()).regions.isEmpty)
        #expect(try traces(daemon) == [])
    }

    @Test func everythingOfAnAppIsDeletedAndItsGrantStays() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await daemon.ownApp()
        let wake = try WakeSocket(in: daemon.folder)
        let region = CircularRegion(identifier: "my-secret-home", latitude: 12.345_678_9, longitude: 3, radius: 100)
        _ = try await daemon.call(Grant.self, .init(app: app, level: .always))
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region, wake: wake.path))
        #expect(try await daemon.ctl("visits", "--clear", "--app", app).status == 0)
        #expect(try traces(daemon) == [])
        #expect(try await daemon.call(ListRegions.self, Nothing()).regions.isEmpty)
        let kept = try await daemon.list(ListApps.self, UserScope(uid: Int(getuid()))).apps.first { $0.app == app }
        #expect(kept?.status == .authorizedAlways)
    }

    /// The traces of the region in the daemon's state folder.
    private func traces(_ daemon: TestDaemon) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: daemon.state)
        let content = try files.map { try Data(contentsOf: URL(filePath: "\(daemon.state)/\($0)")) }
        let latitude = withUnsafeBytes(of: (12.345_678_9).bitPattern.bigEndian) { Data($0) }
        return [("name", Data("my-secret-home".utf8)), ("wake", Data("/wake".utf8)), ("place", latitude)]
            .filter { trace in content.contains { $0.range(of: trace.1) != nil } }.map(\.0)
    }
}
