import Publishing
import Testing

/// The addresses of servers.
@Suite struct BrokerAddressTests {
    @Test(arguments: [
        ("mqtt://broker", "mqtt://broker:1883"), ("mqtts://broker.example", "mqtts://broker.example:8883"),
        ("mqtt://127.0.0.1:11883", "mqtt://127.0.0.1:11883"), ("mqtt://[::1]:1", "mqtt://[::1]:1"),
        ("mqtt://[fe80::1%eth0]", "mqtt://[fe80::1%eth0]:1883"), ("mqtt://broker/", "mqtt://broker:1883"),
        ("http://traccar:5055", "http://traccar:5055"), ("http://traccar/osmand/", "http://traccar:80/osmand/"),
        ("https://traccar", "https://traccar:443"), ("https://[::1]:8443/a/b", "https://[::1]:8443/a/b"),
        ("http://traccar/", "http://traccar:80"), ("mqtts://a:65535", "mqtts://a:65535"),
    ]) func valid(text: String, description: String) throws {
        let address = try BrokerAddress(parsing: text)
        #expect(address.description == description)
        #expect(try BrokerAddress(parsing: description) == address)
    }

    /// Attack: everybody may read the status of the service, and the query has the key of an interface.
    @Test func theQueryIsNotInMessages() throws {
        let address = try BrokerAddress(parsing: "https://dawarich.example/api/points?api_key=secret&x=%20")
        #expect(address.description == "https://dawarich.example:443/api/points?...")
        #expect(address.url == "https://dawarich.example:443/api/points?api_key=secret&x=%20")
    }

    @Test(arguments: [
        ("", "is not an address"), ("broker", "is not an address"), ("broker:1883", "is not an address"),
        ("ftp://broker", "is not an address"), ("MQTT://broker", "is not an address"),
        ("HTTPS://traccar:5055", "is not an address"), ("mqtt://", "is not the name"),
        ("mqtt://:1883", "is not the name"),
        ("mqtt://a b", "is not the name"), ("mqtt://a\u{0}", "is not the name"), ("mqtt://[::1", "closing bracket"),
        ("mqtt://a:", "the port"), ("mqtt://a:0", "the port"), ("mqtt://a:65536", "the port"),
        ("mqtt://a:+1", "the port"), ("mqtt://a:99999999999999999999", "the port"), ("mqtt://[::1]x", "the port"),
        ("mqtt://user:secret@a", "credentials"), ("user:secret@a", "credentials"), ("mqtt://a/topic", "key topic"),
        ("http://a/b c", "percent-encoded"),
        ("https://user:secret@a", "credentials"), ("https://", "is not the name"), ("http://a/b#c", "fragment"),
        ("http://a/b\r\nX: y", "percent-encoded"),
    ]) func invalid(text: String, reason: String) {
        #expect {
            try BrokerAddress(parsing: text)
        } throws: {
            let description = "\($0)"
            // A password must not get into the log.
            return description.contains(reason) && !description.contains("secret")
        }
    }
}
