import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Other users' apps, as seen by a user with access to the management socket.
@Suite(.timeLimit(.minutes(15))) struct OtherUsersTests {
    private static let isRoot = Attack.isRoot

    /// Returns a daemon whose receiver works for a region that is far away. Each of its intervals is one of two.
    private func daemonFarFromARegion() async throws -> TestDaemon {
        let daemon = try await TestDaemon.standingStill()
        // 100.05 s at 60 m/s.
        let region = CircularRegion(
            identifier: "secret", latitude: Track.latitude(north: 6103), longitude: 8.75, radius: 100)
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region))
        func interval() async throws -> Double? {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].interval
        }
        try await eventually("the device to be far from the region") {
            if let interval = try await interval() { #expect([10, 60].contains(interval)) }
            return try await interval() == 60
        }
        return daemon
    }

    /// Attack: the interval between fixes is the distance to another user's region divided by 60 m/s, to the
    /// millisecond. The rate of the receiver's fixes reveals the same.
    @Test func theIntervalDoesNotRevealADistance() async throws { _ = try await daemonFarFromARegion() }

    @Test(.enabled(if: isRoot, "an ordinary user besides the daemon's own needs root"))
    func anotherUserDoesNotSeeTheInterval() async throws {
        let daemon = try await daemonFarFromARegion()
        let receiver = try #require(try await asNobody(daemon, "ListReceivers"))
        #expect(receiver.contains("\"fixes\":"))
        #expect(!receiver.contains("interval"), "\(receiver)")
    }

    /// Attack: the state of the receivers, the number and the age of their fixes and the satellites show when a
    /// receiver is opened for another user's region, and so how far away that is.
    @Test(.enabled(if: isRoot, "an ordinary user besides the daemon's own needs root"))
    func theReceiversDoNotRevealADistance() async throws {
        let daemon = try await TestDaemon.standingStill()
        func fixes() async throws -> Int { try await daemon.call(ListReceivers.self, .init()).receivers[0].fixes ?? 0 }
        func shown() async throws -> ReceiverSummary {
            let reply = try #require(try await asNobody(daemon, "ListReceivers"))
            let replies = try JSONDecoder().decode([String: ListReceivers.Reply].self, from: Data(reply.utf8))
            var receiver = try #require(replies["parameters"]?.receivers.first)
            (receiver.fixAge, receiver.clockOffset) = (nil, nil)
            return receiver
        }
        // An app needs every fix: everybody who manages may know of them.
        try await daemon.grantCtl()
        let watch = try daemon.startCtl("watch", "--json", "--no-pauses")
        try await eventually("fixes that are shown") { try await shown().fixes ?? 0 > 0 }
        for north in [6103, 300_000] as [Double] {
            let region = CircularRegion(
                identifier: "secret", latitude: Track.latitude(north: north), longitude: 8.75, radius: 100)
            _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region))
        }
        watch.signal(SIGTERM)
        try await eventually("the receiver to rest") { try await shown().state == .resting }
        let before = try await shown()
        let count = try await fixes()
        try await eventually("fixes for the region") { try await fixes() >= count + 3 }
        #expect(try await shown() == before)
        #expect(before.satellitesUsed != nil)
        let satellites = try #require(try await asNobody(daemon, "ListSatellites"))
        #expect(satellites.contains("\"satellites\":[]"), "\(satellites)")
    }

    /// Attack: the counts of all users' deliveries, streams and connections reveal when another user's apps get the
    /// location.
    @Test(.enabled(if: isRoot, "an ordinary user besides the daemon's own needs root"))
    func statisticsAreOfOnesOwnApps() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        while try #require(try await updates.next()?.update).location == nil {}
        let all = try await daemon.call(GetStatistics.self, Nothing()).statistics
        #expect(try #require(all.delivered) >= 1)
        #expect(all.connections == 1)
        #expect(all.sessions == 1)
        let reply = try #require(try await asNobody(daemon, "GetStatistics"))
        let own = try JSONDecoder().decode([String: GetStatistics.Reply].self, from: Data(reply.utf8))["parameters"]
        var expected = Statistics(version: all.version)
        expected.uptime = try #require(own?.statistics.uptime)
        #expect(own?.statistics == expected)
    }

    @Test func statusCopesWithWhatIsAbsent() async throws {
        let answers: [String: PresetDaemon.Answer] = [
            "GetServices": .replies([GetServices.Reply(machine: true, user: true)]),
            "GetAuthorization": .replies([
                GetAuthorization.Reply(
                    authorization: .init(status: .notDetermined, accuracy: .full, servicesEnabled: true))
            ]),
            "ListReceivers": .replies([ListReceivers.Reply(receivers: [])]),
            "GetStatistics": .replies([GetStatistics.Reply(statistics: Statistics(version: "1"))]),
        ]
        let daemon = try await PresetDaemon(answers)
        let status = try await Program.run(
            Program.path("locationctl"), ["status"], environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
        #expect(status.status == 0, "\(status.errors)")
        #expect(status.lines.contains("Apps: 0 connections, 0 streams") && !status.output.contains("Since the start"))
    }

    /// Returns another user's reply to a call without parameters on the management socket.
    private func asNobody(_ daemon: TestDaemon, _ method: String) async throws -> String? {
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
        daemon.letManage(group: Attack.nobodysGroup)
        let result = try await Program.run(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                "/usr/bin/python3", "-c", Program.script("Varlink/call"), daemon.managementSocket,
                "{\"method\":\"io.locationd.Manage.\(method)\"}",
            ])
        #expect(result.status == 0, "\(result.errors)")
        return result.lines.first
    }
}
