import Foundation
import LocationModel
import LocationProtocol
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import CoreLocation
@testable import CoreLocationDaemon

/// The open streams of one app, over each front, and of the publisher, while the user changes their authorizations. No
/// other app has reduced accuracy, so nothing but these decisions keeps or forgets the cell of the quarter.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct OpenStreamsTests {
    @Test func eachFrontFollowsEachDecision() async throws {
        let scene = try await Scene()
        let exact = ["exact"]
        let full = ["status authorizedWhenInUse fullAccuracy", "exact"]
        let allExact = ["Varlink": exact, "gpsd": exact, "GeoClue": exact, "Core Location": full, "publisher": exact]
        let reduced = ["status authorizedWhenInUse reducedAccuracy", "cell"]
        let denied = ["status denied fullAccuracy", "failure denied"]

        try await scene.decide("full") { try await scene.grant(.full) }
        try await scene.start()
        try await scene.expect(allExact)
        // Twice in a quarter of an hour: the cell is there again, although it was forgotten in between.
        for _ in 1...2 {
            try await scene.decide("reduced") { try await scene.grant(.reduced) }
            try await scene.expect([
                "Varlink": ["accuracy reduced", "cell"], "gpsd": ["cell"], "GeoClue": ["cell"],
                "Core Location": reduced, "publisher": ["cell"],
            ])
            #expect(try #require(scene.manager.location).horizontalAccuracy > 1000)
            try await scene.expectNothingMore()
            try await scene.decide("full again") { try await scene.grant(.full) }
            try await scene.expect([
                "Varlink": ["accuracy full", "exact"], "gpsd": exact, "GeoClue": exact, "Core Location": full,
                "publisher": exact,
            ])
        }
        try await scene.decide("revoke") { try await scene.revoke() }
        try await scene.expect([
            "Varlink": ["ended NotAuthorized"], "gpsd": ["no fix"], "GeoClue": ["inactive"], "Core Location": denied,
            "publisher's log": ["denied"],
        ])
        #expect(scene.manager.location == nil)
        try await scene.expectNothingMore()
        try await scene.decide("grant") { try await scene.grant(.full) }
        try await scene.restart()
        try await scene.expect(allExact)
        try await scene.decide("services off") { _ = try await scene.daemon.ctl("disable") }
        try await scene.expect([
            "Varlink": ["ended ServicesDisabled"], "gpsd": ["no fix"], "GeoClue": ["inactive"],
            "Core Location": denied, "publisher's log": ["services off"],
        ])
        try await scene.decide("services on") { _ = try await scene.daemon.ctl("enable") }
        try await scene.restart()
        try await scene.expect(allExact)
        // The quarter has its cell for a new grant too.
        try await scene.decide("reduced") { try await scene.grant(.reduced) }
        try await scene.expect([
            "Varlink": ["accuracy reduced", "cell"], "gpsd": ["cell"], "GeoClue": ["cell"], "Core Location": reduced,
            "publisher": ["cell"],
        ])
        try await scene.decide("revoke") { try await scene.revoke() }
        try await scene.expect([
            "Varlink": ["ended NotAuthorized"], "gpsd": ["no fix"], "GeoClue": ["inactive"],
            "Core Location": denied, "publisher's log": ["denied"],
        ])
        try await scene.decide("grant, reduced") { try await scene.grant(.reduced) }
        try await scene.restart()
        try await scene.expect([
            "Varlink": ["cell"], "gpsd": ["cell"], "GeoClue": ["cell"], "Core Location": reduced,
            "publisher": ["cell"],
        ])
        scene.printTable()
    }
}

/// A daemon with all fronts, an app with a stream over each of them: this process, and the publisher.
private final class Scene {
    private typealias Row = (decision: String, lines: [String: [String]])

    let daemon: TestDaemon
    private let app: String
    let manager: CLLocationManager
    private let bus: PrivateBus
    /// Another app, with full accuracy. Its locations show that the receiver goes on.
    private let witness: RunningProgram
    private let publisher: FixtureApp
    private let publishing: RunningProgram
    private let server: RecordingHTTPServer
    private let port: ReservedPort
    private let delegate = LinesDelegate()
    private var gpsd: GPSDConnection?
    private var geoclue: GeoClueApp?
    private let updates = Lines()
    /// The numbers of the reports and lines of the publisher's log that were read.
    private var published = (reports: 0, lines: 0)
    /// The lines of each front since the last decision, without repetitions.
    private var lines: [String: [String]] = [:]
    private var rows: [Row] = []

    init() async throws {
        bus = try await PrivateBus.system()
        port = try ReservedPort()
        daemon = try await TestDaemon(
            receivers: ["simulated"],
            configuration: GPSDFrontDaemon.configuration(port: port.number) + GeoClueFrontDaemon.configuration,
            launcher: GeoClueFrontDaemon.launcher(on: bus))
        try await bus.waitForOwner(of: GeoClue.name)
        try await daemon.grantCtl(.always)
        witness = try daemon.startCtl("watch", "--json", "--no-pauses")
        app = try await daemon.ownApp()
        server = try await RecordingHTTPServer()
        publisher = try await FixtureApp("locationd-publish", daemon)
        let configuration = "broker = \"http://127.0.0.1:\(server.port)/\"\nformat = \"json\"\ndevice = \"van\"\n"
        try publisher.folder.write(configuration, to: "publish.toml")
        publishing = try publisher.start(
            "--config", publisher.folder.path + "/publish.toml", "--state-directory", publisher.folder.path + "/queue")
        let session = AppSession(runtimeDirectory: daemon.runtime)
        manager = Backend.$current.withValue(DaemonBackend(session)) { CLLocationManager() }
        manager.pausesLocationUpdatesAutomatically = false
    }

    /// Opens all streams.
    func start() async throws {
        manager.delegate = delegate
        manager.startUpdatingLocation()
        let connection = GPSDConnection(try TCPSocket.connect(port: port.number))
        connection.watch()
        _ = try await connection.report("WATCH")
        gpsd = connection
        let client = try await GeoClueApp(try bus.connect())
        try await client.set("DesktopId", .text("org.example.Map"))
        geoclue = client
        try await restart()
    }

    /// Opens the streams that an app has to open again after they have ended. The others come back by themselves.
    func restart() async throws {
        #expect(try await geoclue?.start() == nil)
        var options = Options()
        options.pausesAutomatically = false
        let stream = try await daemon.subscribe(options)
        Task { [updates] in
            do {
                for try await reply in stream { updates.add(reply.update) }
            } catch let error as VarlinkError {
                updates.add("ended \(error.name.split(separator: ".").last ?? "")")
            }
        }
    }

    /// Grants the location to this app and to the publisher.
    func grant(_ accuracy: AccuracyAuthorization) async throws {
        try await daemon.grantSelf(accuracy)
        _ = try await daemon.call(Grant.self, .init(app: publisher.app, level: .always, accuracy: accuracy))
    }

    func revoke() async throws {
        for app in [app, publisher.app] { _ = try await daemon.ctl("revoke", app) }
    }

    /// Makes a decision of the user, and begins a row of the table.
    func decide(_ name: String, _ decision: () async throws -> Void) async throws {
        _ = try await read()
        try await decision()
        lines = [:]
        rows.append((name, [:]))
    }

    /// Waits until the last lines of each front are the expected ones. An exact location may precede them, because it
    /// was on its way; none may follow a cell or an end.
    func expect(_ expected: [String: [String]]) async throws {
        do {
            try await eventually("\(expected)") {
                let lines = try await read()
                // A change of the accuracy and a location arrive on two connections, in either order.
                return expected.allSatisfy {
                    (lines[$0.key] ?? []).suffix($0.value.count).sorted() == $0.value.sorted()
                }
            }
        } catch {
            throw Overdue(what: "\(expected) after \(rows.last?.decision ?? "") in \(lines)")
        }
        for (front, last) in expected where last.last != "exact" {
            #expect(lines[front]?.drop { $0 != last.last }.contains("exact") == false, "\(front): \(lines)")
        }
        rows[rows.count - 1].lines = lines
    }

    /// Checks that the fronts get nothing else while the receiver goes on. A report of the publisher may have been on
    /// its way to the server.
    func expectNothingMore() async throws {
        let (count, before) = (witness.lines.count, lines)
        func others(_ lines: [String: [String]]) -> [String: [String]] { lines.filter { $0.key != "publisher" } }
        try await eventually("a fix for another app") { witness.lines.count > count }
        let reports = try await read()["publisher"]
        try await eventually("fixes for another app") { witness.lines.count > count + 2 }
        #expect(others(try await read()) == others(before))
        #expect(lines["publisher"] == reports)
    }

    private func read() async throws -> [String: [String]] {
        add(updates.take(), to: "Varlink")
        add(delegate.lines.take(), to: "Core Location")
        for report in try await gpsd?.reportsSoFar() ?? [] where report.kind == "TPV" {
            let isCell = report.number("eph") ?? 0 > 1000
            add([report.hasPlace ? (isCell ? "cell" : "exact") : "no fix"], to: "gpsd")
        }
        for update in try await geoclue?.updates() ?? [] {
            guard let accuracy = update.real("Accuracy") else { continue }
            add([accuracy > 1000 ? "cell" : "exact"], to: "GeoClue")
        }
        for report in server.requests.dropFirst(published.reports) {
            published.reports += 1
            let json = try JSONSerialization.jsonObject(with: Data(report.body.utf8)) as? [String: Any]
            guard let accuracy = json?["horizontalAccuracy"] as? Double else { continue }
            add([accuracy > 1000 ? "cell" : "exact"], to: "publisher")
        }
        for line in publishing.errors.split(separator: "\n").dropFirst(published.lines) {
            published.lines += 1
            if line.contains("not authorized (denied)") { add(["denied"], to: "publisher's log") }
            if line.contains("location services are off") { add(["services off"], to: "publisher's log") }
        }
        if let geoclue, try await geoclue.get("Active") == .flag(false) { add(["inactive"], to: "GeoClue") }
        return lines
    }

    private func add(_ new: [String], to front: String) {
        for line in new where lines[front]?.last != line { lines[front, default: []].append(line) }
    }

    /// Prints the lines of each front after each decision.
    func printTable() {
        for row in rows {
            for (front, lines) in row.lines.sorted(by: { $0.key < $1.key }) {
                print("\(row.decision) | \(front) | \(lines.joined(separator: ", "))")
            }
        }
    }
}

/// Lines that are recorded on any thread.
private final class Lines: Sendable {
    private let recorded = Mutex<[String]>([])

    func add(_ line: String) {
        recorded.withLock { $0.append(line) }
    }

    func add(_ update: Update?) {
        guard let update else { return }
        if let location = update.location { add(location.horizontalAccuracy ?? 0 > 1000 ? "cell" : "exact") }
        if let authorization = update.authorization { add("accuracy \(authorization.accuracy)") }
    }

    func take() -> [String] {
        recorded.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

private final class LinesDelegate: NSObject, CLLocationManagerDelegate {
    let lines = Lines()

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        lines.add("status \(manager.authorizationStatus) \(manager.accuracyAuthorization)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations { lines.add(location.horizontalAccuracy > 1000 ? "cell" : "exact") }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        guard let error = error as? CLError else { return }
        lines.add(error.code == .denied ? "failure denied" : "failure \(error.code.rawValue)")
    }
}
