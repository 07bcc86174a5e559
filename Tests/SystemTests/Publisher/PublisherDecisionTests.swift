import TestSupport
import Testing

/// The user's decisions while location services are off apply to the publisher's collected reports.
@Suite(.timeLimit(.minutes(15)), .enabled(if: MosquittoBroker.isInstalled, "needs mosquitto and openssl"))
struct PublisherDecisionTests {
    /// A publisher with a queue, and location services that are off. The broker is down.
    private func scene(
        _ broker: MosquittoBroker, _ subscriber: MosquittoSubscriber, sendsWhileDisabled: Bool
    ) async throws -> PublishingScene {
        try await broker.kill()
        let scene = try await PublishingScene(
            "broker = \"mqtt://127.0.0.1:\(broker.port)\"\nformat = \"json\"\n", sendsWhileDisabled: sendsWhileDisabled)
        try await scene.grant()
        try scene.start()
        try await eventually("a queue: \(scene.log)") { try await scene.queue().count >= 20 }
        _ = try await scene.daemon.ctl("disable")
        try await eventually("no more reports") { scene.log.contains("location services are off") }
        return scene
    }

    private func start(_ broker: MosquittoBroker, for subscriber: MosquittoSubscriber) async throws {
        let connections = subscriber.connections
        try await broker.start()
        try await eventually("the consumer") { subscriber.connections > connections }
    }

    /// Attack: the user switches location services off, then revokes the grant or reduces the accuracy, and what was
    /// collected is sent.
    @Test(arguments: ["revoke", "deny", "grant"], [false, true])
    func aDecisionEmptiesTheQueueWhileServicesAreOff(_ command: String, _ sends: Bool) async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["locationd/van"], format: "%p")
        let scene = try await scene(broker, subscriber, sendsWhileDisabled: sends)
        let made =
            command == "grant"
            ? try await scene.daemon.ctl("grant", "--always", "--reduced", scene.app.app)
            : try await scene.daemon.ctl(command, scene.app.app)
        #expect(made.status == 0, "\(made.errors)")
        try await eventually("an empty queue: \(scene.log)") { try await scene.queue().count == 0 }
        try await start(broker, for: subscriber)
        _ = try await scene.daemon.ctl("enable")
        // What follows is a cell of some 5 km, if anything: its location has no speed.
        if command == "grant" { try await eventually("a report: \(scene.log)") { !subscriber.messages.isEmpty } }
        #expect(!subscriber.messages.contains { $0.contains("speed") })
    }

    /// Attack: the same with a reset. Waiting reports are kept for the next decision, and none is sent before.
    @Test func aResetEndsTheSendingWhileServicesAreOff() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["locationd/#"], format: "%t %p")
        let scene = try await scene(broker, subscriber, sendsWhileDisabled: true)
        _ = try await scene.daemon.ctl("reset", scene.app.app)
        try await start(broker, for: subscriber)
        _ = try await scene.daemon.ctl("enable")
        try await eventually("a prompt: \(scene.log)") { scene.log.contains("there is no decision yet") }
        #expect(subscriber.messages == [])
        #expect(try await scene.queue().count >= 20)
    }

    @Test func nothingLeavesWhileServicesAreOff() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["locationd/van"], format: "%p")
        let scene = try await scene(broker, subscriber, sendsWhileDisabled: false)
        try await start(broker, for: subscriber)
        // One that is started meanwhile sends nothing either.
        try await scene.killPublisher()
        try scene.start()
        try await eventually("the publisher: \(scene.log)") {
            scene.publisher?.errors.contains("location services are off") == true
        }
        #expect(subscriber.messages == [])
        #expect(!broker.log.contains("locationd-van"))
        _ = try await scene.daemon.ctl("enable")
        try await eventually("the queue: \(scene.log)") { subscriber.messages.count >= 20 }
        let numbers = try ConsumedReports(subscriber.messages).numbers
        #expect(numbers.prefix(20) == Array(1...20)[...])
    }
}
