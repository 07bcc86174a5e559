import EventLoopSupport
import LocationClient
import LocationModel
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Testing
import Varlink

/// The streams of a service while its authorization comes and goes.
@Suite(.timeLimit(.minutes(15))) struct AuthorizedStreamsTests {
    /// A service that opens one stream as soon as it may. Its events and its log are lines.
    private final class Service: Sendable {
        private static let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
        private let streams: NIOLoopBound<AuthorizedStreams>
        private let written: NIOLockedValueBox<[String]>

        var lines: [String] { written.withLockedValue(\.self) }

        init(_ daemon: ScriptedDaemon) async throws {
            let (loop, runtime, written) = (Self.loop, daemon.runtime, NIOLockedValueBox<[String]>([]))
            self.written = written
            streams = try await loop.submit {
                let backoff = Backoff(first: 0.002, greatest: 0.02)
                let client = LocationClient(runtimeDirectory: runtime, eventLoop: loop, backoff: backoff)
                let streams = AuthorizedStreams(
                    purpose: "to test", activity: "this is tested", remedy: "GRANT", client: client, on: loop,
                    backoff: backoff
                ) { level, text in written.withLockedValue { $0.append("\(level): \(text)") } }
                streams.start { [unowned streams] event in
                    switch event {
                    case .authorization(let state): written.withLockedValue { $0.append("\(state.status)") }
                    case .unknown: written.withLockedValue { $0.append("unknown") }
                    case .ended: return written.withLockedValue { $0.append("ended") }
                    case .retry: written.withLockedValue { $0.append("retry") }
                    }
                    streams.open("locations", client.updates()) { _ in
                        written.withLockedValue { $0.append("an element") }
                    }
                }
                return NIOLoopBound(streams, eventLoop: loop)
            }.get()
        }

        /// Waits until the service has written these lines, and no others.
        func wait(for lines: String...) async throws {
            try await eventually("\(lines) instead of \(self.lines)") { self.lines == lines }
        }

        func stop() async throws {
            try await Self.loop.submit { [streams] in streams.value.stop() }.get()
        }
    }

    private let limit = VarlinkError("io.locationd.Location.LimitExceeded", parameters: ["limit": "connectionsPerUser"])

    @Test func aStreamIsOpenWhileTheServiceIsAuthorized() async throws {
        let daemon = try await ScriptedDaemon()
        let service = try await Service(daemon)
        try await daemon.waitUntilOpen("Subscribe")
        try await daemon.send("Subscribe", .fix(0))
        try await service.wait(for: "authorizedAlways", "an element")
        try await daemon.send("GetAuthorization", ["authorization": .authorization("denied")])
        try await daemon.waitUntilOpen("Subscribe", 0)
        try await daemon.send("GetAuthorization", ["authorization": .authorization("authorizedAlways")])
        try await daemon.waitUntilOpen("Subscribe")
        try await service.wait(for: "authorizedAlways", "an element", "denied", "authorizedAlways")
        try await service.stop()
        try await daemon.waitUntilOpen("Subscribe", 0)
        try await daemon.waitUntilOpen("GetAuthorization", 0)
    }

    @Test func aStreamThatEndsIsLoggedAndOpenedAgain() async throws {
        let daemon = try await ScriptedDaemon()
        let service = try await Service(daemon)
        try await daemon.waitUntilOpen("Subscribe")
        try await daemon.end("Subscribe", with: limit)
        let reason = "locationd's limit connectionsPerUser was reached; close some streams, or try again later"
        try await service.wait(
            for: "authorizedAlways", "warning: the subscription to locations ended: \(reason)", "ended", "retry")
        try await daemon.waitUntilOpen("Subscribe")
        try await service.stop()
    }

    @Test func aServiceThatIsNeverInUseIsToldWhatItNeeds() async throws {
        let daemon = try await ScriptedDaemon()
        let service = try await Service(daemon)
        try await daemon.waitUntilOpen("Subscribe")
        try await daemon.end(
            "Subscribe",
            with: VarlinkError(
                "io.locationd.Location.NotAuthorized", parameters: ["status": "authorizedWhenInUse"]))
        let line = "warning: a service needs the location always: GRANT"
        try await eventually("the remedy: \(service.lines)") { service.lines.contains(line) }
        try await service.stop()
    }

    /// Attack: a program that cuts the service off from the daemon keeps a revocation from it.
    @Test func nothingIsOpenWhileTheAuthorizationIsNotKnown() async throws {
        let daemon = try await ScriptedDaemon()
        let service = try await Service(daemon)
        try await daemon.waitUntilOpen("Subscribe")
        try await daemon.fail("GetAuthorization", with: limit)
        try await daemon.end("GetAuthorization", with: limit)
        try await daemon.waitUntilOpen("Subscribe", 0)
        #expect(service.lines.first == "authorizedAlways")
        #expect(service.lines.dropFirst().allSatisfy { $0 == "unknown" || $0.hasPrefix("error: cannot read the auth") })
        try await service.stop()
    }

    @Test func anUndecidedServiceAsksTheUser() async throws {
        let daemon = try await ScriptedDaemon()
        try await daemon.authorize("notDetermined")
        let service = try await Service(daemon)
        try await daemon.waitUntilOpen("RequestAuthorization")
        let lines = [
            "notDetermined",
            "notice: there is no decision yet whether this is tested; for the installed service: GRANT",
        ]
        #expect(service.lines == lines)
        try await service.stop()
        try await daemon.waitUntilOpen("RequestAuthorization", 0)
        #expect(service.lines == lines)
    }
}
