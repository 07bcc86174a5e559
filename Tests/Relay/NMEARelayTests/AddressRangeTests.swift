import NMEARelay
import Testing

struct AddressRangeTests {
    @Test(arguments: [
        ("192.168.1.0/24", "192.168.1.255", true), ("192.168.1.0/24", "192.168.2.0", false),
        ("192.168.1.20", "192.168.1.20", true), ("192.168.1.20", "192.168.1.21", false),
        ("192.168.1.0/24", "::ffff:192.168.1.7", true), ("0.0.0.0/0", "8.8.8.8", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false), ("::/0", "fe80::1%eth0", true),
        ("10.128.0.0/9", "10.127.255.255", false), ("10.128.0.0/9", "10.255.0.1", true),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("::1", "::1", true),
        ("::ffff:10.0.0.1", "10.0.0.1", true),
    ])
    func contains(range: String, address: String, isInside: Bool) throws {
        let address = try #require(IPAddress(parsing: address))
        #expect(try AddressRange(parsing: range).contains(address) == isInside)
    }

    @Test(arguments: [
        "", "/", "192.168.1", "192.168.1.0/33", "::/129", "192.168.1.0/-1", "192.168.1.0/+8", "192.168.1.0/",
        "192.168.1.1/24", "fd00::1/8", "fe80::1%eth0/64", "host.example", "1.2.3.4\0", "01.2.3.4.5", "any",
    ])
    func whatIsNoRangeIsRefused(text: String) {
        #expect(throws: InvalidAddress.self) { try AddressRange(parsing: text) }
    }

    @Test(arguments: [
        ("224.0.0.1", true), ("239.255.0.1", true), ("223.255.255.255", false), ("ff02::1", true),
        ("fe80::1", false),
    ])
    func isMulticast(address: String, answer: Bool) throws {
        #expect(try #require(IPAddress(parsing: address)).isMulticast == answer)
    }
}
