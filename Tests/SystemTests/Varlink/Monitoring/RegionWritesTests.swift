import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Region calls and the disk: a reply means that the change is written, and no flood of calls delays a decision.
@Suite(.timeLimit(.minutes(15))) struct RegionWritesTests {
    private func region(_ identifier: String, radius: Double = 100) -> CircularRegion {
        CircularRegion(identifier: identifier, latitude: 47.5, longitude: 8.75, radius: radius)
    }

    /// Runs Python with `c` as a connection to the daemon's database, and returns its output.
    private func sql(_ script: String, on daemon: TestDaemon) async throws -> String {
        let result = try await Program.run(
            "/usr/bin/python3",
            [
                "-c", "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\n" + script + "\nc.commit()",
                daemon.state + "/locationd.db",
            ])
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    /// Attack, or accident: the power fails after a region was accepted.
    @Test func whatWasAnsweredIsThereAfterKill() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        var expected: Set<String> = []
        for round in 0..<3 {
            for number in 0..<6 {
                let identifier = "\(round) \(number)"
                _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region(identifier)))
                expected.insert(identifier)
            }
            let removed = "\(round) 0"
            _ = try await daemon.call(StopMonitoringRegion.self, .init(identifier: removed))
            // The call for a region that is already gone replies after the disk as well.
            _ = try await daemon.call(StopMonitoringRegion.self, .init(identifier: removed))
            expected.remove(removed)
            try await daemon.kill()
            try await daemon.start()
            let regions = try await daemon.call(ListRegions.self, Nothing()).regions
            #expect(Set(regions.map(\.identifier)) == expected)
        }
    }

    /// Attack: an app sends region calls on all connections that it may have, and the revocation of its grant comes
    /// after all of them.
    @Test func aDecisionGoesFirst() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        // Triggers in the database record the order of its writes.
        _ = try await sql(
            """
            c.executescript('''
                CREATE TABLE ordering (number INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT);
                CREATE TRIGGER regions AFTER INSERT ON region BEGIN INSERT INTO ordering (what) VALUES ('region'); END;
                CREATE TRIGGER decisions AFTER INSERT ON decision BEGIN INSERT INTO ordering (what) VALUES ('decision'); END;
            ''')
            """, on: daemon)
        let path = daemon.runtime + "/" + LocationInterface.name
        let connections = try (0..<100).map { _ in try RawSocket(path) }
        // The connections are accepted first, so that the daemon reads them in the order of their data.
        for connection in connections {
            _ = try await connection.exchange("{\"method\":\"io.locationd.Location.GetAuthorization\"}")
        }
        let manager = try RawSocket(daemon.managementSocket)
        _ = try await manager.exchange("{\"method\":\"io.locationd.Manage.GetStatistics\"}")
        try await halt(daemon.program.processIdentifier)
        let callsEach = 10
        for (number, connection) in connections.enumerated() {
            var calls: [UInt8] = []
            for call in 0..<callsEach {
                let text = """
                    {"method":"io.locationd.Location.StartMonitoringRegion","parameters":{"region":{"identifier":\
                    "\((number + call) % 20)","latitude":1,"longitude":2,"radius":\(100 + number * callsEach + call)}}}
                    """
                calls += Array(text.utf8) + [0]
            }
            #expect(connection.send(calls))
        }
        let grant =
            "{\"method\":\"io.locationd.Manage.Grant\",\"parameters\":{\"app\":\"exe:/usr/bin/foo\",\"level\":\"always\"}}"
        #expect(manager.send(Array(grant.utf8) + [0]))
        daemon.program.signal(SIGCONT)
        #expect(try await manager.receiveText().hasPrefix("{\"parameters\":{\"app\":"))
        let done = "{\"parameters\":{}}"
        for connection in connections {
            for _ in 0..<callsEach { try #require(try await connection.receiveText() == done) }
        }
        let order = try await sql(
            "print(' '.join(row[0] for row in c.execute('SELECT what FROM ordering ORDER BY number')))", on: daemon
        ).split(whereSeparator: \.isWhitespace)
        let before = try #require(order.firstIndex(of: "decision"))
        // These are the first call of each connection and, if the loop is held up while it reads the connections, the
        // second call of those whose first one is written by then.
        #expect(before <= 2 * connections.count, "\(before) of \(order.count) regions were written before the decision")
        #expect(try await daemon.call(ListRegions.self, Nothing()).regions.count == 20)
    }
}
