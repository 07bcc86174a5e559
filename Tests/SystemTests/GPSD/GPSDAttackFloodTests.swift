import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Clients of gpsd that send nonsense or floods. Another client's fixes go on, and nothing of the attack stays.
@Suite(.timeLimit(.minutes(15))) struct GPSDAttackFloodTests {
    /// A Boolean value indicating whether a program has less memory after it has freed some. The address sanitizer keeps
    /// what is freed, to find out who uses it.
    private static let memoryIsReturned = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil

    /// Runs an attack. Returns what it printed, after the client with a grant has received fixes again.
    private func run(_ script: String) async throws -> [String] {
        let gpsd = try await GPSDAttack()
        let before = try memory(of: gpsd.attack.daemon)
        let lines = try await gpsd.run(script, as: gpsd.attack.other)
        try await gpsd.waitForFixes()
        try await eventually("the attacker's connections to be gone") { try await gpsd.attack.connections() <= 1 }
        if Self.memoryIsReturned {
            #expect(try memory(of: gpsd.attack.daemon) - before < 16_384, "kB more of private memory")
        }
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted) == ["fix"])
        return lines
    }

    /// Returns the daemon's private memory in kB: RssAnon of proc(5).
    private func memory(of daemon: TestDaemon) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.program.processIdentifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    /// Most of the connections are reset: 10,000 ports that wait for late packets could not be used by other tests.
    @Test func tenThousandConnectionsThatAreClosedAtOnce() async throws {
        let lines = try await run(
            """
            import struct
            for number in range(10_000):
                connection = socket.socket()
                if number % 20:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                try:
                    connect_tcp(connection)
                    if number % 3 == 0:
                        connection.sendall(WATCH)
                except OSError:
                    pass
                connection.close()
            print("done")
            """)
        #expect(lines == ["done"])
    }

    /// Connections that say nothing, and connections whose sending side is shut down.
    @Test func connectionsThatStayHalfOpen() async throws {
        let lines = try await run(
            """
            silent = [connect_tcp() for _ in range(60)]
            half = [connect_tcp() for _ in range(60)]
            for connection in half:
                connection.shutdown(socket.SHUT_WR)
            fixes_go_by()
            print("done")
            """)
        #expect(lines == ["done"])
    }

    /// The limits of connections hold for TCP as for the public socket.
    @Test func oneUserDoesNotTakeAllConnections() async throws {
        let lines = try await run(
            """
            connections = []
            for _ in range(600):
                try:
                    connections.append(connect_tcp())
                except OSError:
                    pass
            fixes_go_by()
            served = 0
            for connection in connections:
                text = line(connection)
                served += text is not None and "VERSION" in text
            print(0 < served <= 256)
            """)
        #expect(lines == ["True"])
    }

    /// One connection for each, to the same daemon.
    @Test func aMegabyteThatIsNoRequest() async throws {
        let lines = try await run(
            """
            import threading
            texts = [
                b'x' * 1_000_000, b'?WATCH={' + b'x' * 1_000_000, b'?WATCH=' + b'{"a":' * 200_000,
                b'?WATCH=' + b'[' * 1_000_000, bytes(range(256)) * 4000, b'?' * 1_000_000, b'?WATCH={"' * 100_000,
                b'\\0' * 1_000_000, b'?\\xff\\xfe;' * 200_000,
                b'?WATCH={"device":"' + b'\\\\u0000' * 100_000 + b'"};',
            ]
            connections = [connect_tcp() for _ in texts]
            for connection, text in zip(connections, texts):
                connection.settimeout(None)
                # The replies are read, or the connection is closed.
                read = lambda connection: [None for _ in iter(lambda: line(connection), None)]
                threading.Thread(target=read, args=[connection], daemon=True).start()
                request(connection, text)
                print(text[:8])
            fixes_go_by()
            print("done")
            """)
        #expect(lines.count == 11 && lines.last == "done", "\(lines)")
    }

    /// Attack: a client makes the daemon keep replies that it does not read.
    @Test func requestsWithoutReading() async throws {
        let lines = try await run(
            """
            connection = connect_tcp()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.setblocking(False)
            sent, blocked = 0, 0
            # Until nothing more fits, and still nothing more after a fix of another client.
            while blocked < 5 and sent < 100_000_000:
                try:
                    sent += connection.send(b"?DEVICES;?VERSION;?POLL;" * 1000)
                except BlockingIOError:
                    blocked += 1
                    fixes_go_by(1)
                except OSError:
                    break
            print(sent < 100_000_000)
            """)
        #expect(lines == ["True"])
    }
}
