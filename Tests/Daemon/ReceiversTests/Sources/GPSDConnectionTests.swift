import Devices
import TestSupport
import Testing

@testable import Receivers

/// The connection to a server that the test controls.
struct GPSDConnectionTests {
    private static let greeting = "{\"class\":\"VERSION\",\"release\":\"3.22\"}\n"

    private func position(_ second: Int) -> String {
        """
        {"class":"TPV","device":"/dev/ttyACM0","mode":2,"time":"2026-03-14T09:26:0\(second).000Z","lat":1.5,"lon":2.5}

        """
    }

    private func withServer(_ body: (FakeGPSD, ReceiverProbe) async throws -> Void) async throws {
        let server = try await FakeGPSD(greeting: Self.greeting)
        try await withReceiver(.gpsd(host: "127.0.0.1", port: server.port)) { probe in
            try await probe.wait(for: "request") { _ in server.request.hasSuffix("\n") ? () : nil }
            try await body(server, probe)
        }
        try await server.shutDown()
    }

    @Test func itAsksForReportsAndClosesTheConnectionWhenItIsStopped() async throws {
        try await withServer { server, probe in
            #expect(server.request == "?WATCH={\"enable\":true,\"json\":true};\n")
            server.say(position(1) + position(2))
            try await probe.wait(for: "2 fixes") { $0.fixes(2) }
            #expect(server.openCount == 1)
            try await probe.stop()
            try await probe.wait(for: "end of the connection") { _ in server.openCount == 0 ? () : nil }
            #expect(try await probe.with { $0.state } == .stopped)
        }
    }

    @Test func aDeviceClosedByGPSDIsLostAtOnce() async throws {
        try await withServer { server, probe in
            server.say(position(1))
            _ = try await probe.waitForFix()
            server.say("{\"class\":\"DEVICE\",\"path\":\"/dev/other\",\"activated\":0}\n" + position(2))
            try await probe.wait(for: "2 fixes") { $0.fixes(2) }
            server.say("{\"class\":\"DEVICE\",\"path\":\"/dev/ttyACM0\",\"activated\":0}\n")
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected)
            #expect(failure.message.contains("/dev/ttyACM0"))
            try await probe.wait(for: "new connection") { _ in server.openedCount >= 2 ? () : nil }
        }
    }

    @Test func theHandlerMayStopTheReceiverFromWithin() async throws {
        let server = try await FakeGPSD(greeting: Self.greeting + position(1) + position(2) + position(3))
        let probe = try await ReceiverProbe(.gpsd(host: "127.0.0.1", port: server.port))
        try await probe.start(stoppingAt: { $0.fix != nil })
        _ = try await probe.waitForFix()
        try await probe.dropHandler()
        #expect(probe.fixes.count == 1)
        try await probe.shutDown()
        try await server.shutDown()
    }

    @Test func aRefusedConnectionIsReported() async throws {
        let port = try ReservedPort()
        try await withReceiver(.gpsd(host: "127.0.0.1", port: port.number)) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .unreachable)
            #expect(failure.message == "nothing listens at 127.0.0.1:\(port.number) (connection refused)")
        }
    }

    /// NIO ends the process if a name is found, or not, after the end of the event loop that asked for it. So no server
    /// is asked for this name, since a label has at most 63 bytes (RFC 1035, section 2.3.4), and it is looked up once.
    @Test func anUnknownHostNameIsALoss() async throws {
        let host = String(repeating: "x", count: 64) + ".invalid"
        let probe = try await ReceiverProbe(.gpsd(host: host, port: 2947))
        try await probe.stop(at: { _ in true })
        try await withReceiver(probe) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .unreachable)
            #expect(failure.message == "cannot reach gpsd at \(host):2947: the name \(host) is not known")
            try await probe.dropHandler()
        }
    }
}
