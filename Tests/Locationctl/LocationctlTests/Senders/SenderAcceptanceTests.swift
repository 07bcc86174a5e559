import JSON
import NMEARelay
import TestSupport
import Testing

@testable import LocationctlCommands
@testable import LocationctlSupport

/// The choice and the files of `locationctl receivers --accept`, for different announcements.
@Suite struct SenderAcceptanceTests {
    private func announcement(
        _ name: String = "My Phone", _ transport: Announcement.Transport = .tcp, host: String = "phone.local",
        address: String = "192.0.2.2", port: Int = 10110
    ) throws -> Announcement {
        let address = try #require(IPAddress(parsing: address))
        return try #require(
            Announcement(
                name: name, transport: transport, host: host, address: address, port: port, interface: "eth0"))
    }

    // MARK: The choice

    @Test func anAddressOfIPv4IsPreferredAndTCP() throws {
        let all = [
            try announcement(address: "fe80::2"), try announcement(address: "2001:db8::2"), try announcement(),
            try announcement("My Phone", .udp), try announcement("Other", host: "other.local", address: "192.0.2.9"),
        ]
        let choice = try SenderChoice(of: "My Phone", among: all)
        #expect(choice.announcement == all[2])
        #expect(choice.addresses.count == 3)
        #expect(try SenderChoice(of: "My Phone", among: Array(all[..<2])).announcement == all[1])
    }

    /// Attack: a neighbour announces the same name, to be accepted in the phone's place.
    @Test(arguments: [
        ("attacker.local", "192.0.2.66", 10110, "2 hosts announce"),
        ("phone.local", "192.0.2.66", 10110, "2 addresses belong to"),
        ("phone.local", "192.0.2.2", 6666, "several ports belong to"),
        ("attacker.local", "192.0.2.2", 10110, "2 hosts"),
    ])
    func aNameThatTwoAnnounceIsRefused(_ host: String, _ address: String, _ port: Int, _ reason: String) throws {
        let all = [try announcement(), try announcement(host: host, address: address, port: port)]
        let failure = try #require(throws: Failure.self) { try SenderChoice(of: "My Phone", among: all) }
        #expect(failure.message.contains(reason), "\(failure.message)")
        for text in ["phone.local, 192.0.2.2, port 10110, TCP", "\(host), \(address), port \(port), TCP"] {
            #expect(failure.message.contains(text), "\(failure.message)")
        }
    }

    @Test func anotherTransportOfAnotherHostCountsToo() throws {
        let all = [
            try announcement("My Phone", .udp), try announcement(host: "attacker.local", address: "192.0.2.66"),
        ]
        #expect(throws: Failure.self) { try SenderChoice(of: "My Phone", among: all) }
    }

    /// Attack: a name looks like the phone's in the list, since it differs only in characters that are not shown.
    @Test func namesThatAreShownAlikeAreTheSame() throws {
        let all = [
            try announcement("Phone\u{202E}"), try announcement("Phone\u{200B}", host: "attacker.local"),
        ]
        #expect(throws: Failure.self) { try SenderChoice(of: "Phone\u{FFFD}", among: all) }
        let failure = try #require(throws: Failure.self) { try SenderChoice(of: "Phone\u{1B}[2J", among: all) }
        #expect(failure.message.contains("nothing in the local network") && !failure.message.contains("\u{1B}"))
    }

    // MARK: The file

    @Test func theFileOfAServer() throws {
        let phone = try announcement()
        #expect(
            SenderPin(phone, namesHost: true).file(phone) == """
                # By `locationctl receivers --accept`: "My Phone", which phone.local announced.
                from = "tcp://phone.local:10110"

                """)
        #expect(SenderPin(phone, namesHost: false).from == "tcp://192.0.2.2:10110")
        let link = try announcement(address: "fe80::2")
        #expect(SenderPin(link, namesHost: false).from == "tcp://[fe80::2%eth0]:10110")
    }

    @Test(arguments: [
        ("192.0.2.2", "udp://0.0.0.0:2000", "192.0.2.2"), ("fe80::2", "udp://[::]:2000", "fe80::2"),
        ("2001:db8::2", "udp://[::]:2000", "2001:db8::2"),
    ])
    func theFileOfASenderOfDatagrams(_ address: String, _ from: String, _ allow: String) throws {
        let boat = try announcement("Boat", .udp, address: address, port: 2000)
        let text = SenderPin(boat, namesHost: true).file(boat)
        #expect(text.hasSuffix("from = \"\(from)\"\nallow = [\"\(allow)\"]\n"), "\(text)")
        #expect(SenderPin(parsing: text) == SenderPin(boat, namesHost: true))
    }

    /// Attack: a name continues as keys of the file, or ends its comment.
    @Test(arguments: [
        "x\nfrom = \"tcp://evil:1\"", "x\r\nallow = []", "x\u{2028}from = 1", "x\u{85}y", "\"\nlog-level=1",
    ])
    func aNameAddsNothingToTheFile(_ name: String) throws {
        let hostile = try announcement(name)
        let pin = SenderPin(hostile, namesHost: false)
        let text = pin.file(hostile)
        #expect(text.utf8.split(separator: 0x0A).count == 2, "\(text)")
        #expect(SenderPin(parsing: text) == pin)
    }

    @Test(arguments: [
        ("My Phone", "my-phone"), ("../../etc/passwd", "etc-passwd"), ("K\u{E4}the's iPhone", "k-the-s-iphone"),
        ("", "sender"), ("\u{1F4F1}", "sender"), (".", "sender"), ("%i@x.service", "i-x-service"), ("--now", "now"),
        ("a/../b", "a-b"), ("A\u{202E}B", "a-b"),
        (String(repeating: "x", count: 63), String(repeating: "x", count: 63)),
    ])
    func theInstanceIsHarmless(_ name: String, _ instance: String) {
        #expect(SenderPin.instance(of: name) == instance)
    }

    @Test(arguments: [
        (
            "from='udp://0.0.0.0'\nallow = [ '192.0.2.0/24', \"::1\" ] # who\n", "udp://0.0.0.0:10110",
            "192.0.2.0/24, ::1"
        ),
        ("# from = \"tcp://a:1\"\n from = \"tcp://b:2\" # \"c\"\nfrom = \"tcp://d:3\"\n", "tcp://b:2", nil),
        ("from = \"what\"", "what", nil),
    ])
    func filesOfAdministratorsAreRead(_ text: String, _ from: String, _ allow: String?) throws {
        let pin = try #require(SenderPin(parsing: text))
        #expect(pin.from == from && pin.allow == allow)
    }

    @Test func whatIsAcceptedIsKnownByHostAndPort() throws {
        let folder = try TemporaryFolder()
        try folder.write("from = \"tcp://phone.local:10110\"\n", to: "phone.toml")
        try folder.write("from = \"udp://0.0.0.0:2000\"\nallow = [\"192.0.2.2\"]\n", to: "boat.toml")
        try folder.write("log-level = \"info\"\n", to: "broken.toml")
        let accepted = AcceptedSenders(in: folder.path)
        #expect(accepted.instance(for: try announcement("Whatever")) == "phone")
        #expect(accepted.instance(for: try announcement("Boat", .udp, port: 2000)) == "boat")
        #expect(accepted.instance(for: try announcement(port: 10111)) == nil)
        #expect(accepted.instance(for: try announcement("Boat", .udp, address: "192.0.2.3", port: 2000)) == nil)
        #expect(AcceptedSenders(in: "/nowhere").pins.isEmpty)
    }

    // MARK: Output

    @Test func theListForPrograms() throws {
        let row = SenderText.Row(announcement: try announcement(), accepted: "my-phone")
        #expect(
            try JSONLine.line([row]) == """
                [{"name":"My Phone","transport":"tcp","host":"phone.local","address":"192.0.2.2","port":10110,\
                "interface":"eth0","accepted":"my-phone"}]

                """)
        let line = try JSONLine.line(SenderText.Row(announcement: try announcement(), accepted: nil))
        let value = try JSONValue(parsing: line)
        #expect(try value.decoded(as: Announcement.self) == announcement())
    }
}
