import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlCommands
@testable import LocationctlSupport
@testable import MachineDoctor

/// The lists and the state of the service in windows of several widths, and in a pipe.
@Suite struct ListScreenTests {
    private static let folder = Project.folder + "/Tests/Fixtures/Lists/"
    private static let user: uid_t = 1000

    /// Compares a text with the file of that name. If LIST_SCREENS names a folder, writes it there instead.
    private func expect(
        _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if let folder = ProcessInfo.processInfo.environment["LIST_SCREENS"] {
            return try text.write(toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8)
        }
        let known = try String(contentsOfFile: "\(Self.folder)\(name).txt", encoding: .utf8)
        #expect(text.utf8.elementsEqual(known.utf8), "\(name):\n\(text)", sourceLocation: sourceLocation)
    }

    /// Returns the list of a name with all its rows, or with the first alone.
    private func list(_ name: String, isWhole: Bool, on medium: OutputMedium) throws -> String {
        func rows<Row>(_ all: [Row]) -> [Row] { isWhole ? all : Array(all.prefix(1)) }
        switch name {
        case "receivers": return ReceiverTable.text(rows(try ListSamples.receivers()), on: medium)
        case "apps": return AppsCommand.text(rows(try ListSamples.apps()), on: medium, user: Self.user)
        case "prompts": return PromptsCommand.text(rows(try ListSamples.prompts()), on: medium, user: Self.user)
        case "sessions": return SessionsCommand.text(rows(try ListSamples.sessions()), on: medium, user: Self.user)
        case "log": return LogCommand.text(rows(try ListSamples.log()), on: medium, user: Self.user)
        case "indicator": return IndicatorCommand.text(rows(try ListSamples.uses()), on: medium, user: Self.user)
        case "satellites": return SatellitesCommand.text(try ListSamples.satellites(), on: medium)
        case "visits": return VisitsCommand.text(rows(try ListSamples.places()), on: medium)
        case "regions": return RegionListCommand.text(rows(ListSamples.regions().map { .circle($0) }), on: medium)
        default:
            var status = try ListSamples.status()
            status.receivers = rows(status.receivers)
            return StatusText(status: status, medium: medium) { "locationctl \($0)" }.text
        }
    }

    private static let names = [
        "receivers", "apps", "prompts", "sessions", "log", "indicator", "satellites", "visits", "regions", "status",
    ]

    @Test func regionsOfBeaconsHaveNeitherCentreNorRadius() {
        let shop = BeaconConstraint(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0", major: 1)
        let beacons = Region.beacons(BeaconRegion(identifier: "shop", constraint: shop))
        #expect(
            RegionListCommand.text([beacons], on: .pipe) == """
                REGION  BEACONS                                 REPORTS
                shop    e2c56db5-dffb-48d2-b060-d0f5a71096e0,1  entry, exit

                """)
        let both = RegionListCommand.text(ListSamples.regions().map { Region.circle($0) } + [beacons], on: .pipe)
        #expect(both.hasPrefix("REGION") && both.contains("RADIUS     BEACONS"), "\(both)")
    }

    @Test(arguments: names) func aListInWindowsAndAPipe(name: String) throws {
        for columns in [60, 80, 120, 200] {
            let window = ListSamples.window(columns)
            try expect(list(name, isWhole: true, on: window), is: "\(name)-many-\(columns)")
            try expect(list(name, isWhole: false, on: window), is: "\(name)-one-\(columns)")
        }
        try expect(list(name, isWhole: true, on: .pipe), is: "\(name)-pipe")
        try expect(list(name, isWhole: true, on: ListSamples.window(nil)), is: "\(name)-full")
    }

    @Test(arguments: names) func noLineIsWiderThanItsWindow(name: String) throws {
        for columns in 20...200 {
            for isWhole in [false, true] {
                let text = try list(name, isWhole: isWhole, on: ListSamples.window(columns))
                for line in text.split(separator: "\n") {
                    #expect(DisplayText.columns(line) <= columns, "\(columns): \(line)")
                }
            }
        }
    }

    @Test(arguments: ["receivers", "apps", "status"]) func coloursAndASCII(name: String) throws {
        try expect(list(name, isWhole: true, on: ListSamples.window(80, .init())), is: "\(name)-colour-80")
        let ascii = try list(
            name, isWhole: true, on: ListSamples.window(80, .init(hasColour: false, hasUnicode: false)))
        #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
        try expect(ascii, is: "\(name)-ascii-80")
    }

    @Test(arguments: names) func aPipeHasNoEscapesAndNothingShortened(name: String) throws {
        let text = try list(name, isWhole: true, on: .pipe)
        #expect(!text.contains("\u{1B}") && !text.contains("…"))
        #expect(!text.contains("●") && !text.contains("CET"))
    }

    /// While services are off, the user sees the decisions.
    @Test func theDecisionsStayInSight() throws {
        var apps = try ListSamples.apps()
        for index in apps.indices {
            (apps[index].servicesEnabled, apps[index].status) = (false, .denied)
        }
        let text = AppsCommand.text(apps, on: ListSamples.window(120, .init(hasUnicode: true)), user: Self.user)
        #expect(text.contains("\u{1B}[2mtoday, 5 km (off)") && text.contains("\u{1B}[2malways, full (off)"), "\(text)")
        #expect(AppsCommand.text(apps, on: .pipe, user: Self.user).contains("always (services off)"))
        var status = try ListSamples.status()
        status.services.user = false
        status.authorization.status = .denied
        status.authorization.decision = .authorizedWhenInUse
        let shown = StatusText(status: status, medium: .pipe) { $0 }.text
        #expect(shown.contains("This program: exe:/usr/bin/locationctl, while in use (off)\n"), "\(shown)")
    }

    /// A chosen receiver that delivers nothing is not in use.
    @Test(arguments: [
        (ReceiverStatus.stopped, "closed", "no app needs it"), (.searching, "searching", ""), (.lost, "lost", ""),
        (.running, "running", "the first with a fix"), (.resting, "resting", "the first with a fix"),
    ])
    func onlyAReceiverThatDeliversIsInUse(state: ReceiverStatus, word: String, why: String) {
        var receiver = ReceiverSummary(name: "a", specification: "gpsd:", state: state, fixes: 1)
        receiver.inUse = true
        receiver.choice = .first
        let row = ReceiverTable.text([receiver], on: .pipe).split(separator: "\n")[1]
        let delivers = state == .running || state == .resting
        #expect(row.hasPrefix(delivers ? "*" : "a") && row.hasSuffix(why), "\(row)")
        #expect(row.contains(word) && row.contains("first with") == delivers)
    }

    @Test func receiversThatAreClosedSayWhyOnce() {
        let receivers = (1...3).map {
            ReceiverSummary(name: "r\($0)", specification: "gpsd:h\($0)", state: .stopped, fixes: 0)
        }
        #expect(
            ReceiverTable.text(receivers, on: ListSamples.window(80)) == """
                  RECEIVER  SOURCE   STATE
                ○ r1        gpsd:h1  closed
                ○ r2        gpsd:h2  closed
                ○ r3        gpsd:h3  closed
                Closed: no app needs the location.

                """)
    }

    /// The last line is advice.
    @Test func theStateEndsWithAdvice() throws {
        var status = try ListSamples.status()
        func last(_ columns: Int?) -> Substring? {
            StatusText(status: status, medium: columns.map { ListSamples.window($0) } ?? .pipe) {
                "locationctl \($0)"
            }.text.split(separator: "\n").last
        }
        #expect(last(nil) == "-> 2 receivers are lost: `locationctl doctor` says what to do.")
        status.receivers.removeAll { $0.state == .lost && $0.name != "gpsd" }
        #expect(last(80) == "-> gpsd is lost: `locationctl doctor` says what to do.")
        status.receivers.removeAll { $0.state == .lost }
        #expect(last(80)?.hasPrefix("-> ") == false)
        status.receivers = []
        #expect(last(80) == "-> `sudo locationctl setup` looks for a receiver at the serial ports.")
        status.services.user = false
        #expect(last(80) == "-> `locationctl enable` turns location services on.")
        status.services.machine = false
        #expect(last(nil) == "-> `locationctl enable`, run by root, turns location services on.")
        status.services = GetServices.Reply(machine: true, user: false, desktop: false)
        #expect(last(80)?.contains("setup") == true, "the desktop's switch is another one")
    }

    @Test func aCommandStaysOnOneLineIfThereIsRoom() {
        let text = "It is closed: run `locationctl grant exe:/a` to open it."
        #expect(
            OutputMedium.wrapped(text, columns: 32)
                == ["It is closed: run", "`locationctl grant exe:/a` to", "open it."])
        #expect(
            OutputMedium.wrapped(text, columns: 20)
                == ["It is closed: run", "`locationctl grant", "exe:/a` to open it."])
        #expect(OutputMedium.wrapped("an odd ` is none", columns: 80) == ["an odd ` is none"])
    }

    @Test func findingsFitTheWindow() throws {
        let findings = [
            Finding.problem(
                "garden is lost", why: "/dev/serial/by-id/usb-u-blox_AG is not there: is the receiver plugged in?",
                advice: "plug it in; `ls -l /dev/serial/by-id` lists the converters that are plugged in"),
            .note("an ordinary user cannot check everything"), .ok("the daemon answers"),
        ]
        try expect(findings.text(on: ListSamples.window(60)), is: "doctor-60")
        try expect(findings.text(on: ListSamples.window(60, .init())), is: "doctor-colour-60")
        #expect(findings.text(on: .pipe) == findings.text)
        #expect(findings.text.split(separator: "\n").count == 5)
    }

    @Test(arguments: [
        (0.0, "0 s"), (-3, "0 s"), (119.4, "119 s"), (868, "14 min"), (7300, "2 h"), (172_800, "2 days"),
        (.infinity, "11574074 days"),
    ])
    func aDurationInItsLargestUnit(seconds: Double, text: String) {
        #expect(ReceiverText.duration(seconds) == text)
    }
}
