import Foundation
import LocationModel
import LocationProtocol
import Positioning
import TestSupport
import Testing
import Varlink

/// A client of gpsd in each state of its authorization: the daemon's output, line by line.
@Suite(.timeLimit(.minutes(15))) struct GPSDClientTests {
    private let front: GPSDFrontDaemon

    init() async throws { front = try await GPSDFrontDaemon() }

    /// The report of a client that gets no position.
    private var noFix: String { #"{"class":"TPV","device":"\#(front.device)","mode":1}"# }

    /// Attack: a client without a decision reads on: the reports of others, satellites, sentences.
    @Test func anUndecidedClientGetsOneReportWithoutAFixAndAPrompt() async throws {
        let client = try await front.connect()
        client.watch()
        let devices = GPSDReport(try await client.line())
        #expect(devices.kind == "DEVICES")
        #expect(devices.list("devices").map { $0["path"] as? String } == [front.device])
        #expect(
            try await client.line()
                == #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"#
                + #""split24":false,"pps":false}"#)
        #expect(try await client.line() == noFix)
        for _ in 0..<3 { try await front.pass() }
        #expect(try await client.reportsSoFar().map(\.line) == [])
        let app = try await front.daemon.ownApp()
        try await eventually("the prompt") {
            try await front.daemon.call(MonitorPrompts.self, .init()).prompts.map(\.app) == [app]
        }
        for policy in ["\"nmea\":true", "\"raw\":1", "\"raw\":2", "\"json\":false,\"nmea\":true,\"raw\":2"] {
            client.send("?WATCH={\"enable\":true,\(policy)};\n")
            try await front.pass()
            #expect(try await client.reportsSoFar().allSatisfy { ["DEVICES", "WATCH", "TPV"].contains($0.kind) })
        }
        client.send("?POLL;")
        let poll = try await client.report("POLL")
        #expect(!poll.line.contains("\"lat\"") && !poll.line.contains("PRN") && !poll.line.contains("dop"))
    }

    /// No receiver is opened for an undecided client.
    @Test func anUndecidedClientOpensNoReceiver() async throws {
        let wire = try Wire(sendsTexts: true)
        let port = try ReservedPort()
        let daemon = try await TestDaemon(
            receivers: ["serial:\(wire.path)@9600"],
            configuration: GPSDFrontDaemon.configuration(port: port.number))
        let client = GPSDConnection(try TCPSocket.connect(port: port.number))
        client.watch()
        #expect(try await client.report("TPV").mode == 1)
        #expect(try await client.reportsSoFar().isEmpty)
        #expect(try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped)
    }

    @Test func aDeniedClientIsToldOnceWhatToDo() async throws {
        let app = try await front.daemon.ownApp()
        #expect(try await front.daemon.ctl("deny", app).status == 0)
        let client = try await front.watching()
        let refusal = try await client.report("ERROR")
        let message = try #require(refusal.message)
        #expect(message.contains("locationctl grant") && message.contains(app), "\(message)")
        for _ in 0..<3 { try await front.pass() }
        #expect(try await client.reportsSoFar().allSatisfy { $0.line == noFix })
        // Asking again gains nothing, and is not told again.
        client.watch()
        try await front.pass()
        let again = try await client.reportsSoFar()
        #expect(again.allSatisfy { ["DEVICES", "WATCH"].contains($0.kind) || $0.line == noFix }, "\(again)")
        // The connection stays: a grant is enough.
        try await front.grantSelf()
        try await front.passEpochs(until: "a fix") { try await client.reportsSoFar().contains { $0.mode == 3 } }
    }

    @Test func aGrantedClientGetsEachFixOnce() async throws {
        let client = try await front.watching()
        try await front.grantSelf()
        try await front.pass()
        var fixes: [GPSDReport] = []
        var others: [GPSDReport] = []
        for _ in 0..<10 {
            let second = try await front.pass()
            while fixes.last?.time ?? "" < Sentences.timestamp(second) {
                let report = GPSDReport(try await client.line())
                if report.kind == "TPV", report.mode != 1 { fixes.append(report) } else { others.append(report) }
            }
        }
        let times = fixes.compactMap(\.time)
        #expect(times.count == fixes.count && times == Array(Set(times)).sorted(), "\(times)")
        let last = try #require(fixes.last)
        let begin = #"{"class":"TPV","device":"\#(front.device)","mode":3,"time":"\#(last.time ?? "")","#
        #expect(last.line.hasPrefix(begin), "\(last.line)")
        #expect(last.line.contains(#","lon":8.750000000,"altHAE":447.0000,"altMSL":400.0000,"alt":400.0000,"#))
        #expect(!last.line.contains(" "), "gpsd's clients search for texts without blanks")
        let sky = try #require(others.last { $0.kind == "SKY" }, "\(others.suffix(3))")
        #expect(sky.list("satellites").compactMap { $0["PRN"] as? Int } == [4, 5, 9])
        #expect(sky.line.contains(#"{"PRN":4,"el":40.0,"az":83.0,"ss":46.0,"used":true,"gnssid":0,"svid":4}"#))
    }

    /// Attack: an app with reduced accuracy reads altitude, movement, satellites or sentences, which give the place
    /// away.
    @Test func aReducedClientGetsTheCellAndNothingMore() async throws {
        try await front.grantSelf(.reduced)
        let client = try await front.watching()
        var report: GPSDReport?
        try await front.passEpochs(until: "the cell") {
            report = try await client.reportsSoFar().first { $0.hasPlace } ?? report
            return report != nil
        }
        let cell = try #require(report)
        let location = try await front.daemon.call(GetLocation.self, .init(timeout: 600)).location
        #expect(cell.mode == 2)
        let allowed: Set = ["class", "device", "mode", "time", "ept", "lat", "lon", "epx", "epy", "eph"]
        #expect(Set(cell.fields.keys).isSubset(of: allowed), "\(cell.line)")
        #expect(cell.line.contains(String(format: #""lat":%.9f,"lon":%.9f,"#, location.latitude, location.longitude)))
        #expect(try #require(cell.number("eph")) >= AccuracyReducer.horizontalAccuracy)
        // Each has the time of its delivery.
        #expect(try #require(cell.time) <= location.timestamp.description)
        for policy in ["\"nmea\":true", "\"raw\":2", "\"raw\":1", "\"json\":true"] {
            client.send("?WATCH={\"enable\":true,\(policy)};\n")
            for _ in 0..<3 { try await front.pass() }
            client.send("?POLL;")
            for report in try await client.reportsSoFar() {
                #expect(["DEVICES", "WATCH", "TPV", "POLL", "SKY", ""].contains(report.kind), "\(report.line)")
                #expect(!report.line.contains("PRN") && !report.line.contains("dop"), "\(report.line)")
                let isSynthetic = report.line.hasPrefix("$GPRMC,") || report.line.hasPrefix("$GPGGA,")
                #expect(!report.kind.isEmpty || isSynthetic, "\(report.line)")
                #expect(!report.line.contains("00845.00000"), "\(report.line)")
            }
        }
    }

    @Test(arguments: ["revoke", "deny", "reset", "disable"])
    func aRevocationHoldsBeforeTheNextFix(command: String) async throws {
        let client = try await front.watching()
        try await front.grantSelf()
        try await front.passEpochs(until: "a fix") { try await client.reportsSoFar().contains { $0.mode == 3 } }
        client.send("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};\n")
        try await front.passEpochs(until: "a sentence") {
            try await client.reportsSoFar().contains { $0.line.hasPrefix("$") }
        }
        let app = try await front.daemon.ownApp()
        let taken =
            command == "disable" ? try await front.daemon.ctl("disable") : try await front.daemon.ctl(command, app)
        #expect(taken.status == 0, "\(taken.errors)")
        // Lines sent before the reply to the command may still be on their way.
        let before = try await client.reportsSoFar()
        if command != "disable" { for _ in 0..<3 { try await front.pass() } }
        let reports = try await client.reportsSoFar()
        #expect(reports.allSatisfy { $0.line == noFix || $0.kind == "ERROR" }, "\(reports.map(\.line))")
        #expect((before + reports).contains { $0.line == noFix }, "the client is told that there is no fix any more")
        #expect((before + reports).count { $0.kind == "ERROR" } <= 1)
        // Granted again, the reports go on without another request.
        if command == "disable" { _ = try await front.daemon.ctl("enable") }
        try await front.grantSelf()
        try await front.passEpochs(until: "a fix") { try await client.reportsSoFar().contains { $0.mode == 3 } }
    }

    /// An app that may have the location while it is in use, and is not.
    @Test func aSuspendedClientGetsNoFix() async throws {
        let client = try await front.watching()
        try await front.grantSelf()
        try await front.passEpochs(until: "a fix") { try await client.reportsSoFar().contains { $0.mode == 3 } }
        let declaration = try await front.daemon.connect(to: LocationInterface.self)
        func setInBackground(_ background: Bool) async throws {
            _ = try await declaration.call(
                SetBackground.qualifiedName, SetBackground.Parameters(background: background), returning: Nothing.self)
        }
        try await setInBackground(true)
        let before = try await client.reportsSoFar()
        for _ in 0..<3 { try await front.pass() }
        let reports = try await client.reportsSoFar()
        #expect(reports.allSatisfy { $0.line == noFix }, "\(reports.map(\.line))")
        #expect((before + reports).contains { $0.line == noFix })
        try await setInBackground(false)
        try await front.passEpochs(until: "a fix") { try await client.reportsSoFar().contains { $0.mode == 3 } }
    }

    /// The same app is one row, whichever way it comes.
    @Test func theAppIsTheSameAsThroughVarlink() async throws {
        let client = try await front.watching()
        _ = try await client.report("TPV")
        let app = try await front.daemon.ownApp()
        let varlink = try await front.daemon.connect(to: LocationInterface.self)
        _ = try await varlink.call(GetAuthorization.qualifiedName, Nothing(), returning: GetAuthorization.Reply.self)
        let output = try await front.daemon.ctl("apps", "--json").output
        let rows = output.split(separator: "\n").filter { $0.contains("\"\(app)\"") }
        #expect(rows.count == 1, "\(output)")
        #expect(rows.first?.contains("\"gpsd\"") == true && rows.first?.contains("\"varlink\"") == true, "\(rows)")
        #expect(try await front.daemon.ctl("apps").output.contains("gpsd"))
        // And its deliveries are counted for that app.
        try await front.grantSelf()
        try await front.passEpochs(until: "a fix") { try await client.reportsSoFar().contains { $0.mode == 3 } }
        let log = try await front.daemon.call(GetAccessLog.self, .init()).entries
        #expect(log.contains { $0.app == app && $0.deliveries ?? 0 > 0 })
        let indicator = try await front.daemon.call(GetIndicator.self, .init()).apps
        #expect(indicator.contains { $0.app == app && $0.active })
        #expect(try await front.daemon.ctl("sessions", "--json").output.contains("gpsd"))
    }
}
