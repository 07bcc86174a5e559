import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// No location without a grant, and none after a grant has been revoked.
@Suite(.timeLimit(.minutes(15))) struct AuthorizationTests {
    /// Returns a daemon whose receiver produces fixes for locationctl, which has a grant, and the second of the next
    /// epoch.
    private func running(_ wire: Wire) async throws -> (TestDaemon, RunningProgram, Int) {
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantCtl()
        let watch = try daemon.startCtl("watch", "--json")
        try await daemon.waitUntilOpen()
        var next = 0
        for _ in 0..<3 { next = try await send(from: next, wire, to: watch) }
        return (daemon, watch, next)
    }

    /// Sends one epoch after the other until locationctl has printed one of them. Returns the second of the next epoch.
    ///
    /// One epoch alone may be lost: the receiver is, if this process or the daemon does not run for five seconds.
    private func send(from first: Int, _ wire: Wire, to watch: RunningProgram) async throws -> Int {
        var next = first
        try await eventually("a fix") {
            wire.offer(Sentences.epoch(next))
            next += 1
            let output = watch.output
            return (first..<next).contains { output.contains(Sentences.timestamp($0)) }
        }
        return next
    }

    @Test func anAppWithoutAGrantNeverGetsACoordinate() async throws {
        let wire = try Wire(sendsTexts: true)
        let (daemon, watch, next) = try await running(wire)
        defer { watch.signal(SIGTERM) }
        // The daemon has a location, and is delivering it to another app at this moment.
        let calls = [
            "{\"method\":\"io.locationd.Location.Subscribe\",\"more\":true}",
            "{\"method\":\"io.locationd.Location.GetLocation\",\"parameters\":{\"maximumAge\":3600}}",
            "{\"method\":\"io.locationd.Location.GetLocation\",\"parameters\":{\"desiredAccuracy\":\"reduced\"}}",
        ]
        for call in calls {
            let answer = try await RawSocket(daemon.runtime + "/io.locationd.Location").exchange(call)
            #expect(answer.contains("io.locationd.Location.NotAuthorized"))
            #expect(answer.contains("\"status\":\"notDetermined\""))
            #expect(!answer.contains("latitude") && !answer.contains("47."))
        }
        // Nor while it waits for an answer: the call after its request is not read before that.
        let waiting = try RawSocket(daemon.runtime + "/io.locationd.Location")
        let request =
            "{\"method\":\"io.locationd.Location.RequestAuthorization\",\"more\":true,\"parameters\":"
            + "{\"level\":\"whenInUse\",\"reason\":\"to see\"}}"
        #expect(try await waiting.exchange(request).contains("notDetermined"))
        waiting.send(Array("{\"method\":\"io.locationd.Location.GetLocation\"}\0".utf8))
        _ = try await send(from: next + 100, wire, to: watch)
        _ = try await daemon.ctl("deny", try await daemon.ownApp())
        #expect(try await waiting.receiveText().contains("\"status\":\"denied\""))
        #expect(try await waiting.receiveText().contains("io.locationd.Location.NotAuthorized"))
    }

    @Test func aRequestWaitsForTheGrant() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await daemon.ownApp()
        let client = try await daemon.connect(to: LocationInterface.self)
        let request = RequestAuthorization.Parameters(level: .whenInUse, reason: "to see")
        var statuses: [String] = []
        let replies = try client.stream(
            RequestAuthorization.qualifiedName, request, of: RequestAuthorization.Reply.self)
        for try await reply in replies {
            statuses.append(reply.authorization.status.rawValue)
            guard statuses.count == 1 else { continue }
            let pending = try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == app }
            #expect(pending?.requested == .whenInUse)
            #expect(pending?.reason == "to see")
            #expect(try await daemon.ctl("grant", app, "--always").status == 0)
        }
        #expect(statuses == ["notDetermined", "authorizedAlways"])
    }

    /// The administrator finds the decisions in the journal, and in its fields the apps that they are about.
    @Test func eachDecisionIsLogged() async throws {
        let daemon = try await TestDaemon(receivers: [])
        #expect(try await daemon.ctl("grant", "exe:/opt/x", "--reduced").status == 0)
        #expect(try await daemon.ctl("deny", "exe:/opt/x").status == 0)
        #expect(try await daemon.ctl("reset", "exe:/opt/x").status == 0)
        var lines: [Substring] = []
        try await eventually("three lines in the log: \(daemon.log)") {
            lines = daemon.log.split(separator: "\n").filter { $0.contains("APP=exe:/opt/x UID=\(getuid())") }
            return lines.count == 3
        }
        for (line, text) in zip(lines, ["whenInUse, reduced accuracy", "is denied the location", "was reset"]) {
            #expect(line.contains(text), "\(line)")
        }
    }

    @Test func aRequestWithoutAReasonIsRefused() async throws {
        let daemon = try await TestDaemon(receivers: [])
        await #expect { try await daemon.call(RequestAuthorization.self, .init(level: .whenInUse)) } throws: {
            ($0 as? VarlinkError)?.name == "io.locationd.Location.UsageDescriptionMissing"
        }
    }

    @Test(arguments: ["revoke", "deny", "reset", "disable"])
    func aRevocationEndsTheStreamBeforeTheNextFix(command: String) async throws {
        let wire = try Wire(sendsTexts: true)
        let (daemon, watch, next) = try await running(wire)
        let app = try await daemon.ctlApp()
        let taken = command == "disable" ? try await daemon.ctl("disable") : try await daemon.ctl(command, app)
        #expect(taken.status == 0, "\(taken.errors)")
        // Written after the reply to the command, so none of it may come through.
        let later = next + 100..<next + 110
        wire.write(later.map { Sentences.epoch($0) }.joined())
        let end = try await watch.end()
        #expect(end.status == 4)
        #expect(!later.contains { end.output.contains(Sentences.timestamp($0)) }, "a fix of after the revocation")
    }

    @Test func aStreamIsNotifiedOfChanges() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await daemon.ownApp()
        try await daemon.grantSelf()
        let stream = try await daemon.subscribe()
        let client = try await daemon.connect(to: LocationInterface.self)
        let watch = try client.stream(GetAuthorization.qualifiedName, Nothing(), of: GetAuthorization.Reply.self)
        async let updates = stream.first(2)
        async let authorizations = watch.first(3)
        try await eventually("the stream") {
            try await daemon.call(GetStatistics.self, Nothing()).statistics.sessions == 1
        }
        try await eventually("the watcher") {
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == app }?.connections == 2
        }
        _ = try await daemon.call(Grant.self, .init(app: app, level: .always))
        #expect(try await updates.last?.update?.authorization?.status == .authorizedAlways)
        _ = try await daemon.call(Deny.self, .init(app: app))
        #expect(
            try await authorizations.map(\.authorization.status.rawValue)
                == ["authorizedWhenInUse", "authorizedAlways", "denied"])
    }

    @Test func nobodyManagesAnotherUser() async throws {
        let daemon = try await TestDaemon(receivers: [])
        // Root manages every user, so this refusal needs an ordinary user.
        guard getuid() != 0 else { return try await refusedAsNobody(daemon) }
        let other = AppScope(app: "exe:/usr/bin/foo", uid: Int(getuid()) + 1)
        // The daemon's own user owns the database, and so manages everybody in it.
        #expect(try await daemon.call(Deny.self, other).app.status == .denied)
    }

    private func refusedAsNobody(_ daemon: TestDaemon) async throws {
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
        daemon.letManage(group: Attack.nobodysGroup)
        let script = Program.script("Varlink/call")
        func call(_ method: String, _ parameters: String) -> String {
            "{\"method\":\"io.locationd.Manage.\(method)\",\"parameters\":\(parameters)}"
        }
        let result = try await Program.run(
            "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script,
                daemon.managementSocket,
                call("Grant", "{\"app\":\"exe:/usr/bin/foo\",\"level\":\"always\",\"uid\":0}"),
                call("Grant", "{\"app\":\"service:foo\",\"level\":\"always\"}"),
                call("ListApps", "{\"uid\":0}"), call("MonitorApps", "{\"uid\":0}"),
                call("SetAccuracy", "{\"app\":\"exe:/usr/bin/foo\",\"uid\":0,\"accuracy\":\"full\",\"revision\":1}"),
                call("KeepWhileInUse", "{\"app\":\"exe:/usr/bin/foo\",\"uid\":0,\"revision\":1}"),
                call("SetServices", "{\"enabled\":false,\"machine\":true}"),
                call("Grant", "{\"app\":\"exe:/usr/bin/foo\",\"level\":\"always\"}"),
            ])
        #expect(result.lines.count == 8, "\(result.errors)")
        #expect(
            result.lines.prefix(7).allSatisfy { $0.contains("org.varlink.service.PermissionDenied") }, "\(result.lines)"
        )
        #expect(result.lines.last?.contains("authorizedAlways") == true)
        #expect(result.lines.last?.contains("65534") == true)
    }

    /// Attack: an app that has a grant leaves its stream to another process, and exits.
    @Test func aSocketLeftToAnotherProcessGetsNothing() async throws {
        let wire = try Wire(sendsTexts: true)
        let (daemon, watch, next) = try await running(wire)
        defer { watch.signal(SIGTERM) }
        let script = Program.script("Authorization/left_socket")
        let heir = try RunningProgram("/usr/bin/python3", ["-c", script, daemon.runtime + "/io.locationd.Location"])
        var asking: String?
        try await eventually("the request") {
            asking = try await daemon.call(ListApps.self, UserScope()).apps.first { $0.requested != nil }?.app
            return asking != nil
        }
        _ = try await daemon.call(Grant.self, .init(app: try #require(asking), level: .whenInUse))
        var second = next + 100
        try await eventually("the app to end: \(heir.errors)") {
            wire.offer(Sentences.epoch(second))
            second += 1
            return heir.output.contains("left")
        }
        // Updates that were under way when the app exited were meant for it. No later one may arrive.
        let later = second + 100..<second + 110
        for epoch in later { wire.write(Sentences.epoch(epoch)) }
        try await eventually("the end of the stream: \(heir.errors)") { heir.output.contains("got") }
        #expect(!later.contains { heir.output.contains(Sentences.timestamp($0)) }, "\(heir.output)")
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == asking }?.sessions == 0)
    }

    /// An acknowledged grant survives a crash: 100 grants, each followed immediately by kill -9. There are four parts,
    /// because the time limit is for each of them: a hundred starts of the daemon may take longer on a slow machine.
    @Test(arguments: 1...4) func aGrantThatWasAnsweredSurvivesKill9(part: Int) async throws {
        let folder = try TemporaryFolder()
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        for round in 0..<25 {
            let app = "exe:/usr/bin/app\(round)"
            _ = try await daemon.call(Grant.self, .init(app: app, level: round % 2 == 0 ? .whenInUse : .always))
            try await daemon.kill()
            try await daemon.start()
            let apps = try await daemon.list(ListApps.self, UserScope()).apps
            #expect(apps.count == round + 1)
            let kept = apps.first { $0.app == app }
            #expect(kept?.status == (round % 2 == 0 ? .authorizedWhenInUse : .authorizedAlways))
        }
    }
}
