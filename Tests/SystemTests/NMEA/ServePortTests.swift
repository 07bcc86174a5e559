import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Locations as NMEA 0183 by TCP and UDP, with the real daemon and readers by others.
@Suite(.timeLimit(.minutes(15))) struct ServePortTests {
    private func scene(_ port: ReservedPort, _ more: String = "") async throws -> ServingScene {
        let scene = try await ServingScene(
            "to = \"tcp://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n\(more)")
        return scene
    }

    private func connect(_ port: ReservedPort) async throws -> RawSocket {
        var connection: RawSocket?
        try await eventually("a connection") {
            connection = try? TCPSocket.connect(port: port.number)
            return connection != nil
        }
        return try #require(connection)
    }

    /// Waits until a connection has received a fix.
    @discardableResult private func waitForFix(
        _ connection: RawSocket, _ scene: ServingScene, from second: Int = 0
    ) async throws -> String {
        var text = ""
        try await scene.drive("a fix in \(text)", from: second) {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
            return text.contains(",A,47")
        }
        return text
    }

    private func isRefused(_ port: ReservedPort) -> Bool { (try? TCPSocket.connect(port: port.number)) == nil }

    @Test func readersOfAPort() async throws {
        let port = try ReservedPort()
        let scene = try await scene(port)
        try await scene.waitForLog("there is no decision yet")
        #expect(isRefused(port))
        try await scene.grant()
        // By another user's program, and by several at once.
        let first = try await connect(port)
        let socat = try RunningProgram("/usr/bin/socat", ["-u", "TCP:127.0.0.1:\(port.number)", "-"])
        try await waitForFix(first, scene)
        try await scene.drive("a fix from socat") {
            socat.lines.contains { $0.hasPrefix("$GPRMC,") && $0.contains(",A,47") }
        }
        // Input from readers is dropped.
        first.send(Array("$PUBX,40,GLL,0,0,0,0*5C\r\nGET / HTTP/1.1\r\n\r\n".utf8))
        try await waitForFix(first, scene, from: 200)
        try await scene.revoke()
        try await first.waitUntilClosed()
        #expect(try await socat.end().status == 0)
        try await eventually("that the port refuses") { isRefused(port) }
        try await scene.grant()
        try await waitForFix(try await connect(port), scene, from: 400)
    }

    /// A further reader gets the reduced location at once: the next one may be a quarter of an hour away. Attack:
    /// accuracy is reduced, and a reader connects to get sentences with full accuracy.
    @Test func aFurtherReaderOfAReducedLocation() async throws {
        let port = try ReservedPort()
        let scene = try await scene(port)
        try await scene.grant("--reduced")
        let first = try await connect(port)
        let text = try await waitForFix(first, scene)
        let other = try await connect(port)
        let place = try #require(try await other.receiveLine())
        #expect(place.contains(",A,47") && text.contains(place), "\(place) of \(text)")
        try await scene.grant()
        try await waitForFix(first, scene, from: 1000)
        try await scene.grant("--reduced")
        try await scene.waitForLog("reduced accuracy")
        let last = try await connect(port)
        try await scene.revoke()
        while let line = try? await last.receiveLine() { #expect(!line.contains(",00845.00000,"), "\(line)") }
    }

    /// Attack: a hundred connections without a reader, from a host that may connect.
    @Test func readersThatDoNotRead() async throws {
        let port = try ReservedPort()
        let scene = try await scene(port)
        try await scene.grant()
        let reader = try await connect(port)
        try await waitForFix(reader, scene)
        let silent = (0..<100).compactMap { _ in try? TCPSocket.connect(port: port.number, receiveBufferSize: 2048) }
        try await scene.waitForLog("127.0.0.1 has 8 readers of tcp://127.0.0.1:\(port.number) already")
        try await waitForFix(reader, scene, from: 300)
        // One that leaves makes room for another, once the program has read that it left.
        withExtendedLifetime(silent) {}
        reader.shutdown()
        for connection in silent { connection.shutdown() }
        var other = try await connect(port)
        var text = ""
        try await scene.drive("a fix in \(text)", from: 600) {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(other.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
            if count == 0, let again = try? TCPSocket.connect(port: port.number) { other = again }
            return text.contains(",A,47")
        }
    }

    /// Attack: a reader sends without end, and the program spends the processor on reading it.
    @Test func aReaderThatSendsWithoutEnd() async throws {
        let port = try ReservedPort()
        let scene = try await scene(port)
        try await scene.grant()
        let reader = try await connect(port)
        try await waitForFix(reader, scene)
        let bytes = Array(repeating: UInt8(ascii: "$"), count: 65_536)
        let (clock, began) = (ContinuousClock(), ContinuousClock.now)
        var taken = 0
        while began.duration(to: clock.now) < .seconds(3) {
            taken += max(0, Glibc.send(reader.descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT)))
        }
        // What both ends hold, tcp_wmem and tcp_rmem of tcp(7), and little more. Without a limit it is a gigabyte.
        #expect(taken < 100 << 20)
        try await waitForFix(reader, scene, from: 300)
    }

    /// Attack: a host connects that the configuration does not name.
    @Test func whoIsNotAllowedIsClosed() async throws {
        let port = try ReservedPort()
        let scene = try await ServingScene(
            "to = \"tcp://127.0.0.1:\(port.number)\"\nallow = [\"192.168.1.20\", \"::1\"]\n")
        try await scene.grant()
        let stranger = try await connect(port)
        try await stranger.waitUntilClosed()
        try await scene.waitForLog("127.0.0.1 may not read tcp://127.0.0.1:\(port.number): add it to allow")
        #expect(try await scene.daemon.call(GetStatistics.self, Nothing()).statistics.sessions == 0)
    }

    @Test func aPortThatIsTakenIsTriedAgain() async throws {
        let port = try ReservedPort()
        var holder: RunningProgram? = try RunningProgram(
            "/usr/bin/socat", ["TCP-LISTEN:\(port.number),bind=127.0.0.1,reuseaddr,fork", "SYSTEM:cat"])
        _ = try await connect(port)
        let scene = try await scene(port)
        try await scene.grant()
        try await scene.waitForLog("cannot listen at tcp://127.0.0.1:\(port.number): Address already in use")
        holder?.signal(SIGTERM)
        _ = try await holder?.end()
        holder = nil
        try await scene.waitForLog("listening at tcp:")
        try await waitForFix(try await connect(port), scene)
    }

    @Test func datagrams() async throws {
        let port = try ReservedPort()
        // A host that does not listen yet reports the port as unreachable, which changes nothing.
        let scene = try await ServingScene("to = \"udp://127.0.0.1:\(port.number)\"\nsentences = [\"RMC\", \"ZDA\"]\n")
        try await scene.grant()
        try await scene.waitForLog("sending to udp://127.0.0.1:\(port.number)")
        let socat = try RunningProgram("/usr/bin/socat", ["-u", "UDP-RECV:\(port.number),bind=127.0.0.1", "-"])
        try await eventually("that there is no fix yet") { socat.lines.contains("$GPRMC,,V,,,,,,,,,,N*53") }
        try await scene.drive("a fix") { socat.lines.contains { $0.hasPrefix("$GPRMC,") && $0.contains(",A,47") } }
        #expect(socat.lines.contains { $0.hasPrefix("$GPZDA,12") })
        try await scene.revoke()
        try await eventually("the last of it") {
            socat.lines.last { $0.hasPrefix("$GPRMC,") } == "$GPRMC,,V,,,,,,,,,,N*53"
        }
        try await eventually("that nothing is asked for") {
            try await scene.daemon.call(GetStatistics.self, Nothing()).statistics.sessions == 0
        }
    }
}
