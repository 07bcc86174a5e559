import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The output of locationctl for streams and monitoring.
@Suite(.timeLimit(.minutes(15))) struct LocationctlMonitoringTests {
    // MARK: Arguments

    @Test(
        arguments: [
            ("simulate", "one of --at, --route and --stop"), ("simulate --at 1,2 --stop", "one of --at"),
            ("simulate --at 91,0", "-90 and 90"), ("simulate --at -33.9,-180.5", "-180 and 180"),
            ("simulate --at 47.5", "LAT,LON"), ("simulate --at nan,0", "-90 and 90"),
            ("simulate --at 1,2 --speed 3", "--speed needs --route"),
            ("simulate --route x.gpx --speed 0.05", "0.1 and 1000 m/s"),
            ("watch --visits --regions", "--visits"), ("watch --visits --csv", "locations only"),
            ("watch --heading --gpx", "locations only"),
            ("watch --regions --desired-accuracy best", "--desired-accuracy"),
            ("watch --significant-changes --no-pauses", "--no-pauses"),
            ("watch --heading-filter 5", "needs --heading"), ("watch --wake /tmp/x", "--wake works only with"),
            ("watch --regions --wake /tmp/x", "region add"), ("watch --background-indicator", "--background"),
            ("region add home 1,2 0", "1 and 1000000 m"), ("region add home 1,200 5", "-180 and 180"),
            ("region add home", "or --beacon"), ("region add home 1,2", "or --beacon"),
            ("region add home 1,2 5 --beacon x", "or --beacon"), ("region add home --beacon x,1,y", "UUID,MAJOR,MINOR"),
            ("region add home --beacon x,1,2,3", "UUID,MAJOR,MINOR"),
            ("region add home --beacon x,65536", "UUID,MAJOR,MINOR"),
        ])
    func whatIsWrongWithTheArguments(arguments: String, explanation: String) async throws {
        let result = try await locationctl(arguments, runtime: "/nonexistent")
        #expect(result.status == 2, "\(result.errors)")
        #expect(result.errors.contains(explanation), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func aRouteThatDoesNotFitIntoOneCall() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/long.gpx"
        // Below the limit, but above it with the escapes of JSON.
        try String(repeating: "\"", count: 40_000).write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await locationctl("simulate --route \(file)", runtime: "/nonexistent")
        #expect(result.status == 1)
        #expect(result.errors.contains("64 KiB") && result.errors.contains("simulated:\(file)"), "\(result.errors)")
    }

    // MARK: With a daemon whose replies are preset

    @Test func aPlaceMayBeginWithAMinusSign() async throws {
        let daemon = try await PresetDaemon()
        for arguments in ["simulate --at -33.9,18.4", "simulate --at=-33.9,18.4"] {
            #expect(try await locationctl(arguments, runtime: daemon.runtime).status == 0)
            #expect(daemon.asked("Simulate").last == ["latitude": -33.9, "longitude": 18.4])
        }
        let added = try await locationctl("region add home -33.9,18.4 100 --no-exit", runtime: daemon.runtime)
        #expect(added.output == "home is monitored: 100 m around -33.900000°, 18.400000°.\n", "\(added.errors)")
        #expect(
            daemon.asked("StartMonitoringRegion") == [
                [
                    "region": [
                        "identifier": "home", "latitude": -33.9, "longitude": 18.4, "radius": 100.0,
                        "notifyOnExit": false,
                    ]
                ]
            ])
    }

    @Test func aRegionOfBeaconsIsAddedInPlaceOfACircle() async throws {
        let daemon = try await PresetDaemon()
        let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        let one = try await locationctl("region add shop --beacon \(uuid),1,2 --no-entry", runtime: daemon.runtime)
        #expect(one.output == "shop is monitored: the range of beacons \(uuid),1,2.\n", "\(one.errors)")
        let all = try await locationctl("region add --beacon \(uuid) mall --json", runtime: daemon.runtime)
        #expect(all.output == #"{"identifier":"mall","uuid":"\#(uuid)"}"# + "\n", "\(all.errors)")
        #expect(
            daemon.asked("StartMonitoringBeaconRegion") == [
                [
                    "region": [
                        "identifier": "shop", "uuid": .string(uuid), "major": 1, "minor": 2, "notifyOnEntry": false,
                    ]
                ], ["region": ["identifier": "mall", "uuid": .string(uuid)]],
            ])
    }

    @Test func everyOptionOfASubscription() async throws {
        let daemon = try await PresetDaemon(["Subscribe": .replies([Subscribe.Reply()])])
        let wishes = """
            --desired-accuracy kilometer --distance-filter 20 --activity fitness --minimum-interval 2 --no-pauses \
            --background --background-indicator -n 3 --duration 5
            """
        #expect(try await locationctl("watch \(wishes)", runtime: daemon.runtime).status == 0)
        #expect(
            daemon.asked("Subscribe") == [
                [
                    "options": [
                        "desiredAccuracy": "kilometer", "distanceFilter": 20.0, "activityType": "fitness",
                        "pausesAutomatically": false, "allowsBackground": true, "showsBackgroundIndicator": true,
                        "minimumInterval": 2.0, "maximumUpdates": 3, "duration": 5.0,
                    ]
                ]
            ])
    }

    @Test func aPauseIsReportedWithItsPlaceAndIsNotASecondFix() async throws {
        let updates = [
            Update(event: .location, location: Self.location), Update(event: .paused, location: Self.location),
            Update(event: .resumed), Update(event: .suspended), Update(event: .unsuspended),
        ]
        let daemon = try await PresetDaemon([
            "Subscribe": .replies(updates.map { Subscribe.Reply(update: $0) } + [Subscribe.Reply()])
        ])
        let text = try await locationctl("watch", runtime: daemon.runtime)
        #expect(text.lines.count == 1)
        let remarks = text.errors.split(separator: "\n")
        #expect(remarks.count == 4)
        #expect(remarks.first?.hasPrefix("paused: the device is stationary at 47.500000°, 8.750000° ±4.2 m") == true)
        #expect(!text.output.contains("\u{1B}"), "a receiver's name does not steer the terminal")
        let csv = try await locationctl("watch --csv", runtime: daemon.runtime)
        #expect(csv.output.split(separator: "\r\n").count == 2)
        let gpx = try await locationctl("watch --gpx", runtime: daemon.runtime)
        #expect(gpx.output.split(separator: "<trkpt").count == 2)
        let json = try await locationctl("watch --json", runtime: daemon.runtime)
        #expect(json.lines.count == updates.count)
    }

    @Test(
        arguments: [
            (
                "watch --visits --wake /tmp/wake", "MonitorVisits", ["wake": "/tmp/wake"],
                "{\"visit\":{\"latitude\":47.5,\"longitude\":8.75,\"horizontalAccuracy\":35.0,"
                    + "\"arrival\":\"2026-06-01T12:00:00.000Z\"}}",
                "2026-06-01 12:00:00  not yet                47.500000°      8.750000°    ±35.0 m"
            ),
            (
                "watch --regions", "MonitorRegions", [:], "{\"event\":{\"identifier\":\"home\",\"state\":\"inside\"}}",
                "              inside                                           home"
            ),
            (
                "watch --heading --heading-filter 5", "MonitorHeading", ["filter": 5.0],
                "{\"heading\":{\"magnetic\":12.3,\"true\":359.96,\"timestamp\":\"2026-06-01T12:00:00.000Z\"}}",
                "12:00:00.000       12.3°      0.0°"
            ),
        ] as [(String, String, JSONValue, String, String)])
    func theOtherStreams(arguments: String, method: String, asked: JSONValue, json: String, text: String) async throws {
        let visit = Visit(latitude: 47.5, longitude: 8.75, horizontalAccuracy: 35, arrival: Self.time)
        var heading = Heading(timestamp: Self.time)
        heading.magneticHeading = 12.3
        heading.trueHeading = 359.96
        // The streams never end, so locationctl has to count.
        let daemon = try await PresetDaemon([
            "MonitorVisits": .endless(Array(repeating: MonitorVisits.Reply(visit: visit), count: 3)),
            "MonitorRegions": .endless(
                Array(repeating: MonitorRegions.Reply(event: RegionEvent(identifier: "home", state: .inside)), count: 3)
            ),
            "MonitorHeading": .endless(Array(repeating: MonitorHeading.Reply(heading: heading), count: 3)),
        ])
        let lines = try await locationctl(arguments + " --json -n 2", runtime: daemon.runtime)
        #expect(lines.status == 0, "\(lines.errors)")
        #expect(lines.lines == [json, json])
        #expect(daemon.asked(method) == [asked])
        let shown = try await locationctl(arguments + " -n 1", runtime: daemon.runtime)
        #expect(shown.output == text + "\n")
        let limited = try await locationctl(arguments + " --duration 0.2", runtime: daemon.runtime)
        #expect(limited.status == 0)
    }

    @Test func significantChangesAreATrack() async throws {
        let location = Subscribe.Reply(update: Update(event: .location, location: Self.location))
        let lost = Subscribe.Reply(update: Update(event: .receiverLost))
        let daemon = try await PresetDaemon(["MonitorSignificantChanges": .endless([location, lost, location])])
        let csv = try await locationctl("watch --significant-changes --csv -n 2", runtime: daemon.runtime)
        #expect(csv.output.split(separator: "\r\n").count == 3, "locations are counted, other events are not")
        #expect(daemon.asked("RequestAuthorization").last?["level"] == "whenInUse")
    }

    @Test(
        arguments: [
            (
                "watch --visits --wake /x", "MonitorVisits", "Location.NotAuthorized",
                ["status": "authorizedWhenInUse"], 4, "--always"
            ),
            ("watch --heading", "MonitorHeading", "Location.HeadingUnavailable", [:], 1, "compass"),
            ("region add a 1,2 3", "StartMonitoringRegion", "Location.TooManyRegions", [:], 1, "20 regions"),
            ("region add a 1,2 3", "StartMonitoringRegion", "Location.RegionMonitoringDenied", [:], 4, "full accuracy"),
            (
                "region add a 1,2 3 --wake /x", "StartMonitoringRegion", "Location.WakeRefused",
                ["reason": "not\u{1B}yours"], 1, "not\u{FFFD}yours"
            ),
            ("simulate --stop", "StopSimulation", "Manage.SimulationRefused", ["reason": "so it is"], 1, "so it is"),
        ] as [(String, String, String, JSONValue, Int32, String)])
    func anErrorSaysWhatToDo(
        arguments: String, method: String, error: String, parameters: JSONValue, status: Int32, explanation: String
    ) async throws {
        let daemon = try await PresetDaemon([
            method: .error(VarlinkError("io.locationd." + error, parameters: parameters))
        ])
        let result = try await locationctl(arguments, runtime: daemon.runtime)
        #expect(result.status == status)
        #expect(result.errors.contains(explanation), "\(result.errors)")
    }

    @Test func whileInUseIsNotEnoughToBeWoken() async throws {
        let answer = Authorization(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
        let daemon = try await PresetDaemon([
            "RequestAuthorization": .replies([GetAuthorization.Reply(authorization: answer)])
        ])
        // The answer comes at once, but on a busy machine the program may take 100 ms to see that it is the last.
        try await eventually("an answer without a remark about waiting") {
            let result = try await locationctl("watch --visits --wake /x", runtime: daemon.runtime)
            #expect(result.status == 4)
            #expect(result.errors.contains("--always"), "\(result.errors)")
            return !result.errors.contains("waiting")
        }
        #expect(daemon.asked("MonitorVisits").isEmpty)
    }

    @Test func theTablesShowWhatThereIs() async throws {
        let daemon = try await PresetDaemon([
            "ListSessions": .replies([
                [
                    "sessions": [
                        [
                            "app": "exe:/usr/bin/foo", "uid": 7, "method": "StartMonitoringRegion", "state": "waiting",
                            "background": true,
                            "region": "home", "wake": "/run/wake", "since": "2026-06-01T12:00:00.000Z", "delivered": 2,
                            "replaced": 0,
                        ]
                    ]
                ] as JSONValue
            ]),
            "ListReceivers": .replies([
                [
                    "receivers": [
                        [
                            "name": "roof", "specification": "gpsd:", "state": "resting", "inUse": true,
                            "choice": "moreAccurate", "interval": 60.0, "fixes": 9, "fixAge": 12.0,
                            "horizontalAccuracy": 2.5, "compass": false,
                        ]
                    ]
                ] as JSONValue
            ]),
        ])
        #expect(
            try await locationctl("sessions", runtime: daemon.runtime).output == """
                APP               UID  PID  METHOD  STATE    BACKGROUND  REGION  SINCE (UTC)       SENT  WAKE
                exe:/usr/bin/foo  7    -    region  waiting  yes         home    2026-06-01 12:00  2     /run/wake

                """)
        #expect(
            try await locationctl("receivers", runtime: daemon.runtime).output == """
                   RECEIVER  SOURCE  STATE    INTERVAL  FIXES  LAST FIX  ACCURACY  WHY
                *  roof      gpsd:   resting  60 s      9      12 s ago  ±2.5 m    clearly more accurate than the previous receiver

                """)
    }

    // MARK: With the real daemon

    @Test func aSimulatedPlaceUntilItIsStopped() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantCtl()
        let simulated = try await daemon.ctl("simulate", "--at", "-33.9,18.4")
        #expect(simulated.output == "Simulated: the machine is at -33.900000°, 18.400000°.\n", "\(simulated.errors)")
        let watch = try daemon.startCtl("watch", "--csv", "--no-pauses")
        defer { watch.signal(SIGTERM) }
        // The location is off by the simulated noise of a receiver.
        func isThere() -> Bool {
            let fields = watch.lines.last?.split(separator: ",").compactMap { Double($0) } ?? []
            return fields.count > 1 && abs(fields[0] + 33.9) < 0.001 && abs(fields[1] - 18.4) < 0.001
        }
        try await eventually("the simulated place") { isThere() }
        #expect(try await daemon.ctl("simulate", "--stop").status == 0)
        try await eventually("the receiver's place") { !isThere() }
    }

    @Test func aRegionFromAddingToRemoving() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantCtl()
        #expect(try await daemon.ctl("region", "list", "--json").output == "[]\n")
        #expect(try await daemon.ctl("region", "add", "home", "-33.9,18.4", "100").status == 0)
        let listed = try await daemon.ctl("region", "list")
        #expect(listed.lines.last?.split(separator: " ").first == "home", "\(listed.errors)")
        let watch = try daemon.startCtl("watch", "--regions", "--json", "-n", "1")
        let first = try await watch.end()
        #expect(first.output.hasPrefix("{\"event\":{\"identifier\":\"home\",\"state\":"), "\(first.errors)")
        let state = try await daemon.ctl("region", "state", "home", "--json")
        #expect(state.output.contains("\"identifier\":\"home\""), "\(state.errors)")
        #expect(try await daemon.ctl("region", "remove", "home").status == 0)
        #expect(try await daemon.ctl("region", "list", "--json").output == "[]\n")
        let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        #expect(try await daemon.ctl("region", "add", "shop", "--beacon", "\(uuid),7").status == 0)
        let beacons = try await daemon.ctl("region", "list", "--json")
        #expect(beacons.output == #"[{"identifier":"shop","uuid":"\#(uuid)","major":7}]"# + "\n", "\(beacons.errors)")
        #expect(try await daemon.ctl("region", "state", "shop").output == "unknown\n")
        #expect(try await daemon.ctl("region", "remove", "shop").status == 0)
    }

    private func isWatchingVisits(_ daemon: TestDaemon) async throws -> Bool {
        try await daemon.ctl("sessions").output.split(separator: " ").contains("visits")
    }

    @Test func visitsAreWatchedWhileInUse() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantCtl()
        let watch = try daemon.startCtl("watch", "--visits")
        defer { watch.signal(SIGTERM) }
        try await eventually("the stream") { try await isWatchingVisits(daemon) }
    }

    @Test func aWakeSocketWaitsUntilAlwaysIsGranted() async throws {
        let folder = try TemporaryFolder()
        let wake = try WakeSocket(in: folder)
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await daemon.ctlApp()
        _ = try await daemon.ctl("grant", app, "--when-in-use")
        let watch = try daemon.startCtl("watch", "--visits", "--wake", wake.path)
        defer { watch.signal(SIGTERM) }
        try await eventually("the command that grants it") { watch.errors.contains("grant \(app) --always") }
        _ = try await daemon.ctl("grant", app, "--always")
        try await eventually("the stream") { try await isWatchingVisits(daemon) }
    }

    private static let time = Timestamp("2026-06-01T12:00:00.000Z")!
    private static var location: Location {
        var location = Location(timestamp: time, latitude: 47.5, longitude: 8.75)
        location.horizontalAccuracy = 4.2
        location.receiver = "port\u{1B}[31m"
        return location
    }

    private func locationctl(_ arguments: String, runtime: String) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationctl"), arguments.split(separator: " ").map(String.init),
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": runtime])
    }
}
