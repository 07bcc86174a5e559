import NMEARelay
import Testing

struct ReceiveSourceTests {
    @Test(arguments: [
        ("tcp://phone.local:50000", ReceiveSource.server(host: "phone.local", port: 50000)),
        ("tcp://[fe80::1%eth0]:2947", .server(host: "fe80::1%eth0", port: 2947)),
        ("tcp-listen://0.0.0.0:10110", .listener(address: "0.0.0.0", port: 10110)),
        ("tcp-listen://[::]:1", .listener(address: "::", port: 1)),
        ("udp://239.2.1.1:10110", .datagrams(address: "239.2.1.1", port: 10110)),
        ("udp://[::1]:65535", .datagrams(address: "::1", port: 65535)),
    ])
    func whatIsWrittenIsReadAndWrittenTheSame(text: String, source: ReceiveSource) throws {
        #expect(try ReceiveSource(parsing: text) == source)
        #expect(source.description == text)
    }

    @Test func thePortIsIANAsWithoutOne() throws {
        #expect(try ReceiveSource(parsing: "udp://0.0.0.0").description == "udp://0.0.0.0:10110")
        #expect(try ReceiveSource(parsing: "tcp://[::1]").description == "tcp://[::1]:10110")
    }

    @Test(arguments: [
        ("", "is not a source"), ("10110", "is not a source"), ("TCP://a:1", "is not a source"),
        ("http://a:1", "is not a source"), ("tcp://", "is not the name"), ("tcp://:1", "is not the name"),
        ("tcp://a b:1", "is not the name"), ("tcp://a:0", "1 to 65535"), ("tcp://a:65536", "1 to 65535"),
        ("tcp://a:+1", "1 to 65535"), ("tcp://a:", "1 to 65535"), ("tcp://::1:1", "brackets"),
        ("tcp://[::1", "closing bracket"), ("tcp://[::1]x", "1 to 65535"), ("tcp://[a]:1", "not an IPv6 address"),
        ("udp://phone.local:1", "is not an IP address"), ("tcp-listen://localhost:1", "is not an IP address"),
        ("tcp://a/b:1", "is not the name"),
    ])
    func whatIsNoSourceIsRefused(text: String, explanation: String) {
        let failure = #expect(throws: InvalidAddress.self) { try ReceiveSource(parsing: text) }
        #expect(failure?.description.contains(explanation) == true, "\(failure?.description ?? "")")
    }

    @Test func onlyAServerIsChosenByThisMachine() throws {
        #expect(try !ReceiveSource(parsing: "tcp://a:1").isOpen)
        #expect(try ReceiveSource(parsing: "tcp-listen://0.0.0.0:1").isOpen)
        #expect(try ReceiveSource(parsing: "udp://0.0.0.0:1").isOpen)
    }
}
