import NMEARelay
import Testing

@Suite struct ServeTargetTests {
    @Test(arguments: [
        ("pty:/run/locationd-nmea/chart/tty", ServeTarget.terminal(path: "/run/locationd-nmea/chart/tty")),
        ("fifo:/a b", .fifo(path: "/a b")), ("tcp://0.0.0.0:10110", .server(address: "0.0.0.0", port: 10110)),
        ("tcp://[::1]:1", .server(address: "::1", port: 1)),
        ("udp://255.255.255.255:65535", .datagrams(address: "255.255.255.255", port: 65535)),
    ])
    func whatIsWrittenIsReadAndWrittenTheSame(text: String, target: ServeTarget) throws {
        #expect(try ServeTarget(parsing: text) == target)
        #expect(target.description == text)
    }

    @Test(arguments: [
        ("", "is not a target"), ("/dev/ttyUSB0", "is not a target"), ("pty:", "absolute path"),
        ("pty:tty", "absolute path"), ("fifo:/run/", "absolute path"), ("fifo:/a\0b", "absolute path"),
        ("pty:/" + String(repeating: "x", count: 4000), "absolute path"), ("tcp://phone:1", "is not an IP address"),
        ("udp://:1", "is not the name"), ("tcp://1.2.3.4:0", "1 to 65535"), ("tcp-listen://1.2.3.4", "is not a target"),
    ])
    func whatIsNoTargetIsRefused(text: String, explanation: String) {
        let failure = #expect(throws: InvalidAddress.self) { try ServeTarget(parsing: text) }
        #expect(failure?.description.contains(explanation) == true, "\(failure?.description ?? "")")
    }

    @Test func whoComesByItselfHasToBeAllowed() throws {
        #expect(try ["pty:/a", "fifo:/a", "udp://1.2.3.4"].allSatisfy { try !ServeTarget(parsing: $0).isOpen })
        #expect(try ServeTarget(parsing: "tcp://127.0.0.1").isOpen)
        #expect(try ["pty:/a", "fifo:/a"].allSatisfy { try ServeTarget(parsing: $0).isFile })
        #expect(try ["tcp://127.0.0.1", "udp://1.2.3.4"].allSatisfy { try !ServeTarget(parsing: $0).isFile })
    }
}
