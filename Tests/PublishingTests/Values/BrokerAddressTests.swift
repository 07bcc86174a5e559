import Publishing
import Testing

/// The addresses of servers.
@Suite struct BrokerAddressTests {
    @Test(arguments: [
        ("mqtt://broker", "mqtt://broker:1883"), ("mqtts://broker.example", "mqtts://broker.example:8883"),
        ("mqtt://127.0.0.1:11883", "mqtt://127.0.0.1:11883"), ("mqtt://[::1]:1", "mqtt://[::1]:1"),
        ("mqtt://[fe80::1%eth0]", "mqtt://[fe80::1%eth0]:1883"), ("mqtt://broker/", "mqtt://broker:1883"),
        ("http://traccar:5055", "http://traccar:5055"), ("http://traccar/osmand?x=1", "http://traccar:80/osmand?x=1"),
        ("http://traccar/", "http://traccar:80"), ("mqtts://a:65535", "mqtts://a:65535"),
    ]) func valid(text: String, description: String) throws {
        let address = try BrokerAddress(parsing: text)
        #expect(address.description == description)
        #expect(try BrokerAddress(parsing: description) == address)
    }

    @Test(arguments: [
        ("", "is not an address"), ("broker", "is not an address"), ("broker:1883", "is not an address"),
        ("ftp://broker", "is not an address"), ("MQTT://broker", "is not an address"),
        ("https://traccar:5055", "reverse proxy"), ("mqtt://", "is not the name"), ("mqtt://:1883", "is not the name"),
        ("mqtt://a b", "is not the name"), ("mqtt://a\u{0}", "is not the name"), ("mqtt://[::1", "closing bracket"),
        ("mqtt://a:", "the port"), ("mqtt://a:0", "the port"), ("mqtt://a:65536", "the port"),
        ("mqtt://a:+1", "the port"), ("mqtt://a:99999999999999999999", "the port"), ("mqtt://[::1]x", "the port"),
        ("mqtt://user:secret@a", "credentials"), ("user:secret@a", "credentials"), ("mqtt://a/topic", "key topic"),
        ("http://a/b c", "percent-encoded"),
        ("http://a/b#c", "fragment"), ("http://a/b\r\nX: y", "percent-encoded"),
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
