import Logging
import NMEARelay
import ServiceSupport
import TestSupport
import Testing

@testable import LocationNMEACommand

/// The configuration of an instance.
struct ReceiveFileTests {
    private func file(_ text: String) throws -> ReceiveFile {
        try TOMLText(text, file: "phone.toml").decode(ReceiveFile.self, allowed: ReceiveFile.keys)
    }

    @Test func everyKey() throws {
        let file = try file(
            "from = \"udp://0.0.0.0:10110\"\nallow = [\"192.168.1.0/24\", \"::1\"]\nlog-level = \"debug\"\n")
        #expect(file.from == .datagrams(address: "0.0.0.0", port: 10110))
        #expect(file.allow?.count == 2)
        #expect(file.logLevel == .debug)
    }

    @Test(arguments: [
        ("", "from"), ("from = 1\n", "from"), ("from = \"10110\"\n", "phone.toml:1: from: \"10110\" is not a source"),
        ("from = \"udp://0.0.0.0\"\n", "say who may send"), ("from = \"udp://0.0.0.0\"\nallow = []\n", "say who may"),
        ("from = \"tcp://a\"\nallow = [\"::1\"]\n", "allow: applies only to tcp-listen://"),
        ("from = \"udp://0.0.0.0\"\nallow = [\"all\"]\n", "is not a range of addresses"),
        ("from = \"tcp://a\"\nspeed = 1\n", "unknown key speed; allowed are from, allow, log-level"),
        ("from = \"tcp://a\"\nlog-level = \"loud\"\n", "is not a log level"), ("from = [", "column"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, explanation: String) {
        let error = #expect(throws: ConfigurationError.self) { try file(text) }
        #expect(error?.description.contains(explanation) == true, "\(error?.description ?? "")")
    }

    /// The example that is installed can be used as it is.
    @Test func theExampleIsRight() throws {
        #expect(
            try file(Project.text("data/etc/nmea-receive.toml")).from == .server(host: "192.168.1.20", port: 10110))
    }
}
