import NMEARelay
import Testing

/// Announcements of senders, from what Avahi reports.
@Suite struct AnnouncementTests {
    private static func label(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func record(_ labels: String..., port: UInt16 = 10110) -> [UInt8] {
        [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xff)] + labels.flatMap(label) + [0]
    }

    private func service(_ name: String, family: Int32 = 0) -> Discovery.Service {
        .init(interface: 2, family: family, name: name, transport: .tcp)
    }

    private func announcement(
        name: String = "Phone", host: String = "phone.local", address: String = "192.0.2.2", port: Int = 10110,
        interface: String = "eth0"
    ) -> Announcement? {
        IPAddress(parsing: address).flatMap {
            Announcement(name: name, transport: .tcp, host: host, address: $0, port: port, interface: interface)
        }
    }

    // MARK: Records

    @Test func aRecordHasAHostAndAPort() throws {
        let record = try #require(ServiceRecord(data: Self.record("My-Phone", "LOCAL", port: 50000)))
        #expect(record.host == "my-phone.local" && record.port == 50000)
    }

    @Test(
        arguments: [
            [], [0, 0, 0, 0, 39, 126], record(), record("phone", "local", port: 0), record("a b", "local"),
            record("a.b", "local"), record("\u{1B}[2J", "local"), record("k\u{E4}the", "local"),
            record("-phone", "local"),
            record("127", "0", "0", "1"), record("2130706433"), record("phone", "local") + [0],
            Array(record("phone", "local").dropLast()), Array(record("phone", "local").dropLast(3)),
            [0, 0, 0, 0, 39, 126, 0xC0, 12], record(String(repeating: "x", count: 64), "local"),
            [0, 0, 0, 0, 39, 126] + (0..<5).flatMap { _ in label(String(repeating: "x", count: 60)) } + [0],
        ] as [[UInt8]])
    func aRecordThatCannotBeUsed(_ data: [UInt8]) {
        #expect(ServiceRecord(data: data) == nil)
    }

    @Test(arguments: [
        ("Phone-1", "Phone-1"), ("My Phone", "My\\032Phone"), ("a.b\\c", "a\\046b\\092c"), ("ä", "\\195\\164"),
        ("\u{1B}", "\\027"),
    ])
    func theNameOfAServicesRecords(_ name: String, _ label: String) {
        #expect(ServiceRecord.name(of: name, .udp) == "\(label)._nmea-0183._udp.local")
    }

    // MARK: Announcements

    @Test(arguments: [
        ("", "phone.local", "192.0.2.2", 10110), (String(repeating: "x", count: 64), "phone.local", "192.0.2.2", 10110),
        (String(repeating: "x", count: 4096), "phone.local", "192.0.2.2", 10110),
        ("a\0b", "phone.local", "192.0.2.2", 10110), ("Phone", "", "192.0.2.2", 10110),
        ("Phone", "phone..local", "192.0.2.2", 10110), ("Phone", "Phone.local", "192.0.2.2", 10110),
        ("Phone", "192.0.2.2", "192.0.2.2", 10110), ("Phone", "phone.local", "192.0.2.2", 0),
        ("Phone", "phone.local", "192.0.2.2", 65536), ("Phone", "phone.local", "127.0.0.1", 10110),
        ("Phone", "phone.local", "127.255.0.9", 10110), ("Phone", "phone.local", "0.0.0.0", 10110),
        ("Phone", "phone.local", "0.1.2.3", 10110), ("Phone", "phone.local", "224.0.0.1", 10110),
        ("Phone", "phone.local", "255.255.255.255", 10110), ("Phone", "phone.local", "::1", 10110),
        ("Phone", "phone.local", "::", 10110), ("Phone", "phone.local", "::ffff:127.0.0.1", 10110),
        ("Phone", "phone.local", "::127.0.0.1", 10110), ("Phone", "phone.local", "ff02::1", 10110),
    ])
    func anAnnouncementThatCannotBeUsed(_ name: String, _ host: String, _ address: String, _ port: Int) {
        #expect(announcement(name: name, host: host, address: address, port: port) == nil)
    }

    @Test(arguments: ["", "a b", "eth0\u{1B}", String(repeating: "x", count: 16)])
    func anInterfaceThatCannotBeUsed(_ interface: String) {
        #expect(announcement(interface: interface) == nil)
    }

    @Test(arguments: [
        ("192.0.2.2", "192.0.2.2"), ("169.254.1.2", "169.254.1.2"), ("2001:DB8:0::2", "2001:db8::2"),
        ("fe80::2", "fe80::2%eth0"), ("::ffff:192.0.2.2", "192.0.2.2"),
    ])
    func aLinkLocalAddressHasItsInterface(_ address: String, _ text: String) throws {
        #expect(try #require(announcement(address: address)).addressText == text)
    }

    // MARK: The search

    @Test func aServiceIsFoundAndResolved() throws {
        var discovery = Discovery()
        #expect(discovery.found(service("Phone")) == [.browse(service("Phone"))])
        #expect(discovery.found(service("Phone")).isEmpty)
        let actions = discovery.found(record: Self.record("phone", "local"), of: service("Phone"))
        guard case .resolve(let target)? = actions.first else { throw Missing() }
        #expect(discovery.found(record: Self.record("PHONE", "local"), of: service("Phone")).isEmpty)
        for transport in Announcement.Transport.allCases { discovery.ended(transport) }
        discovery.ended(service("Phone"))
        #expect(!discovery.isComplete)
        discovery.resolved(target, address: "192.0.2.2", interface: "eth0")
        #expect(discovery.isComplete)
        #expect(discovery.announcements == [try #require(announcement())])
        // A second answer is not asked for.
        discovery.resolved(target, address: "192.0.2.3", interface: "eth0")
        #expect(discovery.announcements.count == 1 && discovery.unusable == 0)
    }

    /// Attack: a second host announces the name.
    @Test func everyHostOfANameIsFound() throws {
        var discovery = Discovery()
        _ = discovery.found(service("Phone"))
        for (host, address) in [("phone", "192.0.2.2"), ("attacker", "192.0.2.66")] {
            guard
                case .resolve(let target)? = discovery.found(record: Self.record(host, "local"), of: service("Phone"))
                    .first
            else { throw Missing() }
            discovery.resolved(target, address: address, interface: "eth0")
        }
        #expect(discovery.announcements.map(\.host) == ["attacker.local", "phone.local"])
    }

    /// Attack: thousands of names, and thousands of hosts of one name.
    @Test func whatIsLookedAtIsBounded() {
        var discovery = Discovery()
        let browsed = (0..<5000).flatMap { discovery.found(service("Phone \($0)")) }
        #expect(browsed.count == Discovery.maximumServices && discovery.isCut)
        let resolved = (0..<5000).flatMap {
            discovery.found(record: Self.record("h\($0)", "local"), of: service("Phone 1"))
        }
        #expect(resolved.count == Discovery.maximumTargets)
        // Services that nobody looks for have no records.
        #expect(discovery.found(record: Self.record("phone", "local"), of: service("Phone 4000")).isEmpty)
    }

    @Test func whatCannotBeUsedIsCounted() throws {
        var discovery = Discovery()
        #expect(discovery.found(service(String(repeating: "x", count: 1024))).isEmpty)
        _ = discovery.found(service("Phone"))
        #expect(discovery.found(record: [1, 2, 3], of: service("Phone")).isEmpty)
        guard
            case .resolve(let target)? = discovery.found(record: Self.record("phone", "local"), of: service("Phone"))
                .first
        else { throw Missing() }
        discovery.resolved(target, address: "127.0.0.1", interface: "eth0")
        #expect(discovery.unusable == 3 && discovery.announcements.isEmpty)
    }

    private struct Missing: Error {}
}
