import NMEARelay
import NTRIP
import Testing

/// Addresses, mount points, and the bytes of a request.
@Suite struct CasterAddressTests {
    @Test(arguments: [
        ("ntrip://caster.example/MOUNT", "ntrip://caster.example:2101/MOUNT"),
        ("ntrips://caster.example/A-b_1.2", "ntrips://caster.example:2102/A-b_1.2"),
        ("ntrip://[fd00::1]:80/X", "ntrip://[fd00::1]:80/X"), ("ntrips://1.2.3.4:443", "ntrips://1.2.3.4:443/"),
        ("ntrip://1.2.3.4:2102/", "ntrip://1.2.3.4:2102/"),
    ])
    func addresses(text: String, canonical: String) throws {
        let address = try CasterAddress(parsing: text)
        #expect(address.description == canonical)
        #expect(try CasterAddress(parsing: canonical) == address)
        // Whether TLS is used is never guessed from the port.
        #expect(address.usesTLS == text.hasPrefix("ntrips"))
    }

    @Test(arguments: [
        ("http://a/B", "is not a caster"), ("ntrip://", "is not the name"), ("ntrip://a:0/B", "1 to 65535"),
        ("ntrip://user:pw@a/B", "CREDENTIALS"), ("ntrip://a/B/C", "is not a mount point"),
        ("ntrip://a/B?C", "is not a mount point"), ("ntrip://a/B\r\nX: y", "is not a mount point"),
        ("ntrip://a\r\nX: y/B", "is not the name"), ("ntrip://a/" + String(repeating: "x", count: 101), "mount point"),
    ])
    func refusedAddresses(text: String, explanation: String) {
        let failure = #expect(throws: InvalidAddress.self) { try CasterAddress(parsing: text) }
        #expect(failure?.description.contains(explanation) == true, "\(failure?.description ?? "")")
    }

    @Test func theBytesOfARequest() throws {
        let address = try CasterAddress(parsing: "ntrip://caster.example/MOUNT")
        let request = CasterRequest.bytes(
            mount: "MOUNT", at: address, version: "1.0",
            credentials: CasterCredentials(user: "anna", password: "se:cret"))
        #expect(
            String(decoding: request, as: UTF8.self) == """
                GET /MOUNT HTTP/1.1\r
                Host: caster.example:2101\r
                Ntrip-Version: Ntrip/2.0\r
                User-Agent: NTRIP locationd-ntrip/1.0\r
                Accept: */*\r
                Authorization: Basic YW5uYTpzZTpjcmV0\r
                Connection: close\r
                \r\n
                """)
        let table = CasterRequest.bytes(mount: nil, at: address, version: "1.0", credentials: nil)
        #expect(String(decoding: table, as: UTF8.self).hasPrefix("GET / HTTP/1.1\r\n"))
        #expect(!String(decoding: table, as: UTF8.self).contains("Authorization"))
    }

    @Test func anIPv6AddressHasBracketsInTheRequest() throws {
        let address = try CasterAddress(parsing: "ntrip://[fd00::1]/M")
        let request = CasterRequest.bytes(mount: "M", at: address, version: "1", credentials: nil)
        #expect(String(decoding: request, as: UTF8.self).contains("\r\nHost: [fd00::1]:2101\r\n"))
    }
}
