import EventLoopSupport
import LocationClient
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Calls with a single reply, and the connection that a client keeps for them.
@Suite(.timeLimit(.minutes(15))) struct CallTests {
    private func client(_ daemon: ScriptedDaemon) -> LocationClient {
        LocationClient(runtimeDirectory: daemon.runtime, eventLoop: nil, backoff: Backoff(first: 0.002, greatest: 0.02))
    }

    private let home: JSONValue = ["identifier": "home", "latitude": 47.5, "longitude": 8.75, "radius": 100.0]

    @Test func quickCallsShareOneConnection() async throws {
        let daemon = try await ScriptedDaemon([
            "ListRegions": ["regions": [home]], "GetRegionState": ["state": "inside"], "StartMonitoringRegion": [:],
            "StopMonitoringRegion": [:],
        ])
        let client = client(daemon)
        #expect(try await daemon.connections() == 0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let status = try await client.authorization().status
                    #expect(status == .authorizedAlways)
                }
                group.addTask {
                    let regions = try await client.monitoredRegions()
                    #expect(regions.map(\.identifier) == ["home"])
                }
            }
            try await group.waitForAll()
        }
        #expect(try await client.state(ofRegion: "home") == .inside)
        let region = CircularRegion(identifier: "shop", latitude: 1.5, longitude: 2.5, radius: 50)
        try await client.startMonitoring(region, wake: "/run/wake")
        try await client.stopMonitoring(identifier: "shop")
        #expect(try await daemon.connections() == 1)
        #expect(
            try await daemon.asked("StartMonitoringRegion") == [
                [
                    "region": ["identifier": "shop", "latitude": 1.5, "longitude": 2.5, "radius": 50.0],
                    "wake": "/run/wake",
                ]
            ])
        #expect(try await daemon.asked("StopMonitoringRegion") == [["identifier": "shop"]])
    }

    @Test func aClientThatGoesAwayClosesItsConnection() async throws {
        let daemon = try await ScriptedDaemon()
        var kept: LocationClient? = client(daemon)
        _ = try await kept?.authorization()
        #expect(try await daemon.connections() == 1)
        kept = nil
        try await daemon.waitUntilConnections(0)
    }

    @Test func aRestartIsNotNoticedByCalls() async throws {
        let daemon = try await ScriptedDaemon()
        let client = client(daemon)
        for _ in 0..<5 {
            _ = try await client.authorization()
            try await daemon.stop()
            try await daemon.start()
        }
        _ = try await client.authorization()
        try await daemon.stop()
        await #expect {
            try await client.authorization()
        } throws: {
            guard case .daemonUnreachable(let path, _)? = $0 as? LocationError else { return false }
            return path == daemon.runtime + "/io.locationd.Location" && "\($0)".contains("systemctl start locationd")
        }
    }

    @Test func aPendingPromptDoesNotBlockOtherCalls() async throws {
        let daemon = try await ScriptedDaemon()
        let client = client(daemon)
        let asking = Task { try await client.requestAuthorization(.always, reason: "to see") }
        try await daemon.waitUntilOpen("RequestAuthorization")
        _ = try await client.authorization()
        #expect(try await daemon.connections() == 2)
        try await daemon.send(
            "RequestAuthorization", ["authorization": .authorization("authorizedWhenInUse")], last: true)
        #expect(try await asking.value.status == .authorizedWhenInUse)
        #expect(try await daemon.asked("RequestAuthorization") == [["level": "always", "reason": "to see"]])
        // A grant for once ends with the app's last connection, so the extra connection is closed.
        try await daemon.waitUntilConnections(1)
    }

    @Test func cancellingWithdrawsTheRequest() async throws {
        let daemon = try await ScriptedDaemon()
        let client = client(daemon)
        let asking = Task { try await client.requestTemporaryFullAccuracy(purposeKey: "way") }
        try await daemon.waitUntilOpen("RequestTemporaryFullAccuracy")
        asking.cancel()
        await #expect(throws: LocationError.cancelled) { try await asking.value }
        try await daemon.waitUntilConnections(1)
    }

    @Test func aTaskThatIsCancelledAlreadyAsksNothing() async throws {
        let daemon = try await ScriptedDaemon(["GetLocation": ["location": .location(7)]])
        let client = client(daemon)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await client.location()
        }
        await #expect(throws: LocationError.cancelled) { try await task.value }
        // This one has no connection of its own.
        let change = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.stopMonitoring(identifier: "home")
        }
        await #expect(throws: LocationError.cancelled) { try await change.value }
        // What had been sent would have arrived before this.
        _ = try await client.location()
        #expect(try await daemon.asked("GetLocation").count == 1)
        #expect(try await daemon.asked("StopMonitoringRegion").isEmpty)
    }

    @Test func aLocationAndItsOptions() async throws {
        let daemon = try await ScriptedDaemon(["GetLocation": ["location": .location(7)]])
        let client = client(daemon)
        let location = try await client.location(desiredAccuracy: .kilometer, timeout: 2.5, maximumAge: 60)
        #expect(location.timestamp.millisecondsSince1970 == 7000)
        _ = try await client.location()
        #expect(
            try await daemon.asked("GetLocation") == [
                ["desiredAccuracy": "kilometer", "timeout": 2.5, "maximumAge": 60.0], ["desiredAccuracy": "best"],
            ])
    }

    @Test func theBackgroundIsDeclaredAgainAfterARestart() async throws {
        let daemon = try await ScriptedDaemon(["SetBackground": [:]])
        let client = client(daemon)
        try await client.setInBackground(true)
        let before = try await daemon.asked("SetBackground").count
        try await daemon.stop()
        try await daemon.start()
        try await eventually("the declaration") { try await daemon.asked("SetBackground").count > before }
        #expect(try await daemon.asked("SetBackground").allSatisfy { $0 == ["background": true] })
        try await client.setInBackground(false)
        #expect(try await daemon.asked("SetBackground").last == ["background": false])
        try await daemon.stop()
        try await daemon.start()
        let after = try await daemon.asked("SetBackground").count
        _ = try await client.authorization()
        #expect(try await daemon.asked("SetBackground").count == after)
    }

    @Test func everyErrorOfTheInterfaceIsKnown() async throws {
        let names = try InterfaceDescription(parsing: LocationInterface.definition).errors.map(\.name)
        #expect(names.count == 11)
        let daemon = try await ScriptedDaemon()
        let client = client(daemon)
        for name in names {
            let parameters: JSONValue =
                switch name {
                case "NotAuthorized": ["status": "restricted"]
                case "WakeRefused", "StoreFailed": ["reason": "not a socket"]
                case "LimitExceeded": ["limit": "connectionsPerUser"]
                default: [:]
                }
            try await daemon.fail(
                "ListRegions", with: VarlinkError("io.locationd.Location.\(name)", parameters: parameters))
            do {
                _ = try await client.monitoredRegions()
                Issue.record("\(name) was not thrown")
            } catch .protocolViolation(let what) {
                Issue.record("\(name): \(what)")
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        try await daemon.fail("ListRegions", with: .invalidParameter("region.radius"))
        await #expect(throws: LocationError.invalidParameter("region.radius")) { try await client.monitoredRegions() }
        try await daemon.fail("ListRegions", with: .permissionDenied)
        await #expect(throws: LocationError.protocolViolation("org.varlink.service.PermissionDenied")) {
            try await client.monitoredRegions()
        }
    }
}
