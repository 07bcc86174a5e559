import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Beacons through the real daemon: simulated ones, and ones that a double of BlueZ hears.
@Suite(.timeLimit(.minutes(15))) struct BeaconTests {
    private static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

    private static func range(
        _ daemon: TestDaemon, major: Int? = nil
    ) async throws -> VarlinkStream<RangingReport>.Iterator {
        let client = try await daemon.connect(to: LocationInterface.self)
        let constraint = BeaconConstraint(uuid: uuid, major: major)
        return try client.stream(
            RangeBeacons.qualifiedName, RangeBeacons.Parameters(constraint: constraint), of: RangingReport.self
        ).makeAsyncIterator()
    }

    /// Returns the first report for which `condition` holds.
    private static func report(
        of reports: inout VarlinkStream<RangingReport>.Iterator, where condition: (RangingReport) -> Bool
    ) async throws -> RangingReport {
        while let report = try await reports.next() { if condition(report) { return report } }
        throw Overdue(what: "a report")
    }

    // MARK: Simulated beacons

    @Test func simulatedBeaconsAreRangedByTheCommandLine() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantCtl()
        let simulation = try await daemon.ctl(
            "simulate", "--beacon", "\(Self.uuid),1,1@4", "--beacon", "\(Self.uuid),1,2@1",
            "--beacon", "\(Self.uuid),2,1@0.3")
        #expect(simulation.output == "Simulated: 3 beacons are in range.\n", "\(simulation.errors)")
        let list = try await daemon.ctl("beacons", Self.uuid.uppercased(), "-n", "1")
        let lines = list.output.split(separator: "\n").map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
        #expect(
            lines == ["2 1 immediate 0.3 m -49 dBm", "1 2 near 1.0 m -59 dBm", "1 1 far 4.0 m -71 dBm"],
            "\(list.output)\(list.errors)")
        let json = try await daemon.ctl("beacons", Self.uuid, "--major", "1", "--minor", "2", "--json", "-n2")
        let report = try JSONSerialization.jsonObject(with: Data(json.output.split(separator: "\n")[1].utf8))
        let beacons = try #require((report as? [String: Any])?["beacons"] as? [[String: Any]])
        #expect(beacons.count == 1)
        #expect(beacons.first?["uuid"] as? String == Self.uuid)
        #expect(beacons.first?["minor"] as? Int == 2)
        try await daemon.grantSelf()
        #expect(try await daemon.call(GetRanging.self, Nothing()).available)
        // The lists are counted.
        let indicator = try await daemon.call(GetIndicator.self, UserScope()).apps
        #expect(!indicator.isEmpty)
        #expect(try await daemon.ctl("simulate", "--stop").status == 0)
    }

    @Test(arguments: [
        (["beacons", "nonsense"], 2, "constraint"), (["beacons", "x", "--minor", "1"], 2, "--major"),
        (["simulate", "--beacon", "x,1@2"], 2, "UUID,MAJOR,MINOR@METRES"),
        (["simulate", "--beacon", "x,1,2@900"], 2, "200 m"), (["simulate", "--beacon", "x,1,2@1"], 1, "UUID"),
    ])
    func mistakesAreExplained(_ arguments: [String], _ status: Int, _ message: String) async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantCtl()
        let result = try await Program.run(
            Program.path("locationctl"), arguments, environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
        #expect(result.status == status, "\(result.output)\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func aReportComesEachSecond() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        var parameters = Simulate.Parameters()
        parameters.beacons = [.init(uuid: Self.uuid, major: 1, minor: 1, distance: 2)]
        _ = try await daemon.call(Simulate.self, parameters)
        var reports = try await Self.range(daemon)
        var times: [Timestamp] = []
        while times.count < 6, let report = try await reports.next() {
            times += report.beacons.map(\.timestamp)
        }
        // The reports' own time: the machine may be held up, and the reports with it.
        let gaps = zip(times, times.dropFirst()).map { $1.seconds(since: $0) }
        #expect(gaps.allSatisfy { $0 >= 0.8 }, "\(gaps)")
    }

    /// Attack: an app with reduced accuracy, without a grant, or after a revocation, learns the place from beacons.
    @Test func beaconsNeedFullAccuracy() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let denied = VarlinkError("io.locationd.Location.RegionMonitoringDenied")
        try await daemon.grantSelf(.reduced)
        await #expect(throws: denied) {
            var reports = try await Self.range(daemon)
            _ = try await reports.next()
        }
        try await daemon.grantSelf(.full)
        var reports = try await Self.range(daemon)
        var parameters = Simulate.Parameters()
        parameters.beacons = [.init(uuid: Self.uuid, major: 1, minor: 1, distance: 2)]
        _ = try await daemon.call(Simulate.self, parameters)
        _ = try await Self.report(of: &reports) { !$0.beacons.isEmpty }
        try await daemon.grantSelf(.reduced)
        await #expect(throws: denied) { while try await reports.next() != nil {} }
    }

    // MARK: Regions

    private static func simulate(_ beacons: [(uuid: String, minor: Int)], _ daemon: TestDaemon) async throws {
        var parameters = Simulate.Parameters()
        parameters.beacons = beacons.map { .init(uuid: $0.uuid, major: 1, minor: $0.minor, distance: 2) }
        _ = try await daemon.call(Simulate.self, parameters)
    }

    private static let others = [(uuid: "00000000-0000-0000-0000-000000000001", minor: 1)]

    private static func region(_ identifier: String = "shop", major: Int? = nil) -> BeaconRegion {
        BeaconRegion(identifier: identifier, constraint: BeaconConstraint(uuid: uuid, major: major))
    }

    @Test func aRegionIsEnteredWithTheFirstSignalAndLeftAfterSilence() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        try await Self.simulate(Self.others, daemon)
        _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: Self.region()))
        let list = try await daemon.call(ListRegions.self, Nothing())
        #expect(list.regions.isEmpty && list.beaconRegions == [Self.region()])
        let client = try await daemon.connect(to: LocationInterface.self)
        var events = try client.stream(
            MonitorRegions.qualifiedName, Nothing(), of: MonitorRegions.Reply.self
        ).makeAsyncIterator()
        #expect(try await events.next()?.event == RegionEvent(identifier: "shop", state: .unknown))
        #expect(try await events.next()?.event == RegionEvent(identifier: "shop", state: .outside))
        try await Self.simulate([(Self.uuid, 4), (Self.uuid, 5)], daemon)
        let entry = try #require(try await events.next()?.event)
        #expect(entry.state == .inside && entry.location == nil)
        #expect(entry.beacon?.uuid == Self.uuid && entry.beacon?.major == 1)
        #expect(try await daemon.call(GetRegionState.self, .init(identifier: "shop")).state == .inside)
        // One of two is still there.
        try await Self.simulate([(Self.uuid, 5)], daemon)
        try await Self.simulate(Self.others, daemon)
        let exit = RegionEvent(
            identifier: "shop", state: .outside, beacon: BeaconConstraint(uuid: Self.uuid))
        #expect(try await events.next()?.event == exit)
        let sessions = try await daemon.ctl("sessions")
        #expect(sessions.output.contains("shop"), "\(sessions.output)")
    }

    @Test func aRegionStartsAnAppAndOutlastsTheDaemon() async throws {
        let folder = try TemporaryFolder()
        let wake = try WakeSocket(in: folder)
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        _ = try await daemon.call(Grant.self, .init(app: try await daemon.ownApp(), level: .always))
        _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: Self.region(), wake: wake.path))
        try await Self.simulate(Self.others, daemon)
        try await eventually("the first state") {
            try await daemon.call(GetRegionState.self, .init(identifier: "shop")).state == .outside
        }
        // A user's changes keep their order. So when these are answered, the region's state is on the disk.
        _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: Self.region("other")))
        _ = try await daemon.call(StopMonitoringRegion.self, .init(identifier: "other"))
        try await daemon.kill()
        try await daemon.start()
        #expect(try await daemon.call(ListRegions.self, Nothing()).beaconRegions == [Self.region()])
        try await Self.simulate([(Self.uuid, 4)], daemon)
        let line = try await wake.line()
        #expect(line.contains("MonitorRegions") && line.contains(#""state":"inside""#), "\(line)")
        #expect(line.contains(#""minor":4"#), "\(line)")
    }

    @Test func bothKindsShareIdentifiersAndTheLimit() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let circle = CircularRegion(identifier: "shop", latitude: 47.5, longitude: 8.75, radius: 100)
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: circle))
        _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: Self.region()))
        var list = try await daemon.call(ListRegions.self, Nothing())
        #expect(list.regions.isEmpty && list.beaconRegions?.count == 1)
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: circle))
        list = try await daemon.call(ListRegions.self, Nothing())
        #expect(list.regions == [circle] && list.beaconRegions == nil)
        for number in 1..<20 {
            _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: Self.region("b\(number)")))
        }
        await #expect(throws: VarlinkError("io.locationd.Location.TooManyRegions")) {
            _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: Self.region("b20")))
        }
        _ = try await daemon.call(StopMonitoringRegion.self, .init(identifier: "b1"))
        #expect(try await daemon.call(ListRegions.self, Nothing()).beaconRegions?.count == 18)
        await #expect(throws: VarlinkError.self) {
            var region = Self.region("invalid")
            region.uuid = "x"
            _ = try await daemon.call(StartMonitoringBeaconRegion.self, .init(region: region))
        }
    }

    // MARK: A double of BlueZ

    /// A daemon, and a double of BlueZ with adapters.
    private struct Scene {
        let bus: PrivateBus
        let blueZ: BlueZDouble
        let daemon: TestDaemon

        init(_ state: String = "{}") async throws {
            // The last two are BlueZ's own rules for its user, root.
            bus = try await PrivateBus.system(
                isForBlueZ: true,
                rules: [
                    "<allow own=\"org.bluez\"/>", "<allow send_destination=\"org.bluez\"/>",
                    "<allow send_interface=\"org.bluez.AdvertisementMonitor1\"/>",
                    "<allow send_interface=\"org.freedesktop.DBus.ObjectManager\"/>",
                ])
            blueZ = try await BlueZDouble(on: bus, state, script: "Servers/bluez_adapters")
            daemon = try await TestDaemon(receivers: ["simulated"], launcher: GeoClueFrontDaemon.launcher(on: bus))
            try await daemon.grantSelf()
        }
    }

    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func beaconsAreScannedForOnlyWhileAnAppAsks() async throws {
        let scene = try await Scene()
        #expect(scene.blueZ.events.isEmpty)
        do {
            var reports = try await Self.range(scene.daemon)
            try await scene.blueZ.wait(for: "StartDiscovery")
            #expect(
                scene.blueZ.events == [
                    #"SetDiscoveryFilter {"DuplicateData": true, "Transport": "le"}"#, "StartDiscovery",
                ])
            try scene.blueZ.command("chatter 200")
            try scene.blueZ.command("beacon 1 1 -59")
            try scene.blueZ.command("beacon 1 2 -75")
            let report = try await Self.report(of: &reports) { $0.beacons.count == 2 }
            #expect(report.beacons.map(\.minor) == [1, 2])
            #expect(report.beacons.map(\.proximity) == [.near, .far])
            #expect(abs((report.beacons[0].accuracy ?? 0) - 1) < 0.01)
            #expect(report.beacons.map(\.rssi) == [-59, -75])
            try scene.blueZ.command("silence")
            _ = try await Self.report(of: &reports) { $0.beacons.allSatisfy { $0.proximity == .unknown } }
            _ = try await Self.report(of: &reports) { $0.beacons.isEmpty }
        }
        // Either the daemon ends the discovery, or its connection to the bus does.
        try await eventually("the end of the discovery: \(scene.blueZ.events)") {
            scene.blueZ.events.contains { $0 == "StopDiscovery" || $0 == "left" }
        }
    }

    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func anAdapterThatIsOffBlockedOrBusyIsReported() async throws {
        let scene = try await Scene(#"{"powered": false, "blocked": true}"#)
        var reports = try await Self.range(scene.daemon)
        let blocked = try await Self.report(of: &reports) { $0.unavailable != nil }
        #expect(blocked.unavailable?.contains("blocked") == true)
        let receivers = try await scene.daemon.ctl("receivers")
        #expect(receivers.output.contains("blocked"), "\(receivers.output)")
        try scene.blueZ.command("power on")
        try await scene.blueZ.wait(for: "StartDiscovery")
        try scene.blueZ.command("beacon 1 1 -59")
        _ = try await Self.report(of: &reports) { !$0.beacons.isEmpty }
        try scene.blueZ.command("power off")
        let off = try await Self.report(of: &reports) { $0.unavailable != nil }
        #expect(off.unavailable?.contains("off") == true && off.beacons.isEmpty, "\(off)")
        try scene.blueZ.command("power on")
        _ = try await Self.report(of: &reports) { !$0.beacons.isEmpty }

        let busy = try await Scene(#"{"busy": 1}"#)
        var others = try await Self.range(busy.daemon)
        #expect(try await Self.report(of: &others) { $0.unavailable != nil }.unavailable?.contains("busy") == true)
        try await busy.blueZ.wait(for: "StartDiscovery", count: 2)
        _ = try await Self.report(of: &others) { $0.unavailable == nil }
    }

    private static func watch(_ scene: Scene) async throws {
        let app = try await scene.daemon.ownApp()
        _ = try await scene.daemon.call(Grant.self, .init(app: app, level: .always))
        _ = try await scene.daemon.call(StartMonitoringBeaconRegion.self, .init(region: region(major: 1)))
        let data = "4c000215" + uuid.replacing("-", with: "") + "0001"
        try await scene.blueZ.wait(for: "monitor or_patterns 0 255 \(data) 1 10")
    }

    private static func state(_ scene: Scene) async throws -> RegionState {
        try await scene.daemon.call(GetRegionState.self, .init(identifier: "shop")).state
    }

    /// No app in use waits for the crossings, so nothing scans all the time.
    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func aMonitorStartsAScan() async throws {
        let scene = try await Scene(#"{"monitors": true}"#)
        try await Self.watch(scene)
        try await scene.blueZ.wait(for: "StopDiscovery")
        #expect(try await Self.state(scene) == .outside)
        try scene.blueZ.command("beacon 1 1 -59")
        try await scene.blueZ.wait(for: "StartDiscovery", count: 2)
        try await eventually("the entry") { try await Self.state(scene) == .inside }
        try await scene.blueZ.wait(for: "StopDiscovery", count: 2)
        _ = try await scene.daemon.call(StopMonitoringRegion.self, .init(identifier: "shop"))
        try await scene.blueZ.wait(for: "UnregisterMonitor")
    }

    /// Attack: an app replaces its regions without end, and bluetoothd, which serves all programs, gets each change.
    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func monitorsChangeOnceASecondHoweverOftenRegionsDo() async throws {
        let scene = try await Scene(#"{"monitors": true}"#)
        let start = ContinuousClock.now
        try await Self.watch(scene)
        for major in 2..<256 {
            _ = try await scene.daemon.call(StartMonitoringBeaconRegion.self, .init(region: Self.region(major: major)))
        }
        let data = "4c000215" + Self.uuid.replacing("-", with: "") + "00ff"
        try await scene.blueZ.wait(for: "monitor or_patterns 0 255 \(data) 1 10")
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let count = scene.blueZ.events.count { $0.hasPrefix("monitor ") }
        #expect(Double(count) <= seconds + 2, "\(count) monitors in \(seconds) s")
    }

    /// The kernel has no monitors, which BlueZ finds out after the registration.
    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func aReleasedMonitorIsGivenUp() async throws {
        let scene = try await Scene(#"{"monitors": true}"#)
        try await Self.watch(scene)
        try scene.blueZ.command("release")
        try await scene.blueZ.wait(for: "UnregisterMonitor")
        try scene.blueZ.command("beacon 1 1 -59")
        try await eventually("the entry") { try await Self.state(scene) == .inside }
        #expect(scene.blueZ.events.count { $0 == "RegisterMonitor" } == 1)
    }

    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func blueZIsLostAndFound() async throws {
        let scene = try await Scene()
        var reports = try await Self.range(scene.daemon)
        try await scene.blueZ.wait(for: "StartDiscovery")
        try await scene.blueZ.kill()
        let lost = try await Self.report(of: &reports) { $0.unavailable != nil }
        #expect(lost.unavailable?.contains("BlueZ") == true)
        let other = try await BlueZDouble(on: scene.bus, script: "Servers/bluez_adapters")
        try await other.wait(for: "StartDiscovery")
        try other.command("beacon 1 1 -59")
        _ = try await Self.report(of: &reports) { !$0.beacons.isEmpty }
    }

    /// Attack: manufacturer data of 8 MB, ten thousand devices, and a beacon with another identity in each packet.
    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func floodsOfAdvertisementsAreBounded() async throws {
        let scene = try await Scene()
        var reports = try await Self.range(scene.daemon)
        try await scene.blueZ.wait(for: "StartDiscovery")
        try scene.blueZ.command("large 8000000")
        try scene.blueZ.command("flood 10000")
        try scene.blueZ.command("beacon 999 1 -30")
        let report = try await Self.report(of: &reports) { $0.beacons.contains { $0.major == 999 } }
        #expect(report.beacons.count <= 64)
        let location = try await scene.daemon.call(GetLocation.self, .init())
        #expect(location.location.simulated)
    }

    /// Attack: a program on the bus sends the signals of BlueZ, and so makes up a place.
    @Test(.enabled(if: BlueZDouble.isPossible, "needs dbus-daemon and python3-gi"))
    func forgedSignalsAreNoBeacons() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let bus = try await PrivateBus(in: folder)
        let blueZ = try await BlueZDouble(on: bus, script: "Servers/bluez_adapters")
        let daemon = try await TestDaemon(receivers: [], launcher: GeoClueFrontDaemon.launcher(on: bus))
        try await daemon.grantSelf()
        var reports = try await Self.range(daemon)
        try await blueZ.wait(for: "StartDiscovery")
        // The other program is one more double, whose name is taken already.
        let forger = try await BlueZDouble(on: bus, #"{"forged": true}"#, script: "Servers/bluez_adapters")
        try forger.command("beacon 666 1 -40")
        try blueZ.command("beacon 1 1 -59")
        let report = try await Self.report(of: &reports) { !$0.beacons.isEmpty }
        let next = try await reports.next()
        #expect((report.beacons + (next?.beacons ?? [])).allSatisfy { $0.major == 1 })
    }
}
