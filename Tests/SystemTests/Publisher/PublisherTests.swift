import Foundation
import LocationModel
import TestSupport
import Testing

@testable import LocationctlSupport

/// The publisher with the real daemon and the real broker.
@Suite(.timeLimit(.minutes(15)), .enabled(if: MosquittoBroker.isInstalled, "needs mosquitto and openssl"))
struct PublisherTests {
    private func scene(_ broker: MosquittoBroker, _ more: String = "") async throws -> PublishingScene {
        try await PublishingScene("broker = \"mqtt://127.0.0.1:\(broker.port)\"\nformat = \"json\"\n\(more)\n")
    }

    /// Kills broker and publisher at random moments: whatever was put into the queue arrives, in order, and a consumer
    /// recognises repetitions.
    @Test(arguments: [1, 2]) func everyReportArrivesOnceAndInOrder(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["locationd/van"], format: "%p")
        let scene = try await scene(broker)
        try await scene.grant()
        try scene.start()
        // The publisher waits twice as long after each connection that was short, and begins anew where it is started.
        var shortConnections = 0
        for round in 1...10 {
            let wanted = subscriber.messages.count + Int.random(in: 1...30, using: &random)
            try await eventually("\(wanted) messages in round \(round), seed \(seed): \(scene.log)") {
                subscriber.messages.count >= wanted
            }
            if Bool.random(using: &random) || shortConnections == 2 {
                try await scene.killPublisher()
                try scene.start()
                shortConnections = 0
            } else {
                shortConnections += 1
                let connections = subscriber.connections
                try await broker.kill()
                // The consumer subscribes first. Messages from before the first subscription are lost.
                try await scene.whilePublisherStands {
                    try await broker.start()
                    try await eventually("the consumer") { subscriber.connections > connections }
                }
            }
        }
        let (consumed, last) = try await scene.drain { subscriber.messages }
        #expect(last > 10, "seed \(seed)")
        #expect(consumed.numbers == Array(1...last), "seed \(seed)")
        #expect(consumed.queues.count == 1, "seed \(seed)")
        #expect(consumed.areInOrderOfTime, "seed \(seed)")
        #expect(!scene.log.contains("47."), "the log has a position: \(scene.log)")
    }

    @Test func afterATimeWithoutNetworkTheNewestGoesFirst() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(
            broker, topics: ["locationd/van/#"], format: "%t %p")
        let connections = subscriber.connections
        try await broker.kill()
        let scene = try await scene(broker)
        try await scene.grant()
        try scene.start()
        try await eventually("a backlog: \(scene.log)") { try await scene.queue().count >= 50 }
        try await scene.whilePublisherStands {
            try await broker.start()
            try await eventually("the consumer") { subscriber.connections > connections }
        }
        func payloads(_ topic: String) -> [String] {
            subscriber.messages.filter { $0.hasPrefix(topic + " ") }.map { String($0.dropFirst(topic.count + 1)) }
        }
        let (consumed, last) = try await scene.drain { payloads("locationd/van") }
        #expect(consumed.numbers == Array(1...last))
        let topics = subscriber.messages.compactMap { $0.split(separator: " ").first }
        let first = topics.prefix { $0 != "locationd/van" }
        // A fix that arrives while the queue is being read is a newer state.
        #expect(first.prefix(2) == ["locationd/van/availability", "locationd/van/state"])
        #expect(first.dropFirst(2).allSatisfy { $0 == "locationd/van/state" })
        let firstState = try #require(try ConsumedReports(payloads("locationd/van/state")).numbers.first)
        #expect(firstState >= 50)
        scene.publisher?.signal(SIGTERM)
        #expect(try await scene.publisher?.end().status == 0)
        try await eventually("the end") { payloads("locationd/van/availability") == ["online", "offline"] }
    }

    @Test func aRevocationEmptiesTheQueue() async throws {
        let nowhere = try ReservedPort()
        defer { withExtendedLifetime(nowhere) {} }
        let scene = try await PublishingScene(
            "broker = \"mqtt://127.0.0.1:\(nowhere.number)\"\nformat = \"json\"\n")
        try await scene.grant()
        try scene.start()
        try await eventually("reports: \(scene.log)") { try await scene.queue().count >= 5 }
        _ = try await scene.daemon.ctl("revoke", scene.app.app)
        try await eventually("an empty queue: \(scene.log)") { try await scene.queue().count == 0 }
        try await scene.waitForLog("not authorized (denied): nothing is published")
        try await eventually("a line in the log: \(scene.log)") { scene.log.contains("the queue is emptied") }
        // Granted again, it continues.
        try await scene.grant()
        try await eventually("reports: \(scene.log)") { try await scene.queue().count >= 1 }
    }

    /// A certificate of the client, for a broker that an authority of the machine vouches for.
    @Test func theMachinesAuthoritiesAndACertificate() async throws {
        let folder = try TemporaryFolder()
        let authority = try await TestAuthority(in: folder)
        let server = try await authority.issue("broker", alternativeName: "IP:127.0.0.1")
        let client = try await authority.issue("van", alternativeName: "DNS:van")
        let broker = try await MosquittoBroker(
            """
            allow_anonymous true
            certfile \(server.certificate)
            keyfile \(server.key)
            cafile \(authority.certificate)
            require_certificate true
            """)
        let scene = try await PublishingScene(
            """
            broker = "mqtts://127.0.0.1:\(broker.port)"
            format = "json"
            tls.certificate = "\(client.certificate)"
            tls.key = "\(client.key)"

            """, environment: ["SSL_CERT_FILE": authority.certificate])
        try await scene.grant()
        try scene.start()
        try await scene.waitForLog("connected to mqtts://127.0.0.1:\(broker.port)")
        try await eventually("reports to be taken: \(scene.log)") {
            let queue = try await scene.queue()
            return queue.last > 3 && queue.count < queue.last
        }
    }

    /// A revocation while the publisher is not running: none of its collected reports is sent.
    @Test func aRevocationWhileItDoesNotRun() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["locationd/#"], format: "%t %p")
        let connections = subscriber.connections
        try await broker.kill()
        let scene = try await scene(broker)
        try await scene.grant()
        try scene.start()
        try await eventually("reports: \(scene.log)") { try await scene.queue().count >= 5 }
        try await scene.killPublisher()
        _ = try await scene.daemon.ctl("revoke", scene.app.app)
        try await broker.start()
        try await eventually("the consumer") { subscriber.connections > connections }
        try scene.start()
        try await eventually("an empty queue: \(scene.log)") { try await scene.queue().count == 0 }
        #expect(subscriber.messages == [])
    }

    /// By the publisher's own option, and as `locationctl visits --clear` does it.
    @Test(arguments: [false, true]) func whatIsClearedByHandIsNotSent(_ isWithPlaces: Bool) async throws {
        let nowhere = try ReservedPort()
        defer { withExtendedLifetime(nowhere) {} }
        let scene = try await PublishingScene(
            "broker = \"mqtt://127.0.0.1:\(nowhere.number)\"\nformat = \"json\"\n")
        try await scene.grant()
        try scene.start()
        try await eventually("reports: \(scene.log)") { try await scene.queue().count >= 5 }
        _ = try await scene.daemon.ctl("disable")
        try await eventually("no more reports") { scene.log.contains("location services are off") }
        // Reports on their way to the disk may still get there.
        try await eventually("an empty queue") {
            if isWithPlaces {
                let program = Program.path("locationd-publish")
                #expect(PublisherQueue(programs: [program], folder: scene.state, user: nil).clear() == .cleared)
            } else {
                #expect(try await scene.run("--clear").status == 0)
            }
            return try await scene.queue().count == 0
        }
    }

    /// User, password and the queue's key as the service manager passes them. Without the key, waiting reports are not
    /// sent.
    @Test func credentials() async throws {
        let folder = try TemporaryFolder()
        let made = try await Program.run(
            "/usr/bin/mosquitto_passwd", ["-b", "-c", folder.path + "/passwords", "van", "secret"])
        #expect(made.status == 0)
        let broker = try await MosquittoBroker("allow_anonymous false\npassword_file \(folder.path)/passwords")
        let subscriber = try await MosquittoSubscriber(
            broker, topics: ["locationd/van"], format: "%p", arguments: ["-u", "van", "-P", "secret"])
        let scene = try await PublishingScene(
            "broker = \"mqtt://127.0.0.1:\(broker.port)\"\nformat = \"json\"\n",
            credentials: ["user": "van\n", "password": "secret\n", "queue-key": String(repeating: "key ", count: 8)])
        try await scene.grant()
        try scene.start()
        try await eventually("messages: \(scene.log)") { subscriber.messages.count >= 5 }
        try await broker.kill()
        try await eventually("a backlog: \(scene.log)") { try await scene.queue().count >= 20 }
        #expect(try !scene.queueContains("latitude"))
        #expect(!scene.log.contains("secret") && !scene.log.contains("key key"))
        try await scene.killPublisher()
        try scene.app.folder.remove("credentials/locationd-publish.queue-key")
        try scene.start()
        // Not even one in the clear is begun.
        #expect(try await scene.publisher?.end().status == 1)
        #expect(scene.log.contains("there is no credential locationd-publish.queue-key"))
        #expect(try !scene.queueContains("latitude"))
    }

    /// Attack: another server answers in the broker's place for a time, with an untrusted certificate.
    @Test func aBrokerThatIsReplacedForATime() async throws {
        let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
        let authority = try await TestAuthority(in: folder)
        let good = try await authority.issue("broker", alternativeName: "IP:127.0.0.1")
        let bad = try await TestAuthority(in: elsewhere).issue("broker", alternativeName: "IP:127.0.0.1")
        try folder.copy(good, to: "used")
        let port = try ReservedPort()
        // The consumer has a listener of its own: it would not survive the other certificate.
        let broker = try await MosquittoBroker(
            """
            allow_anonymous true
            listener \(port.number) 127.0.0.1
            certfile \(folder.path)/used.pem
            keyfile \(folder.path)/used.key
            """)
        let subscriber = try await MosquittoSubscriber(broker, topics: ["locationd/van"], format: "%p")
        let scene = try await PublishingScene(
            """
            broker = "mqtts://127.0.0.1:\(port.number)"
            format = "json"
            [tls]
            ca = "\(authority.certificate)"
            """)
        try await scene.grant()
        try scene.start()
        try await eventually("messages: \(scene.log)") { subscriber.messages.count >= 5 }
        let before = subscriber.connections
        try await broker.kill()
        try folder.copy(bad, to: "used")
        try await broker.start()
        try await eventually("a refusal: \(scene.log)") { scene.log.contains("certificate verify failed") }
        #expect(!broker.log.contains("Received PUBLISH") && !broker.log.contains("locationd-van"))
        try await eventually("the consumer") { subscriber.connections > before }
        let connections = subscriber.connections
        try await broker.kill()
        try folder.copy(good, to: "used")
        try await scene.whilePublisherStands {
            try await broker.start()
            try await eventually("the consumer") { subscriber.connections > connections }
        }
        let (consumed, last) = try await scene.drain { subscriber.messages }
        #expect(consumed.numbers == Array(1...last))
        #expect(consumed.areInOrderOfTime)
    }

    /// libmosquitto 2.0.11 ends the process at a property of MQTT 5 that does not exist. The service manager starts the
    /// publisher again, and nothing is lost.
    @Test func aBrokerThatSendsAPropertyThatDoesNotExist() async throws {
        let liar = try await AnsweringServer(" \u{3}\u{0}\u{0}\u{0}@\u{6}\u{0}\u{1}\u{0}\u{2}\u{7f}\u{0}")
        let scene = try await PublishingScene("broker = \"mqtt://127.0.0.1:\(liar.port)\"\nformat = \"json\"\n")
        try await scene.grant()
        try scene.start()
        try await eventually("the end of the process or of the connection: \(scene.log)") {
            scene.publisher?.hasEnded == true || scene.log.contains("something that is not MQTT")
        }
        try await scene.killPublisher()
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["locationd/van"], format: "%p")
        try scene.configure("broker = \"mqtt://127.0.0.1:\(broker.port)\"\nformat = \"json\"\n")
        try scene.start()
        try await eventually("messages: \(scene.log)") { subscriber.messages.count >= 5 }
        let (consumed, last) = try await scene.drain { subscriber.messages }
        #expect(consumed.numbers == Array(1...last))
    }

    @Test func withoutADecisionThereIsAPrompt() async throws {
        let broker = try await MosquittoBroker()
        let scene = try await scene(broker)
        try scene.start()
        try await eventually("a prompt: \(scene.log)") {
            try await scene.daemon.ctl("prompts").output.contains("to publish this machine's location")
        }
        #expect(try await scene.queue().last == 0)
        #expect(!broker.log.contains("locationd-van"))
    }

    @Test func crossingsOfRegions() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["t/event"], format: "%p")
        let scene = try await PublishingScene(
            """
            broker = "mqtt://127.0.0.1:\(broker.port)"
            format = "owntracks"
            topic = "t"
            [[region]]
            name = "bridge"
            latitude = \(Track.latitude(north: 6000))
            longitude = 8.75
            radius = 500
            """)
        try await scene.grant()
        try scene.start()
        try await eventually("crossings: \(scene.log)") { subscriber.messages.count >= 2 }
        let events = subscriber.messages.map { $0.contains("\"event\":\"enter\"") }
        #expect(events.prefix(2) == [true, false] || events.prefix(2) == [false, true])
        #expect(subscriber.messages.allSatisfy { $0.contains("\"desc\":\"bridge\"") })
    }

    @Test func traccarOverHTTP() async throws {
        let server = try await RecordingHTTPServer()
        let scene = try await PublishingScene("broker = \"http://127.0.0.1:\(server.port)\"\nformat = \"osmand\"\n")
        try await scene.grant()
        try scene.start()
        try await eventually("reports: \(scene.log)") { server.requests.count >= 5 }
        let requests = server.requests
        let times = requests.compactMap { $0.body.firstMatch(of: /id=van&timestamp=(\d+)&lat=47\./)?.1 }
        #expect(times.count == requests.count)
        #expect(times == times.sorted())
        #expect(Set(times).count == times.count)
    }

    @Test func aConfigurationThatIsWrong() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("broker = \"nowhere\"\n", to: "publish.toml")
        let result = try await Program.run(
            Program.path("locationd-publish"), ["--config", file, "--state-directory", folder.path + "/state"])
        #expect(result.status == 2)
        #expect(result.errors.contains("\(file):1: broker: \"nowhere\" is not an address"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"))
    }

    @Test func twoWithOneQueue() async throws {
        let broker = try await MosquittoBroker()
        let scene = try await scene(broker)
        try scene.start()
        try await eventually("the publisher: \(scene.log)") { scene.log.contains("there is no decision yet") }
        let second = try scene.app.start(
            "--config", scene.app.folder.path + "/publish.toml", "--state-directory", scene.app.folder.path + "/queue")
        let result = try await second.end()
        #expect(result.status == 1)
        #expect(result.errors.contains("another locationd-publish uses the state folder"))
    }
}
