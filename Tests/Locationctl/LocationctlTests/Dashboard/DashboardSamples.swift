import LocationModel
import LocationProtocol
import TestSupport

@testable import LocationctlSupport
@testable import TerminalScreens

/// Scripted events for a dashboard.
enum DashboardSamples {
    static let now = Timestamp("2026-06-01T12:05:00.000Z")!
    static let fullAuthorization = Authorization(
        status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)

    static func key(_ app: String, uid: UInt32 = 1000) -> AppKey { AppKey(uid: uid, app: AppIdentity(app)!) }

    static func time(_ minutesAgo: Double) -> Timestamp { now.adding(seconds: Int64(-60 * minutesAgo)) }

    // MARK: Apps

    /// The revision of each sample.
    static let revision = 7

    /// The scope of a call that names the seen decision of a sample.
    static func seen(_ app: String) -> AppScope { AppScope(app: app, uid: 1000, revision: revision) }

    static func app(
        _ app: String, _ status: AuthorizationStatus, _ accuracy: AccuracyAuthorization = .full, name: String? = nil,
        fronts: [String]? = nil, decision: DecisionSummary? = nil
    ) -> AppSummary {
        let level: DecisionSummary.Level? =
            switch status {
            case .notDetermined, .restricted: nil
            case .denied: .denied
            case .authorizedWhenInUse: .whenInUse
            case .authorizedAlways: .always
            }
        var summary = AppSummary(
            key: key(app), authorization: Authorization(status: status, accuracy: accuracy, servicesEnabled: true),
            decision: decision ?? level.map { DecisionSummary(level: $0, accuracy: accuracy) }, revision: revision)
        summary.displayName = name
        summary.fronts = fronts
        return summary
    }

    static func use(_ app: String, active: Bool = false, minutesAgo: Double, background: Bool = false)
        -> IndicatorEntry
    {
        IndicatorEntry(
            key: key(app), active: active, background: background, accuracy: .full, lastUse: time(minutesAgo))
    }

    static func session(_ app: String, front: String = "varlink") -> SessionSummary {
        var session = SessionSummary(key: key(app), pid: 4711, method: "Subscribe", state: .active, since: time(90))
        session.front = front
        session.desiredAccuracy = .best
        return session
    }

    static func deliveries(_ app: String, hoursAgo: Double, _ count: Int, background: Bool = false) -> AccessLogEntry {
        AccessLogEntry(
            key: key(app), hour: Timestamp("2026-06-01T12:00:00.000Z")!.adding(seconds: Int64(-3600 * hoursAgo)),
            deliveries: count, accuracy: .full, background: background)
    }

    static let maps = "flatpak:org.gnome.Maps"
    static let tracker = "exe:/opt/tracker/bin/tracker"
    static let weather = "exe:/usr/bin/weather"
    static let game = "snap:game"
    static let own = "exe:/usr/bin/locationctl"

    static var apps: [AppSummary] {
        [
            app(maps, .authorizedWhenInUse, name: "Maps", fronts: ["geoclue"]), app(tracker, .authorizedAlways),
            app(weather, .authorizedWhenInUse, .reduced), app(game, .denied, name: "Game"),
            app(own, .authorizedWhenInUse, fronts: ["varlink"]),
        ]
    }

    static var uses: [IndicatorEntry] {
        [
            use(maps, active: true, minutesAgo: 0), use(own, active: true, minutesAgo: 0),
            use(tracker, minutesAgo: 23, background: true), use(weather, minutesAgo: 150),
        ]
    }

    static var log: [AccessLogEntry] {
        [
            deliveries(maps, hoursAgo: 0, 290), deliveries(maps, hoursAgo: 1, 3600),
            deliveries(own, hoursAgo: 0, 12), deliveries(tracker, hoursAgo: 0, 4, background: true),
        ] + (0..<8).map { deliveries(tracker, hoursAgo: Double($0 * 3), 40 + $0, background: true) }
            + [deliveries(weather, hoursAgo: 2, 1)]
    }

    // MARK: Receivers

    static var receivers: [ReceiverSummary] {
        var first = ReceiverSummary(name: "ttyACM0", specification: "usb:1546:01a8", state: .running, fixes: 310)
        first.inUse = true
        first.choice = .otherLost
        first.horizontalAccuracy = 2.4
        first.satellitesUsed = 11
        first.dropped = [
            DroppedInput(reason: .wrongChecksum, count: 12), DroppedInput(reason: .repeatedTime, count: 1),
        ]
        var second = ReceiverSummary(name: "ttyUSB0", specification: "serial:/dev/ttyUSB0", state: .lost, fixes: 0)
        second.message = "/dev/ttyUSB0 is not there: is the receiver plugged in?"
        return [first, second]
    }

    static var satellites: [ReceiverSatellites] {
        func satellite(
            _ constellation: Satellite.Constellation, _ number: Int, _ elevation: Double, _ azimuth: Double,
            _ strength: Double?, used: Bool
        ) -> Satellite {
            var satellite = Satellite(constellation: constellation, number: number, used: used)
            satellite.elevation = elevation
            satellite.azimuth = azimuth
            satellite.signalStrength = strength
            return satellite
        }
        return [
            ReceiverSatellites(
                receiver: "ttyACM0",
                satellites: [
                    satellite(.gps, 2, 80, 10, 47, used: true), satellite(.gps, 5, 45, 120, 41, used: true),
                    satellite(.gps, 7, 30, 250, 33, used: true), satellite(.gps, 30, 8, 300, 19, used: false),
                    satellite(.gps, 31, 3, 60, nil, used: false), satellite(.glonass, 4, 50, 330, 35, used: true),
                    satellite(.glonass, 12, 12, 180, 22, used: false), satellite(.galileo, 8, 60, 200, 44, used: true),
                    satellite(.galileo, 26, 25, 90, 38, used: true), satellite(.beidou, 9, 20, 45, 28, used: false),
                ])
        ]
    }

    static func location(_ second: Int) -> Location {
        var location = Location(
            timestamp: now.adding(seconds: Int64(second - 300)), latitude: 48.208493 + Double(second) * 1e-6,
            longitude: 16.373127)
        location.horizontalAccuracy = 6 - Double(second) / 100
        location.speed = Double(second % 100) / 10
        location.course = Double(second % 360)
        location.altitude = 171
        location.receiver = "ttyACM0"
        return location
    }

    // MARK: The state

    static let lists = DashboardEvent.Lists(
        services: GetServices.Reply(machine: true, user: true), statistics: Statistics(version: "0.9.0"),
        receivers: receivers)

    /// Returns a state after five minutes without any fault.
    static func state(_ more: [DashboardEvent] = []) -> DashboardState {
        var state = DashboardState(ownApp: key(own))
        var time = 0.0
        func send(_ event: DashboardEvent) { _ = state.received(event, at: time) }
        send(.connected)
        send(.authorization(fullAuthorization))
        send(.apps(apps))
        send(.sessions([session(maps, front: "geoclue"), session(own)]))
        send(.uses(uses))
        send(.prompts([]))
        send(.lists(lists))
        send(.log(log))
        var receivers = receivers
        for second in 0..<300 {
            time = Double(second)
            receivers[0].fixes = second
            send(.update(Update(event: .location, location: location(second))))
            send(.receivers(receivers))
        }
        send(.satellites(satellites))
        for event in more { send(event) }
        return state
    }

    /// Returns the screen of a state.
    static func screen(
        _ state: DashboardState, columns: Int = 80, rows: Int = 24, _ capabilities: TerminalCapabilities,
        at time: Double = 300,
        isPrinted: Bool = false
    ) -> DashboardScreen {
        DashboardScreen(
            state, columns: columns, rows: rows, glyphs: .of(capabilities), now: now, at: time, isPrinted: isPrinted)
    }
}
