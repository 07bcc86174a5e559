import Foundation
import LocationModel
import LocationProtocol

@testable import LocationctlCommands
@testable import LocationctlSupport

/// The daemon's lists as its replies, with one row and with many.
enum ListSamples {
    static let long = "exe:/opt/x/Karten-und-Navigation-mit-sehr-langen-Namen-1.2.3/bin/navigator"

    /// A window in Berlin in winter.
    static func window(
        _ columns: Int?, _ capabilities: TerminalCapabilities = TerminalCapabilities(hasColour: false)
    ) -> OutputMedium {
        OutputMedium(
            columns: columns, capabilities: capabilities, time: LocalTime(zone: .fixed(offset: 3600, name: "CET")))
    }

    static func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    static func receivers() throws -> [ReceiverSummary] {
        var receivers: [ReceiverSummary] = try decoded(
            """
            [{"name": "u-blox 7", "specification": "usb:u-blox_7", "port": "/dev/ttyACM0", "state": "running",
              "baudRate": 9600, "framing": "8N1", "inUse": true, "choice": "moreAccurate", "fixes": 4711,
              "fixAge": 0.4,
              "horizontalAccuracy": 2.5, "satellitesUsed": 11, "horizontalDilution": 0.8, "compass": true,
              "jamming": {"level": "none", "indicator": 8}},
             {"name": "garden", "specification":
              "serial:/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-with-a-long-name-if00",
              "port": "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-with-a-long-name-if00",
              "state": "lost", "inUse": false, "fixes": 0, "compass": false,
              "message": "/dev/serial/by-id/usb-u-blox_AG is not there: is the receiver plugged in?"},
             {"name": "gpsd", "specification": "gpsd:localhost:1", "state": "lost", "inUse": false, "fixes": 0,
              "compass": false, "message": "nothing listens at localhost:1 (connection refused)"},
             {"name": "地図の受信機", "specification": "socket:/run/gnss.sock", "state": "searching", "inUse": false,
              "fixes": 12, "fixAge": 7300.0, "horizontalAccuracy": 12.0, "compass": false, "condition": "noFix",
              "satellitesInView": 3, "jamming": {"level": "critical", "indicator": 200}},
             {"name": "drive", "specification": "replay:/srv/logs/drive.nmea", "state": "ended", "inUse": false,
              "fixes": 900, "fixAge": 86400.0, "horizontalAccuracy": 4.0, "compass": false}]
            """)
        receivers += (1...6).map { number in
            ReceiverSummary(name: "spare \(number)", specification: "gpsd:host\(number)", state: .stopped, fixes: 0)
        }
        return receivers
    }

    static func apps() throws -> [AppSummary] {
        try decoded(
            """
            [{"app": "\(long)", "uid": 1000, "strength": "advisory", "status": "authorizedWhenInUse",
              "accuracy": "reduced", "servicesEnabled": true, "revision": 1,
              "decision": {"level": "whenInUse", "accuracy": "reduced", "lifetime": "untilTomorrow",
                           "until": "2026-11-27T23:00:00.000Z", "temporarilyFull": false},
              "connections": 1, "sessions": 2, "fronts": ["varlink", "gpsd"]},
             {"app": "exe:/opt/tracker/bin/tracker", "uid": 1000, "strength": "advisory", "status": "notDetermined",
              "accuracy": "full", "servicesEnabled": true, "revision": 1, "requested": "whenInUse", "reason": "to show \\u001b[31mwhere\\" you are",
              "displayName": "Tracker", "connections": 1, "sessions": 0,
              "fronts": ["varlink"]},
             {"app": "flatpak:org.gnome.Maps", "uid": 1000, "strength": "sandboxed", "status": "denied",
              "accuracy": "full", "servicesEnabled": true, "revision": 1,
              "decision": {"level": "denied", "accuracy": "full", "lifetime": "permanent", "temporarilyFull": false},
              "displayName": "地図", "connections": 0, "sessions": 0},
             {"app": "service:locationd-publish", "uid": 997, "strength": "service", "status": "authorizedAlways",
              "accuracy": "full", "servicesEnabled": true, "revision": 1,
              "decision": {"level": "always", "accuracy": "full", "lifetime": "permanent", "temporarilyFull": false},
              "connections": 1, "sessions": 1,
              "fronts": ["varlink"]}]
            """)
    }

    static func prompts() throws -> [Prompt] {
        try decoded(
            """
            [{"id": 7, "app": "exe:/opt/tracker/bin/tracker", "uid": 1000, "strength": "advisory",
              "displayName": "Tracker", "user": "alice", "question": "whenInUse",
              "description": "to show where you are", "ownWords": true, "accuracy": "full",
              "answers": ["deny", "once", "whileUsing", "untilTomorrow", "dismiss"],
              "revision": 1, "since": "2026-11-27T12:00:00.000Z"},
             {"id": 4812, "app": "\(long)", "uid": 1000, "strength": "advisory", "user": "alice",
              "question": "alwaysInsteadOfWhenInUse", "ownWords": false, "accuracy": "reduced",
              "answers": ["whileUsing", "always"], "revision": 1, "since": "2026-11-27T12:01:00.000Z"},
             {"id": 4813, "app": "flatpak:org.gnome.Maps", "uid": 1000, "strength": "sandboxed", "user": "alice",
              "question": "temporaryFullAccuracy", "description": "Finds the nearest stop.", "ownWords": false,
              "accuracy": "full", "answers": ["deny", "once", "dismiss"], "revision": 1, "since": "2026-11-27T12:02:00.000Z"}]
            """)
    }

    static func sessions() throws -> [SessionSummary] {
        try decoded(
            """
            [{"app": "exe:/usr/bin/locationctl", "uid": 1000, "pid": 4711, "front": "varlink",
              "method": "Subscribe", "state": "active", "background": false,
              "desiredAccuracy": "best", "revision": 1, "since": "2026-11-27T12:00:00.000Z", "delivered": 42, "replaced": 0},
             {"app": "\(long)", "uid": 1000, "pid": 4712, "front": "gpsd", "method": "Subscribe",
              "state": "paused", "background": true, "desiredAccuracy": "nearestTenMeters", "distanceFilter": 10.0,
              "revision": 1, "since": "2026-11-27T12:00:00.000Z", "delivered": 120034, "replaced": 3},
             {"app": "exe:/usr/bin/fence", "uid": 1001, "method": "StartMonitoringRegion",
              "state": "waiting", "background": true, "region": "home", "wake": "/run/user/1001/fence",
              "revision": 1, "since": "2026-11-26T23:30:00.000Z", "delivered": 2, "replaced": 0}]
            """)
    }

    static func log() throws -> [AccessLogEntry] {
        try decoded(
            """
            [{"app": "exe:/usr/bin/locationctl", "uid": 1000, "hour": "2026-11-27T12:00:00.000Z", "deliveries": 3600,
              "accuracy": "full", "background": false},
             {"app": "\(long)", "uid": 1001, "hour": "2026-11-27T12:00:00.000Z", "deliveries": 4,
              "accuracy": "reduced", "background": true},
             {"app": "flatpak:org.gnome.Maps", "uid": 1000, "hour": "2026-11-26T23:00:00.000Z", "deliveries": 9,
              "accuracy": "full", "background": false}]
            """)
    }

    static func uses() throws -> [IndicatorEntry] {
        try decoded(
            """
            [{"app": "exe:/usr/bin/locationctl", "uid": 1000, "active": true, "background": false,
              "accuracy": "full", "lastUse": "2026-11-27T12:00:00.000Z"},
             {"app": "\(long)", "uid": 1001, "displayName": "Karten", "active": true, "background": true,
              "accuracy": "full", "lastUse": "2026-11-27T12:00:00.000Z"},
             {"app": "flatpak:org.gnome.Maps", "uid": 1000, "active": false, "background": false,
              "accuracy": "reduced", "lastUse": "2026-11-26T23:30:00.000Z"}]
            """)
    }

    static func satellites() throws -> [ReceiverSatellites] {
        try decoded(
            """
            [{"receiver": "u-blox 7", "satellites": [
              {"constellation": "gps", "number": 7, "elevation": 62.0, "azimuth": 211.0, "signalStrength": 44.0,
               "used": true},
              {"constellation": "galileo", "number": 24, "elevation": 5.0, "azimuth": 3.0, "used": false},
              {"number": 199, "used": false}]}]
            """)
    }

    static func places() throws -> [Place] {
        try decoded(
            """
            [{"latitude": 47.5, "longitude": 8.75, "visits": 12, "lastVisit": "2026-11-26T23:30:00.000Z"},
             {"latitude": -33.918861, "longitude": -118.4233, "visits": 1, "lastVisit": "2026-11-01T06:00:00.000Z"}]
            """)
    }

    static func regions() -> [CircularRegion] {
        var work = CircularRegion(identifier: "work", latitude: 47.4, longitude: 8.5, radius: 1_000_000)
        work.notifyOnExit = false
        let long = "the long way round from the station to the hut above the lake, with the dog"
        return [
            CircularRegion(identifier: "home", latitude: 47.5, longitude: 8.75, radius: 100), work,
            CircularRegion(identifier: long, latitude: -48.1173, longitude: -111.516667, radius: 250),
        ]
    }

    static func status() throws -> StatusCommand.Status {
        var status: StatusCommand.Status = try decoded(
            """
            {"app": "exe:/usr/bin/locationctl", "services": {"machine": true, "user": true},
             "authorization": {"status": "authorizedWhenInUse", "accuracy": "full", "servicesEnabled": true},
             "prompts": 2, "receivers": [],
             "statistics": {"version": "0.9.0", "uptime": 868.0, "connections": 1, "sessions": 2, "fixes": 4711,
              "delivered": 1, "refused": 0}}
            """)
        status.receivers = try receivers()
        return status
    }
}
