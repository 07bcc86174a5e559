import Logging
import NMEARelay
import SentenceWriting
import ServiceSupport
import TestSupport
import Testing

@testable import LocationNMEACommand

/// The configuration of an instance that serves.
@Suite struct ServeFileTests {
    private func file(_ text: String) throws -> ServeFile {
        try TOMLText(text, file: "chart.toml").decode(ServeFile.self, allowed: ServeFile.keys)
    }

    @Test func everyKey() throws {
        let file = try file(
            "to = \"pty:/run/chart\"\nowner = \"root\"\nsentences = [\"GSA\", \"GLL\"]\ntalker = \"GN\"\ninterval = 0.5\n"
                + "log-level = \"debug\"\n")
        let settings = file.settings
        #expect(settings.target == .terminal(path: "/run/chart") && settings.owner == 0)
        #expect(settings.kinds == [.gsa, .gll] && settings.talker == "GN" && settings.interval == 0.5)
        #expect(file.logLevel == .debug)
        let open = try self.file("to = \"tcp://0.0.0.0\"\nallow = [\"192.168.1.0/24\", \"::1\"]\n").settings
        #expect(open.allowed.count == 2 && open.kinds == [.rmc, .gga] && open.talker == "GP" && open.interval == nil)
        #expect(try self.file("to = \"fifo:/a\"\nowner = \"4294967294\"\n").settings.owner == 4_294_967_294)
        #expect(try self.file("to = \"fifo:/a\"\nowner = 1000\n").settings.owner == 1000)
    }

    @Test(arguments: [
        ("", "to"), ("to = \"tty\"\n", "chart.toml:1: to: \"tty\" is not a target"),
        ("to = \"tcp://0.0.0.0\"\n", "say who may connect"), ("to = \"tcp://127.0.0.1\"\nallow = []\n", "say who may"),
        ("to = \"udp://1.2.3.4\"\nallow = [\"::1\"]\n", "chart.toml:2: allow: applies only to tcp://"),
        ("to = \"udp://1.2.3.4\"\nowner = \"root\"\n", "chart.toml:2: owner: only a pty and a FIFO"),
        ("to = \"pty:/a\"\nowner = \"no such user\"\n", "there is no user \"no such user\""),
        ("to = \"pty:/a\"\nowner = \"4294967295\"\n", "there is no user"),
        ("to = \"pty:/a\"\nowner = 4294967295\n", "chart.toml:2: owner: 4294967295 is not a user id"),
        ("to = \"pty:/a\"\nowner = \"-1\"\n", "there is no user"),
        ("to = \"pty:/a\"\nowner = \"\"\n", "there is no user"),
        ("to = \"pty:/a\"\nsentences = []\n", "at least one"),
        ("to = \"pty:/a\"\nsentences = [\"GGA\", \"GGA\"]\n", "once"),
        ("to = \"pty:/a\"\nsentences = [\"gga\"]\n", "\"gga\" is not a sentence: use some of RMC, GGA"),
        ("to = \"pty:/a\"\ntalker = \"gp\"\n", "two capital letters"),
        ("to = \"pty:/a\"\ntalker = \"PX\"\n", "capital"),
        ("to = \"pty:/a\"\ntalker = \"GPS\"\n", "capital"), ("to = \"pty:/a\"\ninterval = 0\n", "0.1 to 3600"),
        ("to = \"pty:/a\"\ninterval = nan\n", "0.1 to 3600"), ("to = \"pty:/a\"\ninterval = 3601\n", "0.1 to 3600"),
        ("to = \"pty:/a\"\nfrom = \"tcp://a\"\n", "unknown key from; allowed are to, owner"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, explanation: String) {
        let error = #expect(throws: ConfigurationError.self) { try file(text) }
        #expect(error?.description.contains(explanation) == true, "\(error?.description ?? "")")
    }

    /// The example that is installed can be used as it is.
    @Test func theExampleIsRight() throws {
        let settings = try file(Project.text("data/etc/nmea-serve.toml")).settings
        #expect(settings.target == .terminal(path: "/run/locationd-nmea/NAME/tty"))
    }
}
