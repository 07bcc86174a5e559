import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Cases that the real ModemManager with one modem cannot show.
@Suite(.timeLimit(.minutes(15)), .enabled(if: MockedModems.isPossible, "needs dbus-daemon and python3-dbusmock"))
struct MockedModemTests {
    private func start(
        _ modems: MockedModems, _ receivers: [String], discover: Bool = false
    ) async throws -> TestDaemon {
        let daemon = try await TestDaemon(
            receivers: receivers, discover: discover, launcher: GeoClueFrontDaemon.launcher(on: modems.bus))
        try await daemon.grantSelf()
        return daemon
    }

    private func latitude(_ daemon: TestDaemon) async throws -> Double? {
        try await daemon.subscribe().location()?.latitude
    }

    private func summary(_ daemon: TestDaemon, _ index: Int = 0) async throws -> ReceiverSummary {
        try await daemon.call(ListReceivers.self, .init()).receivers[index]
    }

    /// One without a location, one whose location is the network's only, and two with receivers.
    private static let several = """
        [{"imei": "867698040000001"}, {"imei": "867698040000002", "capabilities": 3},
         {"imei": "867698040000003", "capabilities": 7, "answer": "doubled"},
         {"imei": "867698040000004", "capabilities": 4, "latitude": "4907.038000"}]
        """

    @Test func theFirstWithAReceiverIsChosenUnlessOneIsNamed() async throws {
        let modems = try await MockedModems(Self.several)
        let cases: [(name: String, latitude: Double)] = [
            ("", 48.1173), ("867698040000003", 48.1173), ("867698040000004", 49.1173),
            ("/org/freedesktop/ModemManager1/Modem/3", 49.1173), ("/sys/devices/3", 49.1173),
        ]
        for (index, expected) in cases.enumerated() {
            let daemon = try await start(modems, ["modem:" + expected.name])
            #expect(try await latitude(daemon) == expected.latitude, "\(expected)")
            // A receiver that was on before stays on.
            try await modems.waitForTotal(index + 1, of: "Setup 1 False")
            #expect(modems.count(of: "Setup 5 False") == index + 1)
        }
    }

    @Test(arguments: [
        ("867698040000001", "has no receiver that ModemManager can read"),
        ("867698040000002", "has no receiver that ModemManager can read"),
        ("867698040000005", "knows no modem 867698040000005"),
    ])
    func oneWithoutAReceiverIsLostWithTheReason(imei: String, reason: String) async throws {
        let modems = try await MockedModems(Self.several)
        let daemon = try await start(modems, ["modem:" + imei])
        let updates = try await daemon.subscribe()
        try await daemon.waitForLoss(reason)
        #expect(modems.count(of: "Setup 5 False") == 0)
        withExtendedLifetime(updates) {}
    }

    @Test func allWithReceiversAreFound() async throws {
        let modems = try await MockedModems(Self.several)
        let daemon = try await start(modems, [], discover: true)
        var names: [String] = []
        try await eventually("the modems: \(names)") {
            names = try await daemon.call(ListReceivers.self, .init()).receivers.map {
                "\($0.name) \($0.specification)"
            }
            return names == ["modem modem:867698040000003", "modem 2 modem:867698040000004"]
        }
        #expect(modems.count(of: "Setup 5 False") == 0)
    }

    @Test func oneThatIsBeingStartedIsNotLost() async throws {
        let modems = try await MockedModems(#"[{"imei": "867698040000001", "capabilities": 4}]"#, isHeld: true)
        let daemon = try await start(modems, ["modem:"])
        let updates = try await daemon.subscribe()
        try await modems.waitForTotal(1, of: "Setup 5 False")
        #expect(try await summary(daemon).state == .connecting)
        let result = try await daemon.ctl("receivers")
        #expect(result.output.contains("ModemManager is starting it, which may take 30 s"), "\(result.output)")
        try modems.release()
        try await daemon.waitForFixes(of: "modem")
        // It was not tried again.
        #expect(modems.count(of: "Setup 5 False") == 1)
        withExtendedLifetime(updates) {}
    }

    /// Sentences of a megabyte, values and answers of other types, text that is not NMEA 0183.
    @Test(arguments: ["long", "wrong", "other", "absurd"])
    func answersThatMakeNoSenseChangeNothing(kind: String) async throws {
        let modems = try await MockedModems(#"[{"imei": "867698040000001", "capabilities": 4, "answer": "\#(kind)"}]"#)
        let daemon = try await start(modems, ["modem:", "simulated"])
        let updates = try await daemon.subscribe()
        try await modems.waitForTotal(5, of: "GetLocation")
        let (memory, descriptors) = (try daemon.memory, try daemon.descriptors)
        try await modems.wait(for: "GetLocation", count: 20)
        try await daemon.waitForFixes(of: "simulated")
        let modem = try await summary(daemon)
        #expect(modem.fixes == 0)
        #expect(modem.state == .searching || modem.state == .lost, "\(modem)")
        // One for each of the twenty answers would be too many; connections come and go.
        #expect(try daemon.descriptors < descriptors + 10)
        if !Sanitizer.isRunning { #expect(try daemon.memory < memory + 4 << 20) }
        withExtendedLifetime(updates) {}
    }

    @Test func oneThatDoesNotAnswerIsLostAndReadAgainWhenItDoes() async throws {
        let modems = try await MockedModems(#"[{"imei": "867698040000001", "capabilities": 4}]"#)
        let daemon = try await start(modems, ["modem:"])
        let updates = try await daemon.subscribe()
        try await daemon.waitForFixes(of: "modem")
        modems.halt()
        try await daemon.waitForLoss("ModemManager does not answer")
        modems.resume()
        try await daemon.waitForFixes(of: "modem")
        withExtendedLifetime(updates) {}
    }
}
