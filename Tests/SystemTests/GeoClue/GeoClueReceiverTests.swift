import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Apps that use GeoClue on a machine without a receiver.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct GeoClueReceiverTests {
    private func daemon(on bus: PrivateBus, discover: Bool = false) async throws -> TestDaemon {
        let daemon = try await TestDaemon(
            receivers: [], configuration: GeoClueFrontDaemon.configuration, discover: discover,
            launcher: GeoClueFrontDaemon.launcher(on: bus))
        try await bus.waitForOwner(of: GeoClue.name)
        return daemon
    }

    private func app(on bus: PrivateBus) async throws -> GeoClueApp {
        let app = try await GeoClueApp(try bus.connect())
        try await app.set("DesktopId", .text("org.example.Map"))
        return app
    }

    /// The app gets an answer, the user no prompt, and an app that starts once there is a receiver gets its location.
    @Test func startFailsUntilThereIsAReceiver() async throws {
        let bus = try await PrivateBus.system()
        let daemon = try await daemon(on: bus)
        let app = try await app(on: bus)
        #expect(try await app.start() == "Failed")
        #expect(try await app.get("Active") == .flag(false))
        #expect(try await daemon.call(MonitorPrompts.self, .init()).prompts.isEmpty)
        try await daemon.grantSelf(.full)
        #expect(try await app.start() == "Failed")
        #expect(try await daemon.ctl("simulate", "--at", "47.1,8.7").status == 0)
        #expect(try await app.start() == nil)
        var updates: [GeoClueApp.Update] = []
        try await eventually("a location") {
            updates += try await app.updates()
            return !updates.isEmpty
        }
    }

    /// The bus starts the daemon for the first caller, and ModemManager may answer later than that caller asks.
    @Test(.enabled(if: MockedModems.isPossible, "needs dbusmock"))
    func startWaitsForTheListOfModems() async throws {
        let modems = try await MockedModems("[]")
        modems.halt()
        let daemon = try await daemon(on: modems.bus, discover: true)
        #expect(try await app(on: modems.bus).start() == nil)
        modems.resume()
        // A receiver may be plugged into the machine that runs the tests.
        guard try await daemon.call(ListReceivers.self, .init()).receivers.isEmpty else { return }
        try await eventually("the list of modems") { try await app(on: modems.bus).start() == "Failed" }
    }
}
