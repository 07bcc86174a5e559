import Foundation
import Linux
import TestSupport
import Testing

/// The real program, with senders by others, and with the test in the place of the daemon.
@Suite(.timeLimit(.minutes(15))) struct ReceiveTests {
    /// A program, and where it reads and writes.
    private final class Relay {
        let folder: TemporaryFolder
        let socket: String
        let program: RunningProgram

        init(_ configuration: String) async throws {
            folder = try TemporaryFolder()
            let socket = folder.path + "/phone"
            self.socket = socket
            let file = try folder.write(configuration, to: "phone.toml")
            let program = try RunningProgram(
                Program.path("locationd-nmea"),
                ["receive", "--config", file, "--socket", socket, "--log-level", "debug"])
            self.program = program
            try await eventually("the socket: \(program.errors)") { access(socket, F_OK) == 0 }
        }

        func waitForLog(_ text: String) async throws {
            try await eventually("\(text) in the log: \(program.errors)") { program.errors.contains(text) }
        }
    }

    /// The end of a Unix socket at which the daemon reads.
    private final class Reader {
        private let socket: RawSocket
        private(set) var text = ""

        /// Connects as soon as the program listens, which it does after it has made the file.
        init(_ path: String) async throws {
            var connected: RawSocket?
            try await eventually("a connection to \(path)") {
                connected = try? RawSocket(path)
                return connected != nil
            }
            guard let connected else { throw POSIXError(.ECONNREFUSED) }
            socket = connected
        }

        /// Waits until the text that was received since the last call contains a text.
        func wait(for awaited: String) async throws {
            try await eventually("\(awaited); received was \(text)") {
                read()
                return text.contains(awaited)
            }
        }

        func read() {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(socket.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
                guard count > 0 else { return }
                text += String(decoding: bytes[..<count], as: UTF8.self)
            }
        }
    }

    private static func sentence(_ number: Int) -> String { "$GPTXT,01,01,02,sentence \(number) of the test*00\r\n" }

    private func send(_ text: String, to connection: RawSocket) {
        let bytes = Array(text.utf8)
        #expect(Glibc.send(connection.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count)
    }

    /// Sends from socat to a port, by TCP or UDP.
    private func socat(_ text: String, to address: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "sentences")
        let result = try await Program.run("/usr/bin/socat", ["-u", "FILE:\(file)", address])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func aServerIsConnectedToOnlyWhileTheDaemonIs() async throws {
        let port = try ReservedPort()
        // A name, which has several addresses. Nobody listens at the others.
        let relay = try await Relay("from = \"tcp://localhost:\(port.number)\"\n")
        let log = try relay.folder.write(Self.sentence(1), to: "log")
        let asked = relay.folder.path + "/asked"
        let server = try RunningProgram(
            "/usr/bin/socat",
            ["TCP-LISTEN:\(port.number),bind=127.0.0.1,reuseaddr,fork", "SYSTEM:echo >> \(asked); cat \(log); cat"])
        var reader: Reader? = try await Reader(relay.socket)
        try await reader?.wait(for: Self.sentence(1))
        #expect(try Data(contentsOf: URL(filePath: asked)).count == 1)
        reader = nil
        // It is connected to anew when the daemon is there again.
        reader = try await Reader(relay.socket)
        try await reader?.wait(for: Self.sentence(1))
        withExtendedLifetime(server) {}
    }

    @Test func aServerThatIsNotThereIsTriedAgain() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"tcp://127.0.0.1:\(port.number)\"\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("tcp://127.0.0.1:\(port.number): ")
        let log = try relay.folder.write(Self.sentence(2), to: "log")
        let server = try RunningProgram(
            "/usr/bin/socat", ["-u", "FILE:\(log)", "TCP-LISTEN:\(port.number),bind=127.0.0.1,reuseaddr"])
        try await reader.wait(for: Self.sentence(2))
        withExtendedLifetime(server) {}
    }

    @Test func aSenderThatConnectsIsReceivedAndASecondOneWaits() async throws {
        let port = try ReservedPort()
        let relay = try await Relay(
            "from = \"tcp-listen://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.0/8\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        var first: RawSocket? = try TCPSocket.connect(port: port.number)
        send(Self.sentence(1), to: try #require(first))
        try await reader.wait(for: Self.sentence(1))
        let second = try TCPSocket.connect(port: port.number)
        send(Self.sentence(2), to: second)
        try await relay.waitForLog("another sender is active")
        send(Self.sentence(3), to: try #require(first))
        try await reader.wait(for: Self.sentence(3))
        #expect(!reader.text.contains(Self.sentence(2)))
        first = nil
        try await eventually("the turn of the second one") {
            send(Self.sentence(4), to: second)
            reader.read()
            return reader.text.contains(Self.sentence(4))
        }
    }

    /// Attack: somebody in the network who was not allowed sends another place.
    @Test func whoeverIsNotAllowedIsNotReceived() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"tcp-listen://127.0.0.1:\(port.number)\"\nallow = [\"10.0.0.0/8\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        for _ in 0..<3 {
            let sender = try TCPSocket.connect(port: port.number)
            let bytes = Array(Self.sentence(1).utf8)
            _ = Glibc.send(sender.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
            try await eventually("the end of the connection") {
                var byte: UInt8 = 0
                return recv(sender.descriptor, &byte, 1, CInt(MSG_DONTWAIT)) == 0 || errno == ECONNRESET
            }
        }
        try await relay.waitForLog("127.0.0.1 may not send")
        reader.read()
        #expect(reader.text.isEmpty)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", "UDP4-SENDTO:127.0.0.1"), ("[::1]", "::1", "UDP6-SENDTO:[::1]"),
        ("[::]", "127.0.0.1", "UDP4-SENDTO:127.0.0.1"),
    ])
    func datagramsAreReceivedAndEachEndsItsLine(address: String, allowed: String, destination: String) async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"udp://\(address):\(port.number)\"\nallow = [\"\(allowed)\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        try await socat(String(Self.sentence(1).dropLast()), to: "\(destination):\(port.number)")
        try await reader.wait(for: Self.sentence(1))
        try await socat("GET / HTTP/1.1\r\n\r\n", to: "\(destination):\(port.number)")
        try await relay.waitForLog("does not send NMEA 0183, but HTTP")
        #expect(!reader.text.contains("GET"))
    }

    @Test func jsonByDatagramsIsNamed() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"udp://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        try await socat("{\"updates\":[]}\n", to: "UDP4-SENDTO:127.0.0.1:\(port.number)")
        try await relay.waitForLog("does not send NMEA 0183, but JSON")
        reader.read()
        #expect(reader.text.isEmpty)
    }

    /// udp-split-64.txt: a bridge from a serial port to UDP cuts what it reads, not at the end of a line.
    @Test func sentencesThatAreCutByDatagramsAreJoined() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"udp://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        let log = (1...5).map { Self.sentence($0) }.joined()
        let file = try relay.folder.write(log, to: "log")
        // A busy machine may put more than 100 ms between two datagrams.
        try await eventually("the sentences as they were before they were cut: \(reader.text)") {
            let result = try await Program.run(
                "/usr/bin/socat", ["-u", "-b", "60", "FILE:\(file)", "UDP4-SENDTO:127.0.0.1:\(port.number)"])
            #expect(result.status == 0, "\(result.errors)")
            reader.read()
            return reader.text.contains(log)
        }
    }

    /// Attack: any user binds the same port to a more specific address, and gets the datagrams.
    @Test func nobodyElseBindsThePortOfDatagrams() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"udp://0.0.0.0:\(port.number)\"\nallow = [\"127.0.0.1\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        let thief = try await Program.run(
            "/usr/bin/socat", ["-u", "UDP4-RECV:\(port.number),bind=127.0.0.1,reuseaddr", "OPEN:/dev/null"])
        #expect(thief.status != 0 && thief.errors.contains("Address already in use"), "\(thief.errors)")
        withExtendedLifetime(reader) {}
    }

    @Test func aGPSDIsNamedAndLeft() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"tcp://127.0.0.1:\(port.number)\"\n")
        let log = try relay.folder.write("{\"class\":\"VERSION\",\"release\":\"3.22\"}\n", to: "log")
        let server = try RunningProgram(
            "/usr/bin/socat",
            ["TCP-LISTEN:\(port.number),bind=127.0.0.1,reuseaddr,fork", "SYSTEM:cat \(log); cat"])
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("gpsd's JSON: read it with source")
        reader.read()
        #expect(!reader.text.contains("VERSION"))
        withExtendedLifetime(server) {}
    }

    /// Attack: a sender floods. What is received is bounded by the reader, and the program's memory by what it reads.
    @Test func aFloodCostsTheSenderOnly() async throws {
        let port = try ReservedPort()
        let relay = try await Relay(
            "from = \"tcp-listen://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n")
        // A daemon that does not read.
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        let sender = try TCPSocket.connect(port: port.number)
        let bytes = [UInt8](repeating: UInt8(ascii: "$"), count: 1 << 20)
        var sent = 0
        // Until the kernel's buffers are full, since the program reads no faster than it may.
        while sent < 100 << 20 {
            let count = Glibc.send(sender.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            guard count > 0 else { break }
            sent += count
        }
        #expect(sent < 100 << 20)
        let status = try String(
            contentsOfFile: "/proc/\(relay.program.processIdentifier)/status", encoding: .utf8)
        let anonymous = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) }
        #expect(try #require(anonymous) < 40_000)
        withExtendedLifetime(reader) {}
    }

    /// The daemon believes a socket at which root listens, as the service manager does. It would not believe one at which
    /// the program listens again: nothing would be received from the second connection on.
    @Test func aSocketOfTheServiceManagerStaysItsOwn() async throws {
        let folder = try TemporaryFolder()
        let port = try ReservedPort()
        let file = try folder.write(
            "from = \"tcp-listen://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n", to: "phone.toml")
        let socket = folder.path + "/phone"
        let script = Program.script("ServiceManager/start_through_socket")
        let manager = try RunningProgram(
            "/usr/bin/python3",
            ["-c", script, socket, Program.path("locationd-nmea"), "receive", "--config", file, "--log-level", "debug"])
        for _ in 0..<2 {
            var connection: RawSocket?
            try await eventually("a connection: \(manager.errors)") {
                connection = try? RawSocket(socket)
                return connection != nil
            }
            let connected = try #require(connection)
            #expect(try Peer(socket: connected.descriptor).pid == manager.processIdentifier)
            // The program has it.
            try await eventually("the port: \(manager.errors)") { (try? TCPSocket.connect(port: port.number)) != nil }
        }
    }

    /// Attack: somebody opens connections, sends nothing, and keeps them open, so that none is left for the sender, or
    /// its turn becomes free.
    @Test func connectionsThatSendNothingDoNotKeepTheSenderOut() async throws {
        let port = try ReservedPort()
        let relay = try await Relay(
            "from = \"tcp-listen://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        let sender = try TCPSocket.connect(port: port.number)
        send(Self.sentence(1), to: sender)
        try await reader.wait(for: Self.sentence(1))
        let idle = try (0..<40).map { _ in try TCPSocket.connect(port: port.number) }
        try await relay.waitForLog("the silent ones are closed")
        let late = try TCPSocket.connect(port: port.number)
        try await eventually("the end of the first idle connection") {
            var byte: UInt8 = 0
            return recv(idle[0].descriptor, &byte, 1, CInt(MSG_DONTWAIT)) == 0
        }
        send(Self.sentence(2), to: sender)
        try await reader.wait(for: Self.sentence(2))
        // A sender that comes now has a connection, and the turn once the first one is silent.
        try await eventually("the turn of the late one") {
            send(Self.sentence(3), to: late)
            reader.read()
            return reader.text.contains(Self.sentence(3))
        }
        withExtendedLifetime((sender, idle)) {}
    }

    /// Attack: a host that may not send floods the port with datagrams.
    @Test func aFloodOfDatagramsFromElsewhereIsNotReceivedAndOthersAre() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"udp://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n")
        let reader = try await Reader(relay.socket)
        try await relay.waitForLog("listening at")
        let flood = try relay.folder.write(
            String(repeating: Self.sentence(6), count: 200_000), to: "flood")
        let result = try await Program.run(
            "/usr/bin/socat",
            ["-u", "-b", "1000", "FILE:\(flood)", "UDP4-SENDTO:127.0.0.1:\(port.number),bind=127.0.0.2"])
        #expect(result.status == 0, "\(result.errors)")
        try await relay.waitForLog("127.0.0.2 may not send")
        // The kernel may have dropped some for the flood.
        try await eventually("a sentence of the sender") {
            try await socat(Self.sentence(7), to: "UDP4-SENDTO:127.0.0.1:\(port.number)")
            reader.read()
            return reader.text.contains(Self.sentence(7))
        }
        #expect(!reader.text.contains(Self.sentence(6)))
        let refusals = relay.program.errors.components(separatedBy: "may not send").count - 1
        #expect(refusals < 10)
    }

    @Test func mistakesEndItWithStatusTwo() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("from = \"udp://0.0.0.0\"\n", to: "phone.toml")
        let wrong = try await Program.run(Program.path("locationd-nmea"), ["receive", "--check", "--config", file])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("phone.toml:") && wrong.errors.contains("say who may send"), "\(wrong.errors)")
        let right = try folder.write("from = \"tcp://127.0.0.1\"\n", to: "right.toml")
        let checked = try await Program.run(Program.path("locationd-nmea"), ["receive", "--check", "--config", right])
        #expect(checked.status == 0)
        let without = try await Program.run(Program.path("locationd-nmea"), ["receive", "--config", right])
        #expect(without.status == 2)
        #expect(without.errors.contains("--socket"))
    }

    @Test(.enabled(if: access("/usr/bin/systemd-socket-activate", X_OK) == 0, "needs systemd-socket-activate"))
    func theServiceManagerStartsItWithTheFirstConnectionAndItEndsAfterTheLast() async throws {
        let folder = try TemporaryFolder()
        let port = try ReservedPort()
        let socket = folder.path + "/phone"
        let file = try folder.write(
            "from = \"tcp-listen://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n", to: "phone.toml")
        let program = try RunningProgram(
            "/usr/bin/systemd-socket-activate",
            // It passes nothing else of the environment on, and the address sanitizer would look for leaks.
            ["-l", socket, "-E", "ASAN_OPTIONS", Program.path("locationd-nmea"), "receive", "--config", file])
        try await eventually("the socket") { access(socket, F_OK) == 0 }
        #expect(!program.errors.contains("listening at tcp-listen"))
        var reader: Reader? = try await Reader(socket)
        try await eventually("its start: \(program.errors)") { program.errors.contains("listening at tcp-listen") }
        try await socat(Self.sentence(1), to: "TCP4:127.0.0.1:\(port.number)")
        try await reader?.wait(for: Self.sentence(1))
        reader = nil
        // systemd-socket-activate has become the program.
        #expect(try await program.end().status == 0)
    }

    /// From a sender in the network to an app.
    @Test func anAppGetsWhatASenderSends() async throws {
        let port = try ReservedPort()
        let relay = try await Relay("from = \"udp://127.0.0.1:\(port.number)\"\nallow = [\"127.0.0.1\"]\n")
        let run = relay.folder.path + "/run"
        let configuration = try relay.folder.write("", to: "locationd.toml")
        let daemon = try RunningProgram(
            Program.path("locationd"),
            [
                "--runtime-directory", run, "--state-directory", relay.folder.path + "/state", "--config",
                configuration, "--receiver", "socket:\(relay.socket)",
            ])
        try await eventually("locationd: \(daemon.errors)") { access(run + "/manage/io.locationd.Manage", F_OK) == 0 }
        let locationctl = Program.path("locationctl")
        func ctl(_ arguments: [String]) async throws -> Program.Result {
            try await Program.run(locationctl, ["--runtime-directory", run] + arguments)
        }
        let status = try await ctl(["status", "--json"]).output
        let app = try #require(status.firstMatch(of: /"app":"([^"]*)"/)?.1)
        let granted = try await ctl(["grant", String(app)])
        #expect(granted.status == 0, "\(granted.errors)")
        let watch = try RunningProgram(
            locationctl, ["--runtime-directory", run, "watch", "--json", "-n", "1"])
        try await relay.waitForLog("listening at")
        var second = 0
        try await eventually("a location: \(watch.errors)") {
            let body = "GPRMC,1200\(10 + second % 50).00,A,5230.0000,N,01324.0000,E,0.0,,010626,,,A"
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            let sentence = "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
            try await socat(sentence, to: "UDP4-SENDTO:127.0.0.1:\(port.number)")
            second += 1
            return watch.output.contains("\"latitude\":52.5")
        }
        #expect(watch.output.contains("\"accessory\":true"))
        withExtendedLifetime(daemon) {}
    }
}
