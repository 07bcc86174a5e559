import Foundation
import TestSupport
import Testing

/// The publisher with the real daemon and an HTTP server.
@Suite(.timeLimit(.minutes(15)), .enabled(if: MosquittoBroker.isInstalled, "needs openssl"))
struct PublisherOverHTTPTests {
    private typealias Server = RecordingHTTPServer

    /// A server of HTTPS, and the configuration for it.
    private func secure(
        _ folder: TemporaryFolder, format: String, answers: [Server.Answer] = [.init(200)]
    ) async throws -> (server: Server, configuration: String) {
        let authority = try await TestAuthority(in: folder)
        let files = try await authority.issue("server", alternativeName: "IP:127.0.0.1")
        let server = try await Server(answers, tls: .init(files))
        let configuration = """
            broker = "https://127.0.0.1:\(server.port)/x?key=secret"
            format = "\(format)"
            [tls]
            ca = "\(authority.certificate)"

            """
        return (server, configuration)
    }

    /// Kills server and publisher at random moments.
    @Test(arguments: [1, 2]) func everyReportArrivesOnceAndInOrder(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let (server, configuration) = try await secure(folder, format: "json")
        let scene = try await PublishingScene(configuration)
        try await scene.grant()
        try scene.start()
        for round in 1...10 {
            let wanted = server.requests.count + Int.random(in: 1...30, using: &random)
            try await eventually("\(wanted) requests in round \(round), seed \(seed): \(scene.log)") {
                server.requests.count >= wanted
            }
            if Bool.random(using: &random) || round.isMultiple(of: 3) {
                try await scene.killPublisher()
                try scene.start()
            } else {
                try await server.kill()
                try await server.start()
            }
        }
        let (consumed, last) = try await scene.drain { server.requests.map(\.body) }
        #expect(last > 10, "seed \(seed)")
        #expect(consumed.numbers == Array(1...last), "seed \(seed)")
        #expect(consumed.areInOrderOfTime, "seed \(seed)")
        #expect(!scene.log.contains("47.") && !scene.log.contains("secret"), "\(scene.log)")
    }

    /// After a time without the server, waiting reports arrive in few requests.
    @Test func overlandSendsBatches() async throws {
        let folder = try TemporaryFolder()
        let (server, configuration) = try await secure(
            folder, format: "overland", answers: [.init(201, body: "{\"result\":\"ok\"}")])
        try await server.kill()
        let scene = try await PublishingScene(configuration, credentials: ["token": "abc\n"])
        try await scene.grant()
        try scene.start()
        try await eventually("a backlog: \(scene.log)") { try await scene.queue().count >= 150 }
        try await server.start()
        try await eventually("an empty queue: \(scene.log)") {
            _ = try await scene.daemon.ctl("disable")
            return try await scene.queue().count == 0
        }
        let last = try await scene.queue().last
        var identities: [String] = []
        for request in server.requests {
            #expect(request.fields["authorization"] == "Bearer abc")
            #expect(request.target == "/x?key=secret")
            let json = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
            let features = try #require(json?["locations"] as? [[String: Any]])
            identities += features.compactMap { $0["id"] as? String }
        }
        let numbers = identities.compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
        #expect(numbers == Array(1...last))
        #expect(server.requests.count < last / 2)
        #expect(!scene.log.contains("abc") && !scene.log.contains("secret"))
    }

    @Test func ownTracksOverHTTP() async throws {
        let server = try await Server([.init(200, body: "[]")])
        let scene = try await PublishingScene(
            """
            broker = "http://127.0.0.1:\(server.port)/pub"
            format = "owntracks"
            topic = "owntracks/jane/van"
            """, credentials: ["user": "jane", "password": "secret"])
        try await scene.grant()
        try scene.start()
        try await eventually("reports: \(scene.log)") { server.requests.count >= 5 }
        let times = try server.requests.map { request in
            #expect(request.target == "/pub?u=jane&d=van")
            #expect(request.fields["x-limit-u"] == "jane" && request.fields["x-limit-d"] == "van")
            #expect(request.fields["content-type"] == "application/json")
            #expect(request.fields["authorization"] == "Basic " + Data("jane:secret".utf8).base64EncodedString())
            #expect(request.body.hasPrefix("{\"_type\":\"location\","))
            return try #require(request.body.firstMatch(of: /"tst":(\d+)/)).1
        }
        #expect(times == times.sorted())
    }

    /// The environment names a proxy: nothing is sent to it, unless the configuration wants that.
    @Test func proxiesOfTheEnvironment() async throws {
        let (server, proxy) = (try await Server(), try await Server())
        let broker = "broker = \"http://127.0.0.1:\(server.port)\"\nformat = \"json\"\n"
        let scene = try await PublishingScene(broker, environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
        try await scene.grant()
        try scene.start()
        try await eventually("reports: \(scene.log)") { server.requests.count >= 5 }
        #expect(proxy.requests.count == 0)
        try await scene.killPublisher()
        try scene.configure(broker + "proxy-from-environment = true\n")
        try scene.start()
        try await eventually("reports: \(scene.log)") { proxy.requests.count >= 5 }
        #expect(proxy.requests.first?.target == "http://127.0.0.1:\(server.port)/")
    }

    /// Attack: a proxy gets the credentials of the server, or the names in the header, in the request for the connection.
    @Test func whatAProxyOfHTTPSGets() async throws {
        let folder = try TemporaryFolder()
        let (server, configuration) = try await secure(folder, format: "owntracks")
        let proxy = try await Server([.init(407)])
        let scene = try await PublishingScene(
            "proxy-from-environment = true\n" + configuration, credentials: ["user": "van", "password": "secret"],
            environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"])
        try await scene.grant()
        try scene.start()
        try await eventually("a request: \(scene.log)") { proxy.requests.count >= 1 }
        let request = try #require(proxy.requests.first)
        #expect(request.method == "CONNECT" && request.target == "127.0.0.1:\(server.port)" && request.body == "")
        #expect(Set(request.fields.keys).isSubset(of: ["host", "user-agent", "proxy-connection"]), "\(request.fields)")
        #expect(server.requests.count == 0)
        try await scene.waitForLog("the proxy does not authorize this machine (status 407)")
    }

    /// Attack: the network's login page answers 200 to everything. Nothing is lost.
    @Test func aLoginPageIsNoServer() async throws {
        let page = Server.Answer(200, body: "<html>Welcome to our network")
        let server = try await Server([page, page, .init(200, body: "{}")])
        let scene = try await PublishingScene("broker = \"http://127.0.0.1:\(server.port)\"\nformat = \"owntracks\"\n")
        try await scene.grant()
        try scene.start()
        try await scene.waitForLog("whether the network has a login page")
        try await eventually("requests: \(scene.log)") { server.requests.count > 5 }
        _ = try await scene.daemon.ctl("disable")
        try await eventually("an empty queue: \(scene.log)") { try await scene.queue().count == 0 }
        let ids = server.requests.compactMap { $0.body.firstMatch(of: /"_id":"[0-9a-f]+-(\d+)"/)?.1 }.compactMap {
            Int($0)
        }
        #expect(ids.prefix(3) == [1, 1, 1])
        let last = try await scene.queue().last
        #expect(Array(ids.dropFirst(2)) == Array(1...last))
    }

    /// Reports that the server refuses are kept, counted, and sent again on the administrator's request.
    @Test func whatIsRefusedIsKept() async throws {
        let server = try await Server([.init(400), .init(422), .init(200)])
        let scene = try await PublishingScene("broker = \"http://127.0.0.1:\(server.port)\"\nformat = \"json\"\n")
        try await scene.grant()
        try scene.start()
        try await scene.waitForLog("refuses the report 1 (status 400): it is set aside")
        try await scene.waitForLog("refuses the report 2 (status 422): it is set aside")
        let (_, last) = try await scene.drain { server.requests.map(\.body) }
        // Not while the publisher runs.
        let busy = try await scene.run("--requeue")
        #expect(busy.status == 1 && busy.errors.contains("another locationd-publish uses the state folder"))
        try await scene.killPublisher()
        let result = try await scene.run("--requeue")
        #expect(result.status == 0 && result.output == "2 reports are back in the queue\n", "\(result.errors)")
        let before = server.requests.count
        try scene.start()
        try await eventually("both: \(scene.log)") { server.requests.count >= before + 2 }
        let consumed = try ConsumedReports(server.requests.dropFirst(before).prefix(2).map(\.body))
        #expect(consumed.numbers == [1, 2])
        #expect(last > 2)
    }

    /// A server that does not authorize this machine is left alone; the log says so once, and a restart ends it.
    @Test func aServerThatDoesNotAuthorize() async throws {
        let server = try await Server([.init(401), .init(200)])
        let scene = try await PublishingScene("broker = \"http://127.0.0.1:\(server.port)\"\nformat = \"json\"\n")
        try await scene.grant()
        try scene.start()
        try await scene.waitForLog("(status 401): check the credentials of the service")
        try await scene.waitForLog("trying again in 900 s")
        try await eventually("a backlog: \(scene.log)") { try await scene.queue().count >= 30 }
        #expect(server.requests.count == 1)
        try await scene.killPublisher()
        try scene.start()
        let (consumed, last) = try await scene.drain { server.requests.map(\.body) }
        #expect(consumed.numbers == Array(1...last))
        #expect(scene.log.matches(of: /status 401/).count == 1)
    }

    @Test(arguments: [
        (["token": "a b"], "other characters than printable ASCII"), (["token": "a", "user": "b"], "leave one out"),
        (["user": "a:b"], "contains a colon"),
    ]) func credentialsThatHTTPDoesNotPermit(credentials: [String: String], words: String) async throws {
        let server = try await Server()
        let scene = try await PublishingScene(
            "broker = \"http://127.0.0.1:\(server.port)\"\nformat = \"json\"\n", credentials: credentials)
        try scene.start()
        #expect(try await scene.publisher?.end().status == 1)
        #expect(scene.log.contains(words), "\(scene.log)")
        #expect(server.requests.count == 0)
    }
}
