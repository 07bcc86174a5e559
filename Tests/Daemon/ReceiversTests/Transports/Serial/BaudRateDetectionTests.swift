import Devices
import LocationModel
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import Receivers

/// Receivers of any speed and framing at the far end of a pseudo-terminal, in real time.
struct BaudRateDetectionTests {
    /// A memory that counts its changes.
    private final class Memory: SerialSettingsMemory, Sendable {
        private let lines: NIOLockedValueBox<[String: SerialSettings]>
        private let changes = NIOLockedValueBox(0)

        init(_ lines: [String: SerialSettings] = [:]) { self.lines = NIOLockedValueBox(lines) }

        var count: Int { changes.withLockedValue(\.self) }

        func settings(ofDevice device: String) -> SerialSettings? { lines.withLockedValue { $0[device] } }

        func remember(_ settings: SerialSettings, ofDevice device: String) {
            lines.withLockedValue { $0[device] = settings }
            changes.withLockedValue { $0 += 1 }
        }
    }

    private func withReceiver(
        on wire: Wire, remembering memory: Memory, isLostInSilence: Bool = false,
        _ body: (ReceiverProbe) async throws -> Void
    ) async throws {
        try await ReceiversTests.withReceiver(
            try await ReceiverProbe(
                .serial(path: wire.path, baudRate: nil), port: ReceiverPort(node: wire.path, device: "dongle"),
                memory: memory, isLostInSilence: isLostInSilence), body)
    }

    /// Replaces 8E1 by 8N1. A pseudo-terminal has no parity, so data read with parity looks the same. On a busy
    /// machine, where a burst arrives in pieces, chance decides between the two.
    private static func withoutParity(_ settings: SerialSettings?) -> SerialSettings? {
        settings.map { $0.framing == .eightE1 ? SerialSettings($0.bitsPerSecond) : $0 }
    }

    @Test(arguments: [
        SerialSettings(4800), SerialSettings(57_600), SerialSettings(230_400), SerialSettings(38_400, .sevenN2),
    ])
    func settingsAreDetectedAndRememberedWithoutWriting(settings: SerialSettings) async throws {
        let wire = try Wire()
        let memory = Memory()
        try await withReceiver(on: wire, remembering: memory) { probe in
            let begin = NIODeadline.now()
            try await probe.waitUntilOpen()
            #expect(try await probe.with { $0.status.isDetecting && $0.status.serialSettings == nil })
            try await wire.carrying(SignalModel(settings)) { _ = try await probe.waitForFix() }
            print("\(settings): a fix after \((NIODeadline.now() - begin).nanoseconds / 1_000_000) ms")
            #expect(try await probe.with { !$0.status.isDetecting })
            #expect(Self.withoutParity(try await probe.with { $0.status.serialSettings }) == settings)
            #expect(wire.settings == settings)
            #expect(Self.withoutParity(memory.settings(ofDevice: "dongle")) == settings)
            #expect(memory.count == 1)
            try await probe.stop()
            #expect(try await wire.receiveToEnd().isEmpty)
        }
    }

    /// ``BaudRateStateMachineTests`` checks that remembered settings are tried first. Here, a busy machine may read the
    /// beginning with other settings.
    @Test func whatIsRememberedIsFoundAndNotWrittenAgain() async throws {
        let wire = try Wire()
        let settings = SerialSettings(460_800, .sevenN2)
        let memory = Memory(["dongle": settings])
        try await wire.carrying(SignalModel(settings)) {
            try await withReceiver(on: wire, remembering: memory) { probe in
                _ = try await probe.waitForFix()
                #expect(try await probe.with { $0.status.serialSettings } == settings)
                #expect(memory.count == 0)
            }
        }
    }

    @Test func aReceiverWhoseSpeedIsChangedIsFoundAgain() async throws {
        let wire = try Wire()
        let memory = Memory()
        try await withReceiver(on: wire, remembering: memory) { probe in
            try await wire.carrying(SignalModel(SerialSettings(9600))) { _ = try await probe.waitForFix() }
            #expect(Self.withoutParity(memory.settings(ofDevice: "dongle")) == SerialSettings(9600))
            probe.forget()
            let departure = Timestamp(millisecondsSince1970: Journey.departure.millisecondsSince1970 + 60_000)
            let later = SignalModel(
                SerialSettings(38_400), bursts: Journey(count: 8, departure: departure).epochs)
            try await wire.carrying(later) {
                // Bytes sent with the earlier settings may be read as late as now.
                _ = try await probe.wait(for: "a fix with the other settings") { events in
                    events.lazy.compactMap(\.fix).first { $0.location.timestamp >= departure }
                }
            }
            #expect(try await probe.with { $0.status.serialSettings?.bitsPerSecond } == 38_400)
            #expect(Self.withoutParity(memory.settings(ofDevice: "dongle")) == SerialSettings(38_400))
            #expect(memory.count == 2)
        }
    }

    /// The number of tried speeds depends on the machine. ``BaudRateDetectionShellTests`` expects exact ones.
    @Test func silenceIsALossThatNamesTheSpeedsTried() async throws {
        let wire = try Wire()
        try await withReceiver(on: wire, remembering: Memory(), isLostInSilence: true) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .silent)
            #expect(failure.message.hasPrefix("\(wire.path) has sent nothing for 5 s at "))
            #expect(failure.message.hasSuffix(" baud: is the receiver switched on?"))
        }
    }

    @Test func aLineOfFixedSpeedIsReadWithThatAlone() async throws {
        let wire = try Wire()
        try await ReceiversTests.withReceiver(.serial(path: wire.path, baudRate: 4800)) { probe in
            try await probe.waitUntilOpen()
            #expect(wire.settings == SerialSettings(4800))
            #expect(try await !probe.with { $0.status.isDetecting })
            try await wire.send([UInt8](repeating: 0x98, count: 2000))
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
            #expect(wire.settings == SerialSettings(4800))
            #expect(try await probe.with { $0.status.serialSettings } == SerialSettings(4800))
        }
    }
}
