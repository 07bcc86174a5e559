import Foundation
import LocationModel
import Publishing
import ServiceSupport
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The configuration file.
@Suite struct PublisherFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(_ text: String) throws -> PublisherSettings {
        try PublisherFile.read(folder.write(text, to: "publish.toml")).settings
    }

    private static let least = "broker = \"mqtt://b\"\nformat = \"json\"\ndevice = \"van\"\n"

    @Test func theLeast() throws {
        let settings = try settings(Self.least)
        #expect(
            settings == PublisherSettings(broker: try BrokerAddress(parsing: "mqtt://b"), format: .json, device: "van"))
        #expect(settings.topic == "locationd/van")
        #expect(settings.bounds == QueueBounds(maximumCount: 100_000, maximumAge: 604_800, maximumSize: 64_000_000))
    }

    @Test func everything() throws {
        let pem = try folder.write("", to: "a.pem")
        let settings = try settings(
            """
            broker = "mqtts://b:1"
            format = "owntracks"
            device = "van"
            topic = "owntracks/fleet/van"
            interval = 10
            distance = 2.5
            mqtt-version = "3.1.1"
            keep-alive = 30
            log-level = "debug"

            [tls]
            ca = "\(pem)"
            certificate = "\(pem)"
            key = "\(pem)"

            [queue]
            maximum-count = 10
            maximum-age = 3600
            maximum-size = 20000
            send-while-disabled = true

            [[region]]
            name = "home"
            latitude = 47
            longitude = 8.5
            radius = 150
            """)
        var expected = PublisherSettings(
            broker: try BrokerAddress(parsing: "mqtts://b:1"), format: .owntracks, device: "van")
        expected.topic = "owntracks/fleet/van"
        expected.interval = 10
        expected.distance = 2.5
        expected.mqttVersion = .mqtt311
        expected.keepAlive = 30
        expected.tls.authorities = pem
        expected.tls.certificate = pem
        expected.tls.key = pem
        expected.bounds = QueueBounds(maximumCount: 10, maximumAge: 3600, maximumSize: 20_000)
        expected.sendsWhileDisabled = true
        expected.regions = [CircularRegion(identifier: "home", latitude: 47, longitude: 8.5, radius: 150)]
        #expect(settings == expected)
    }

    @Test(arguments: [
        // What is added to the least, the line that is to be named, and words of the message.
        ("interval = -1", 4, "seconds from 0 to 86400"), ("interval = \"10\"", 4, "interval"),
        ("distance = 1e9", 4, "metres from 0"), ("distance = nan", 4, "out of range"),
        ("topic = \"a/#\"", 4, "is not a topic"), ("topic = \"\"", 4, "is not a topic"),
        ("topic = \"$SYS/x\"", 4, "is not a topic"), ("topic = \"a/\"", 4, "is not a topic"),
        ("topic = \"a\\u0085\"", 4, "is not a topic"), ("topic = \"a\\uffff\"", 4, "is not a topic"),
        ("topic = \"a\\ufdd0\"", 4, "is not a topic"), ("topic = \"a/+/b\"", 4, "is not a topic"),
        ("topic = \"a\\u0000b\"", 4, "a zero character cannot be used"),
        ("\n\ntopic = \"a\\U00000000\"", 6, "a zero character cannot be used"),
        ("topic = \"a\"\n# \u{0}", 5, "a zero character cannot be used"),
        ("[queue]\nsend-while-disabled = 1", 5, "wrong type"),
        ("mqtt-version = \"4\"", 4, "\"5\" or \"3.1.1\""), ("keep-alive = 1", 4, "seconds from 5 to 3600"),
        ("log-level = \"loud\"", 4, "is not a log level"),
        ("intervall = 1", 4, "unknown key intervall: did you mean interval?"),
        ("[tls]\nca = \"/nowhere\"", 5, "/nowhere cannot be read: No such file"),
        ("[tls]\nca = \"x.pem\"", 5, "absolute"),
        ("[tls]", 4, "only a broker of mqtts://"), ("proxy-from-environment = true", 4, "only to http:// and https://"),
        ("proxy-from-environment = 1", 4, "wrong type"), ("[queue]\nmaximum-count = 0", 5, "reports from 1"),
        ("[queue]\nmaximum-age = 0", 5, "seconds from 1"), ("[queue]\nmaximum-size = 1", 5, "bytes from 10000"),
        ("[queue]\nmaximum = 1", 5, "unknown key queue.maximum"), ("topic = \"a", 4, "column"),
        ("[[region]]\nname = \"\"\nlatitude = 1\nlongitude = 1\nradius = 5", 5, "bytes without control"),
        ("[[region]]\nname = \"a\"\nlatitude = 91\nlongitude = 1\nradius = 5", 6, "degrees from -90 to 90"),
        ("[[region]]\nname = \"a\"\nlatitude = 1\nlongitude = 181\nradius = 5", 7, "degrees from -180 to 180"),
        ("[[region]]\nname = \"a\"\nlatitude = 1\nlongitude = 1\nradius = 0", 8, "metres from 1"),
        ("[[region]]\nname = \"a\"\nlatitude = 1\nlongitude = 1", 4, "radius"),
    ]) func errorsNameTheirPlace(addition: String, line: Int, words: String) throws {
        #expect {
            try settings(Self.least + addition + "\n")
        } throws: {
            let message = "\($0)"
            return message.contains("\(folder.path)/publish.toml:\(line):") && message.contains(words)
        }
    }

    @Test(arguments: [
        ("broker = \"b\"\nformat = \"json\"\ndevice = \"van\"", 1, "is not an address"),
        (
            "broker = \"mqtt://b\"\nformat = \"xml\"\ndevice = \"van\"", 2,
            "owntracks, homeassistant, json, osmand, overland"
        ),
        ("broker = \"mqtt://b\"\nformat = \"json\"\ndevice = \"a/b\"", 3, "letters"),
        ("broker = \"https://b\"\nformat = \"homeassistant\"\ndevice = \"van\"", 2, "needs a broker of mqtt://"),
        ("broker = \"mqtt://b\"\nformat = \"osmand\"\ndevice = \"van\"", 2, "needs a broker of http://"),
        ("broker = \"mqtts://b\"\nformat = \"overland\"\ndevice = \"van\"", 2, "needs a broker of http://"),
        ("broker = \"http://b\"\nformat = \"osmand\"\ndevice = \"van\"\n[tls]", 4, "https:// uses TLS"),
        ("broker = \"http://b\"\nformat = \"osmand\"\ndevice = \"van\"\ntopic = \"a\"", 4, "no topic"),
        ("broker = \"http://b\"\nformat = \"owntracks\"\ndevice = \"van\"\ntopic = \"a/b/c\"", 4, "owntracks/USER"),
        ("broker = \"http://b\"\nformat = \"owntracks\"\ndevice = \"van\"\ntopic = \"owntracks/ä/c\"", 4, "ASCII"),
        ("broker = \"http://b\"\nformat = \"osmand\"\ndevice = \"van\"\nkeep-alive = 60", 4, "mqtts://"),
    ]) func keysThatContradictEachOther(text: String, line: Int, words: String) {
        #expect {
            try settings(text + "\n")
        } throws: {
            "\($0)".contains("publish.toml:\(line):") && "\($0)".contains(words)
        }
    }

    /// One form of `[tls]` for both transports.
    @Test func serversOfHTTPS() throws {
        let pem = try folder.write("", to: "a.pem")
        let settings = try settings(
            """
            broker = "https://b/osmand"
            format = "osmand"
            device = "van"
            proxy-from-environment = true

            [tls]
            ca = "\(pem)"
            certificate = "\(pem)"
            """)
        #expect(settings.broker.url == "https://b:443/osmand")
        #expect(settings.usesEnvironmentProxy)
        #expect(settings.tls.authorities == pem && settings.tls.certificate == pem && settings.tls.key == nil)
    }

    /// A backslash is no zero.
    @Test func aTextThatLooksLikeAZero() throws {
        #expect(try settings(Self.least + "# \\u0000\ntopic = 'a\\u0000'\n").topic == "a\\u0000")
        #expect(try settings(Self.least + "topic = \"a\\\\u0000\"\n").topic == "a\\u0000")
    }

    @Test(arguments: ["", "format = \"json\"\ndevice = \"van\"\n"]) func aKeyThatIsMissing(_ text: String) {
        #expect {
            try settings(text)
        } throws: {
            "\($0)".contains("the key broker is missing")
        }
    }

    @Test func regionsWithTheSameName() {
        let region = "[[region]]\nname = \"a\"\nlatitude = 1\nlongitude = 1\nradius = 5\n"
        #expect {
            try settings(Self.least + region + region)
        } throws: {
            "\($0)".contains("is there twice")
        }
    }

    @Test func aFileThatIsNotThere() {
        #expect {
            try PublisherFile.read(folder.path + "/none.toml")
        } throws: {
            "\($0)".contains("none.toml: cannot be read")
        }
    }

    /// The example that the package installs, as it is and with every key that it mentions.
    @Test func theExampleOfThePackage() throws {
        let text = try Project.text("data/etc/publish.toml")
        #expect(try settings(text).format == .owntracks)
        let pem = try folder.write("", to: "a.pem")
        let keys = text.replacing(/(?m)^# (?=\[|[a-z-]+ = )/, with: "").replacing(
            /"\/etc\/ssl[^"]*"/, with: "\"\(pem)\"")
        let all = try settings(keys)
        #expect(all.regions.count == 1)
        #expect(all.bounds == QueueBounds())
        for key in PublisherFile.keys {
            let name = try #require(key.split(separator: ".").last)
            #expect(keys.contains("\n\(name) = "), "\(key)")
        }
    }
}
